#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_JOB_TAKER_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_JOB_TAKER_H

/* The worker's side of a job server: offers functions, takes jobs while it wants some, answers
 * them. If the connection is lost, the server gives the jobs that were taken to others. */

#include "tournament/distribute/gearman_link.h"

#define JOB_TAKER_HANDLE_MAX 120
#define JOB_TAKER_FUNCTIONS_MAX 4
#define JOB_TAKER_FUNCTION_MAX 100
#define JOB_TAKER_PACKET_MAX ((size_t)4 << 20) /* a job with all that is said about it */

struct job_taker;

/* Called from the loop. None of them may free the taker. */
struct job_taker_observer {
    bool (*wants_job)(void *context);
    /* `data` is lent. */
    void (*on_job)(void *context, struct job_taker *taker, const char *handle, struct span data);
    /* Nobody waits any more for the jobs that this taker took. */
    void (*on_lost)(void *context, struct job_taker *taker, const char *why);
    void (*on_up)(void *context, struct job_taker *taker);
    void *context;
};

/* `address` is lent; `functions` are copied. */
struct job_taker *job_taker_new(struct event_base *base, const char *address,
                                const char functions[][JOB_TAKER_FUNCTION_MAX], unsigned count,
                                const struct job_taker_observer *observer);
void job_taker_free(struct job_taker *taker);

const char *job_taker_address(const struct job_taker *taker);
bool job_taker_is_up(const struct job_taker *taker);

/* How many bytes wait to be sent. */
size_t job_taker_waiting(const struct job_taker *taker);

/* It may want more jobs now. */
void job_taker_wake(struct job_taker *taker);

/* Sends something about a job: GEARMAN_WORK_DATA, or its end, GEARMAN_WORK_COMPLETE or
 * GEARMAN_WORK_FAIL, which has no data. */
void job_taker_send(struct job_taker *taker, const char *handle, enum gearman_type type,
                    struct span data);

#endif
