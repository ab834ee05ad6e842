#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_WORKER_PRIVATE_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_WORKER_PRIVATE_H

/* What the files of a worker share: block_worker.c has the jobs, worker_visit.c the tournament that
 * they belong to, worker_fetch.c gets what they need from their coordinators, worker_build.c builds
 * bots. */

#include "tournament/distribute/block_player.h"
#include "tournament/distribute/block_task.h"
#include "tournament/distribute/block_worker.h"
#include "tournament/distribute/job_taker.h"
#include "tournament/distribute/visit.h"

#define WORKER_SERVERS_MAX 8
#define WORKER_RUN_HEX 17

struct worker_link {
    struct block_worker *worker;
    struct job_taker *taker;
    struct gearman_link *client; /* for files */
};

/* A block that was taken. */
struct worker_job {
    struct block_worker *worker;
    struct worker_link *link;
    char handle[JOB_TAKER_HANDLE_MAX + 1];
    char run[WORKER_RUN_HEX]; /* tells this time from others */
    struct block_task task;
    bool is_playing;
    bool is_orphan; /* the server has given it to somebody else */
    struct worker_job *next;
};

struct block_worker {
    struct event_base *base;
    struct block_worker_setup setup;
    struct worker_link links[WORKER_SERVERS_MAX];
    unsigned link_count;
    struct worker_job *jobs;
    struct visit *visit; /* the tournament whose blocks are played; NULL: none */
    char visit_hash[SEAL_HASH_HEX];
    struct block_player *player;
    struct fetch *fetches;
    struct worker_build *build; /* that is running; NULL: none */
    struct event *on_sign;
    struct event *on_advance;
    struct event *on_pause; /* the end of a pause: the disk was full */
    unsigned pause_ms;
    bool is_pausing;
    bool is_draining;
    bool has_ended;
};

void worker_say(const struct block_worker *worker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Goes on with all jobs as far as it can. */
void worker_advance(struct block_worker *worker);

/* The matches of a job cannot be played here, and why; the job is over. */
void worker_refuse(struct worker_job *job, const char *why);

unsigned worker_count_jobs(const struct block_worker *worker);

/* A disk without room: for a while nothing is taken. */
void worker_pause(struct block_worker *worker);

/* The player's report of a block (block_player.h); `tag` is the job. */
void worker_end_block(void *context, void *tag, const struct task_report *reports, unsigned count);

/* The tournament whose blocks are played (worker_visit.c): whether one of them is being played, and
 * its end; and whether all bots of a job of it are here, asking for those that are not. */
bool worker_is_playing(const struct block_worker *worker);
void worker_leave_visit(struct block_worker *worker);
bool worker_prepare_bots(struct worker_job *job);

/* Asks the coordinator of a job for what has that hash, unless that is done already
 * (worker_fetch.c). The answer comes to worker_take() or worker_miss(). */
void worker_fetch(struct worker_job *job, const char *hash);
void worker_fetch_packet(struct worker_link *link, const struct gearman_packet *packet);
void worker_fetch_lost(struct worker_link *link);
void worker_fetch_tick(struct block_worker *worker);
void worker_fetch_free(struct block_worker *worker);

/* What was asked for; lent. Or it cannot be had. */
void worker_take(struct block_worker *worker, const char *hash, struct span bytes);
void worker_miss(struct block_worker *worker, const char *hash, const char *why);

/* Builds a bot in a process of its own, one at a time: false if another one is being built. The end
 * comes to worker_built() (worker_build.c). */
bool worker_build_start(struct block_worker *worker, const char *hash, const char *build,
                        const struct bot_setup *bot);
void worker_build_free(struct block_worker *worker);
void worker_built(struct block_worker *worker, const char *hash, const char *build,
                  const char *why);

#endif
