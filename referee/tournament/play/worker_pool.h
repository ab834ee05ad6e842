#ifndef REFEREE_TOURNAMENT_CREW_H
#define REFEREE_TOURNAMENT_CREW_H

/* The workers of a tournament: one process a core, replaced when it dies. */

#include "tournament/job.h"

#include <stdbool.h>

struct event_base;
struct crew;

/* Called from the loop. None of them may free the crew. */
struct crew_watch {
    /* A job has ended, or was not begun and is to be given again (JOB_RETURNED). `report` is lent. */
    void (*on_report)(void *context, const struct job_report *report);
    /* The worker of a job died before it was done, perhaps of it. */
    void (*on_lost)(void *context, const struct job *job, const char *why);
    /* Somebody could take more jobs: see crew_give(). */
    void (*on_room)(void *context);
    /* Something is wrong with the machine or with us: in words for the organiser. */
    void (*on_trouble)(void *context, const char *words);
    void *context;
};

/* Starts `count` workers (0: one a core). `setup` and what it points to is lent. */
struct crew *crew_new(struct event_base *base, const struct job_setup *setup, unsigned count,
                      const struct crew_watch *watch);

/* Ends all workers: those that still play are killed. NULL is fine. */
void crew_free(struct crew *crew);

/* Gives a job to the worker that has most room. Returns false if none has any. */
bool crew_give(struct crew *crew, const struct job *job);

/* No job is begun any more; those that wait come back by on_report (JOB_RETURNED). */
void crew_drain(struct crew *crew);

/* How many jobs are out, and how many workers there are. */
unsigned crew_busy(const struct crew *crew);
unsigned crew_count(const struct crew *crew);

#endif
