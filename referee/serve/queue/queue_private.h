#ifndef REFEREE_SERVE_QUEUE_QUEUE_PRIVATE_H
#define REFEREE_SERVE_QUEUE_QUEUE_PRIVATE_H

/* What the files of the queue share: the queue itself, and running jobs. */

#include "bot/bot_command.h"
#include "serve/queue/child.h"
#include "serve/queue/queue.h"
#include "serve/queue/pace.h"

/* In a job's configuration, seen from its folder: so the store can be moved, and the socket too. */
#define QUEUE_FROM_JOB "../../"
#define QUEUE_REMOTE_SOCKET "remote.socket"
#define QUEUE_LEDGER "ledger.ndjson"
#define QUEUE_OWNER "owner" /* no other user has that name */
#define QUEUE_BUILDS "builds"
#define QUEUE_HASH_LENGTH (BOT_COMMAND_HASH_HEX - 1) /* of the name of a build */
#define QUEUE_SALVAGED "salvaged"
#define QUEUE_REPLAYED_MAX 64 /* bots of one job that are replayed */

struct event;

/* What a user has had of the slots. */
struct user_share {
    const char *user; /* as in the ledger: one copy per user */
    int64_t used_us;  /* time on slots, counted as if the user had always been here */
    unsigned held;    /* slots that the user's jobs have now */
    unsigned started; /* jobs of the user that have a process */
    int64_t tried_us; /* when the last trial of a bot of the user began */
};

/* A core, on which one match is played at a time. */
struct slot {
    struct running_job *running; /* or NULL */
    int64_t since_us;            /* when the turn of that job began */
    bool is_decided;             /* the job has decided a block since then */
};

/* What a running job has to do with a slot. */
enum slot_use {
    SLOT_FOREIGN, /* nothing */
    SLOT_HELD,    /* it may play there */
    SLOT_LEFT,    /* it may not any more, and is perhaps not ready with what it played there */
};

struct queue {
    struct queue_setup setup;
    char *folder; /* absolute */
    int lock_fd;
    struct ledger *ledger;
    struct broadcast *broadcast;
    struct running_job *running;
    struct trial *trials;     /* that have a process (trial.c) */
    struct trial_wait *waits; /* for their ends (trial_wait.c) */
    struct unpacking *unpackings;
    unsigned long unpacked;   /* archives so far, for the names of their folders */
    struct child *discarding; /* the process that deletes, or NULL (sweep.c) */
    unsigned long discarded;
    bool has_discarded;    /* something that it may have missed */
    struct pruner *pruner; /* the process that deletes logs, or NULL (prune_job.c) */
    struct pruning_wait *pruning_waits;
    unsigned tried;     /* versions before this place need no trial any more */
    struct slot *slots; /* setup.slots of them */
    struct user_share *shares;
    unsigned share_count;
    int64_t counted_us;         /* until then the time on slots is counted */
    struct event *on_tick;      /* turns may be over */
    struct event *on_retry;     /* something could not be started or written */
    struct event *on_child_end; /* ours, or one that has become ours */
    bool is_synced;             /* the name of the folder with all uploads is on the disk */
    bool is_draining;
    bool was_idle;    /* on_idle was called */
    int64_t match_us; /* per match in the job that decided something last; 0 before the first */
};

/* A job that is being played (running_job.c). */
struct running_job {
    struct queue *queue;
    const struct job *job;
    unsigned char *uses;         /* by slot: enum slot_use */
    unsigned held;               /* slots */
    bool is_told;                /* its process knows them */
    int64_t used_us;             /* time on slots, as in struct user_share */
    int64_t played_us;           /* time in which it had a slot */
    struct ledger_score *scores; /* by the bots of the job */
    unsigned scored;             /* how many of them are known */
    struct pace pace;
    struct child *child;
    char end[16];          /* how its process says that it ended; "" before */
    char refusal[300];     /* why it was stopped, if it must not go on; "" if it may */
    unsigned stops;        /* how often it was asked to stop */
    unsigned long replays; /* job_config_replays() when its process was started */
    struct event *on_impatience;
    struct running_job *next;
};

/* Starts the process of a job, which plays nothing before it has a slot. Returns NULL with an
 * error: after REQUEST_ERROR_DISK it can be tried again, otherwise it never succeeds. */
struct running_job *running_job_start(struct queue *queue, const struct job *job,
                                      struct request_error *error);
void running_job_free(struct running_job *running);

/* Lets it finish its matches, or stops it at once. Each further call is more urgent. */
void running_job_stop(struct running_job *running, bool is_urgent);

/* Tells its process on which slots it may play, if it does not know. */
void running_job_tell(struct running_job *running);

/* Stops it for good, because it has used more time or disk than it may. */
void running_job_refuse(struct running_job *running, const char *why);

/* Its process has ended (queue.c). */
void queue_end_running(struct queue *queue, struct running_job *running, int status);

/* A job is over; its state is reported to all watchers (queue.c). */
void queue_end_job(struct queue *queue, unsigned number, const struct job_end *end);
void queue_report_state(struct queue *queue, unsigned number);

/* Opens the ledger, unless it was lost or is older than the rest of the folder (salvage.c). Returns
 * 0, or -1 with a sentence. */
int queue_open_ledger(struct queue *queue, struct text *problem);

/* Moves something in the folder to QUEUE_SALVAGED, if it is there, under a name that is free: it is
 * none of ours, and nobody knows whether it is still wanted (salvage.c). Returns 0, or -1 with
 * errno. */
int queue_set_aside(const struct queue *queue, const char *name);

/* Tries everything again, soon (queue.c). */
void queue_retry_later(struct queue *queue);

/* Shares the slots and starts jobs that get one (dispatch.c). */
void queue_start_jobs(struct queue *queue);

