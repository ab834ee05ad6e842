#ifndef REFEREE_SERVE_QUEUE_QUEUE_PRIVATE_H
#define REFEREE_SERVE_QUEUE_QUEUE_PRIVATE_H

/* What the files of the queue share: the queue itself, and the works that are being played. */

#include "serve/queue/queue.h"
#include "serve/queue/child.h"
#include "tournament/config/config.h"

struct event;
struct running_job;

/* When a user was served last, in the order of serving. */
struct user_turn {
    char *user;
    unsigned long served;
};

struct queue {
    struct queue_setup setup;
    char *folder; /* absolute */
    int lock_fd;
    struct ledger *ledger;
    struct broadcast *broadcast;
    struct running_job *running; /* what is being played */
    struct user_turn *turns;
    unsigned turn_count;
    unsigned long served;
    struct event *on_retry; /* something could not be started or written */
    bool is_draining;
    bool was_idle; /* on_idle was called */
};

/* A work that is being played (running_job.c). */
struct running_job {
    struct queue *queue;
    unsigned number;
    bool is_match;
    unsigned slots; /* how many workers it has */
    int cpu;        /* where it is kept, or -1 */
    struct config *config;
    struct ledger_score *scores; /* by bots of the plan */
    unsigned scored;             /* how many of them came */
    struct child *run;
    char end[16]; /* how it says that it ended; "" before */
    bool is_cancelled;
    unsigned stops; /* how often it was asked to stop */
    struct event *on_impatience;
    struct running_job *next;
};

/* Begins to play a work with that many workers. Returns NULL with a error: of SERVE_ERROR_DISK it can be tried
 * again, otherwise it never succeeds. */
struct running_job *running_job_start(struct queue *queue, const struct job *job, unsigned slots,
                                      int cpu, struct serve_error *error);
void running_job_free(struct running_job *running);

/* Lets it end: it finishes its matches, or stops at once. A second call is more urgent. */
void running_job_stop(struct running_job *running, bool is_urgent);

/* Its process has ended (queue.c). */
void queue_end_running(struct queue *queue, struct running_job *running, int status);

/* A work is over (queue.c). */
void queue_end_job(struct queue *queue, unsigned number, enum job_state state, const char *words,
                   const struct ledger_score *scores);

/* Looks at everything again, soon (queue.c). */
void queue_retry_later(struct queue *queue);

/* Begins what can begin (dispatch.c). */
void queue_start_jobs(struct queue *queue);

/* Errors that several have: it could not be written (errno), and nothing is taken any more
 * (accept_job.c). Both return -1; the second 0 if there is no reason for it. */
int queue_error_disk(struct serve_error *error, const char *what);
int queue_error_if_ending(const struct queue *queue, struct serve_error *error);

/* FOLDER/works/NUMBER/NAME. Give it back with free(). */
char *queue_job_path(const struct queue *queue, unsigned number, const char *name);

#endif
