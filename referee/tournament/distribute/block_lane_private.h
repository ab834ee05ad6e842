#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_LANE_PRIVATE_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_LANE_PRIVATE_H

/* What the files of a lane share: block_lane.c has the blocks, lane_verify.c takes results,
 * lane_workers.c knows the workers. */

#include "tournament/distribute/block_lane.h"
#include "tournament/distribute/block_task.h"
#include "tournament/distribute/job_taker.h"
#include "tournament/distribute/lane_failures.h"

#define LANE_KILLS_MAX 3 /* a block that so many workers died of is void that often */
#define LANE_RUN_HEX 17

enum lane_state {
    LANE_WAITS,    /* for a job server */
    LANE_SENT,     /* the server has not said yet how it calls the job */
    LANE_QUEUED,   /* at the server, or with a worker of which nothing was heard yet */
    LANE_STARTED,  /* a worker has it */
    LANE_ANSWERED, /* its result is to be verified */
};

/* A block that was given. */
struct lane_job {
    struct block_task task;
    enum lane_state state;
    unsigned link;       /* the server that it was sent to */
    unsigned long order; /* in which it was sent */
    char handle[JOB_TAKER_HANDLE_MAX + 1];
    char run[LANE_RUN_HEX]; /* of the worker that plays it: another one means another start */
    char worker[BLOCK_RESULT_WORKER_MAX + 1];
    unsigned starts;
    int64_t sign_us;   /* the last sign of life */
    int64_t answer_us; /* when the result came */
    char *bytes;       /* of the result */
    struct block_result *result;
    unsigned next_match; /* of the result, to be verified */
    struct lane_job *next;
};

struct lane_worker {
    char name[BLOCK_RESULT_WORKER_MAX + 1];
    unsigned cores;
    long speed;
    int64_t heard_us;
    bool is_shut_out;
    struct lane_worker *next;
};

struct lane_link {
    struct block_lane *lane;
    struct gearman_link *client;
    struct job_taker *files;
    int64_t down_us; /* since when; 0: it is up */
    bool is_said;    /* that it is down */
};

struct block_lane {
    struct event_base *base;
    struct block_lane_setup setup;
    struct lane port;
    struct worker_pool_observer observer;
    struct lane_link links[BLOCK_LANE_SERVERS_MAX];
    unsigned link_count;
    struct lane_job *jobs; /* the oldest first */
    struct lane_worker *workers;
    char *shut_out; /* names, each with a NUL, and an empty one */
    size_t shut_out_length;
    struct lane_failures *failures;
    unsigned long order;
    char function[BLOCK_TASK_FUNCTION_MAX];
    bool is_draining;
    bool has_heard; /* of a worker */
    bool is_waiting_said;
    int64_t start_us;
    int64_t tick_us; /* the last one */
    struct event *on_tick;
    struct event *on_verify;
};

/* One sentence for the organiser. */
void lane_say(struct block_lane *lane, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The job leaves the list, and its matches that have no report yet get this one. Frees it. */
void lane_end_job(struct block_lane *lane, struct lane_job *job, enum task_end end, unsigned voids,
                  const char *why);

/* A result has come: verifies it in turns, so that the loop goes on (lane_verify.c). */
void lane_take_result(struct block_lane *lane, struct lane_job *job, struct span sealed);
void lane_verify_next(struct block_lane *lane);

/* A sign of life: its worker, whether known or new; NULL if the sign is not for this job
 * (lane_workers.c). */
struct lane_worker *lane_take_sign(struct block_lane *lane, struct lane_job *job,
                                   struct span sealed);
struct lane_worker *lane_find_worker(struct block_lane *lane, const char *name);
void lane_shut_out(struct block_lane *lane, const char *name);

/* Cores of the workers that were heard of lately, and how many workers. */
unsigned lane_cores(const struct block_lane *lane, unsigned *workers, long *speed);

#endif