/* Tries versions of bots, as many as may be tried now (trial.c). */
void queue_start_trials(struct queue *queue);

/* The trial of a version is over, or all are: those who wait for it are told (trial_wait.c). */
void queue_end_waits(struct queue *queue, unsigned place, bool is_for_all);

/* Whether a version is being tried. */
bool queue_is_trying(const struct queue *queue, unsigned place);

/* Kills the processes of all trials; nobody waits for them any more. */
void queue_stop_trials(struct queue *queue);

/* Kills those of bots that are removed. */
void queue_stop_removed_trials(struct queue *queue);

/* Removes what a daemon that died was unpacking; ends all that is being unpacked, and waits for it
 * (accept_archive.c). */
void queue_clear_unpacked(struct queue *queue);
void queue_stop_unpacking(struct queue *queue);

/* Deletes a file or a folder, if it is there, without waiting for it (sweep.c). */
void queue_discard(struct queue *queue, const char *path);

/* Deletes logs of the next job that has some to delete (prune_job.c). */
void queue_start_pruning(struct queue *queue);

/* Kills that process, and tells clients that wait for it that the next daemon does the rest. */
void queue_stop_pruning(struct queue *queue);

/* Deletes what a daemon that ended could not (sweep.c). */
void queue_clear_discarded(struct queue *queue);

/* Whether a bot can be submitted, before its files are looked at (accept_bot.c). Returns 0, or -1
 * with an error. */
int queue_check_bot(const struct queue *queue, const struct caller *caller,
                    const struct new_bot *new, struct request_error *error);

/* Writes the ledger, or tries it again later (queue.c). */
void queue_write_ledger(struct queue *queue);

/* What a user has had (share.c). */
struct user_share *share_of(struct queue *queue, const char *user);

/* Counts the time on slots until now, and what each user has now. */
void share_count(struct queue *queue);

/* Gives a slot to a running job, or takes it away from the one that has it. */
void share_give(struct queue *queue, unsigned slot, struct running_job *running);
void share_take(struct queue *queue, unsigned slot);

/* A job that has just been started begins with what others in its place have had. */
void share_enter(struct queue *queue, struct running_job *running);

/* The job is about to be freed: its slots are free. */
void share_leave(struct queue *queue, const struct running_job *running);

/* Errors that several files report (accept_job.c): something could not be written (errno); the
 * queue accepts nothing any more. Both return -1; the second returns 0 if it does accept. */
int queue_error_disk(struct request_error *error, const char *what);
int queue_error_if_ending(const struct queue *queue, struct request_error *error);

/* The job, if the caller may change it; else NULL with an error (change_job.c). */
const struct job *queue_find_job(const struct queue *queue, const struct caller *caller,
                                 unsigned number, struct request_error *error);

/* Fills in how a bot of the ledger runs, in a config of a job (accept_job.c). */
void queue_fill_bot(const struct ledger_bot *known, struct config_bot *bot);

/* The config of a job as it is now: without bots that are out, and with the versions that have
 * replaced others (job_config.c). Returns NULL with errno; free it. */
char *job_config_make(const struct queue *queue, const struct job *job);

/* Whether a bot of a job is disqualified or removed; whether the store of a job may know its bots
 * differently (job_config.c). */
bool job_config_is_out(const struct queue *queue, const struct job *job, unsigned player);
bool job_config_is_changed(const struct queue *queue, const struct job *job);

/* How often bots of a job were to be replayed, in all. */
unsigned long job_config_replays(const struct job *job);

/* Deletes the files of bots that were removed, unless a job or a trial may need them (sweep.c). */
void queue_sweep_removed(struct queue *queue);

/* Deletes builds that belong to no bot, before anything is built or played (sweep.c). */
void queue_sweep_builds(struct queue *queue);

/* Stops the process of a job, which is started again with what has changed (change_job.c). Nothing
 * happens if it has none. */
void queue_restart_job(struct queue *queue, const struct job *job);

/* Whether there is room for another job (accept_job.c). Returns 0, or -1 with an error. */
int queue_check_room(const struct queue *queue, const struct caller *caller,
                     struct request_error *error);

/* What the settings allow to others than the owner (caps.c): another version of a bot; another job;
 * what a job asks for. Each returns 0, or -1 with an error. */
int caps_check_bot(const struct queue *queue, const struct caller *caller,
                   const struct new_bot *new, struct request_error *error);
int caps_check_room(const struct queue *queue, const struct caller *caller,
                    struct request_error *error);
int caps_check_job(const struct queue *queue, const struct caller *caller,
                   const struct config *config, struct request_error *error);

/* Whether a user may have so much more on the disk; returns the same. */
int caps_check_disk(const struct queue *queue, const char *user, int64_t more_bytes,
                    struct request_error *error);

/* How much a build of a user's bot may leave, at least 1; 0: the settings do not limit it. */
long caps_build_kb(const struct queue *queue, const char *user);

/* The memory_mb of a bot that asks for so much; 0 asks for the default, which may be too much. */
long caps_memory(const struct queue *queue, const struct caller *caller, long asked);

/* A copy of a log without what the caller may not see; takes `fd`. Returns a descriptor and its
 * length; -1 with errno (privacy.c). */
int privacy_hide_stderr(const struct queue *queue, const struct caller *caller,
                        const struct log_name *name, int fd, size_t *length);

/* The seat of a player in a log, if the caller may read what it wrote to stderr; takes `fd`.
 * Returns -1 with an error. */
int privacy_find_seat(const struct queue *queue, const struct caller *caller,
                      const struct log_name *name, int fd, struct request_error *error);

/* FOLDER/jobs/NUMBER/NAME. Free it with free(). */
char *queue_job_path(const struct queue *queue, unsigned number, const char *name);

#endif
