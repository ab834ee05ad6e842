#ifndef REFEREE_SERVE_QUEUE_QUEUE_H
#define REFEREE_SERVE_QUEUE_QUEUE_H

/* The core of the daemon: accepts bots and jobs, keeps them (ledger.h), has jobs played in turn,
 * each by a process of its own, and sends events to those who watch (broadcast.h). Knows nothing of
 * connections.
 *
 * Its folder:
 *   ledger.ndjson           bots and jobs
 *   referee.lock            held while the daemon runs; no bot may read a folder that has it
 *   users                   users with tokens (users.h)
 *   remote.socket           a link to the socket where remote bots are fetched
 *   bots/NAME/VERSION/      an upload, as it was sent
 *   builds/HASH/            a bot with a build command, as it was built
 *   unpacking/              archives that are being unpacked
 *   discarded/              what is being deleted
 *   trials/NAME/VERSION/    what a bot printed when it was built, greeted and checked
 *   jobs/NUMBER/config.json what is played: the complete tournament file
 *   jobs/NUMBER/store/      the store of that tournament, its tables and report
 *   jobs/NUMBER/messages    what its process wrote to stderr
 *   jobs/NUMBER/pruning     the same of the process that deleted logs
 *   salvaged/               uploads and jobs that the ledger does not know
 */

#include "sandbox/sandbox.h"
#include "serve/queue/broadcast.h"
#include "serve/queue/ledger.h"
#include "serve/queue/settings.h"
#include "wire/request_error.h"

#include <stdbool.h>
#include <stddef.h>

struct event_base;
struct queue;
struct store;

#define QUEUE_SERVERS_MAX 8

struct queue_setup {
    struct event_base *base;
    const char *folder;              /* made if it does not exist */
    bool is_salvage;                 /* the ledger may be damaged, lost or old */
    const char *program;             /* the referee: jobs are played by `PROGRAM tournament …` */
    unsigned slots;                  /* matches at once, as worker processes; 0: one per core */
    const char *const *gearman;      /* job servers whose workers play, too; NULL ends them */
    const char *key_file;            /* with gearman: the key of the workers */
    bool tries_bots;                 /* builds, greets and checks versions (trial.c) */
    enum sandbox_level level;        /* SANDBOX_GUARDED or SANDBOX_SEALED */
    const struct settings *settings; /* they may change between calls */
    const char *socket;              /* where remote bots are fetched; NULL: there are none */
    /* Whether a remote bot is connected: a job waits for it. */
    bool (*is_connected)(void *context, const char *name);
    /* Whether a user is an organiser. NULL: nobody is. */
    bool (*is_organiser)(void *context, const char *user);
    /* After queue_drain(): nothing is being played any more. Called from the loop; it must not free
     * the queue. */
    void (*on_idle)(void *context);
    void *context;
};

/* The user who makes a request. */
struct caller {
    const char *user;
    bool is_owner;     /* the user who runs the daemon: may also name programs and folders of this
                        * machine, and end the daemon */
    bool is_organiser; /* may change and read what is others', and ask for more than the settings
                        * allow; caller_is_organiser() includes the owner */
};

bool caller_is_organiser(const struct caller *caller);

/* A bot that is submitted. Missing values are NULL or 0. */
struct new_bot {
    const char *name;
    const char *command; /* of an upload: "./FILE" by default */
    const char *build;
    const char *folder; /* of this machine: only from the owner */
    const char *file;   /* the name of an upload: letters, digits, `.`, `-`, `_`; no folder */
    const char *bytes;  /* the upload */
    size_t length;
    const char *unpacked; /* instead of bytes: a folder with the files of an archive, which becomes
                           * the bot's; `length` is how many bytes they have */
    long memory_mb;
    bool is_remote;
};

/* Opens the folder, locks it and resumes jobs that are not over, and those that are paused. Refuses
 * a folder with bots or jobs that the ledger does not know, unless it is to be salvaged: then they
 * are set aside. Returns NULL with a sentence in `problem`. */
struct queue *queue_new(const struct queue_setup *setup, struct text *problem);

/* Kills the processes of running jobs. NULL is fine. */
void queue_free(struct queue *queue);

const struct ledger *queue_ledger(const struct queue *queue);
struct broadcast *queue_broadcast(const struct queue *queue);
const struct settings *queue_settings(const struct queue *queue);
bool queue_is_draining(const struct queue *queue);

/* Whether remote bots are allowed. */
bool queue_has_remote(const struct queue *queue);

/* These return 0 (or a number from 1) when all is on the disk; -1 with an error. */

/* Returns the new version of the bot. */
int queue_submit_bot(struct queue *queue, const struct caller *caller, const struct new_bot *bot,
                     struct request_error *error);

/* The same for an archive (archive.h), which is unpacked first. on_unpacked is called once, from
 * the loop, with what queue_submit_bot() returns. Returns NULL with an error, and then it is not
 * called. Free it to give up before that; NULL is fine. */
typedef void queue_unpacked_fn(void *context, int version, const struct request_error *error);
struct queue_unpacked {
    queue_unpacked_fn *on_unpacked;
    void *context;
};
struct unpacking *queue_submit_archive(struct queue *queue, const struct caller *caller,
                                       const struct new_bot *bot, const struct queue_unpacked *then,
                                       struct request_error *error);
void unpacking_free(struct unpacking *unpacking);

/* Waits until a version of a bot, by its place in the ledger, was built and greeted. on_tried is
 * called once, from the loop: also if that takes longer than `submit_ms`, and when the queue is
 * drained. Returns NULL if there is nothing to wait for. Free it to wait no more, before on_tried
 * is called; NULL is fine. */
typedef void queue_tried_fn(void *context);
struct trial_wait *queue_await_trial(struct queue *queue, unsigned place, queue_tried_fn *on_tried,
                                     void *context);
void trial_wait_free(struct trial_wait *wait);

/* Opens what is for the author of a version, "NAME" or "NAME@VERSION", in a step of its trial: what
 * the build printed, how the hello went, the report of the check. Returns a descriptor, which is
 * the caller's, and its length; or -1 with an error. */
int queue_open_trial(const struct queue *queue, const struct caller *caller, const char *name,
                     enum trial_step step, size_t *length, struct request_error *error);

/* Submits a tournament file, or a match in the form of one. A bot in it that has no command is the
 * newest one of that name in the ledger; commands and folders are only for the owner. Returns the
 * job's number. */
int queue_submit_job(struct queue *queue, const struct caller *caller, struct span file,
                     bool is_match, struct request_error *error);

/* Removes a job from the queue, or stops it: what is decided by then stays. It does not come back,
 * however the daemon ends. */
int queue_cancel(struct queue *queue, const struct caller *caller, unsigned number,
                 struct request_error *error);

/* Queues a job again that is paused or has failed: it goes on where it was. */
int queue_resume(struct queue *queue, const struct caller *caller, unsigned number,
                 struct request_error *error);

/* Has all matches of a bot in a job so far played again, with the newest version of that bot: by
 * whoever submitted the job, and organisers. A job that is over is queued again. */
int queue_replay(struct queue *queue, const struct caller *caller, unsigned number,
                 const char *name, struct request_error *error);

/* Deletes logs of a job that is over, in another process: by whoever submitted it, and organisers.
 * It happens however the daemon ends; the results and hashes stay. on_pruned is called once, from
 * the loop, with the number of logs and the bytes that were freed, or with an error. Returns NULL
 * with an error, and then it is not called. Free it to wait no more; NULL is fine. */
typedef void queue_pruned_fn(void *context, unsigned long logs, int64_t freed,
                             const struct request_error *error);
struct queue_pruned {
    queue_pruned_fn *on_pruned;
    void *context;
};
struct pruning_wait *queue_prune(struct queue *queue, const struct caller *caller, unsigned number,
                                 const struct job_pruning *pruning, const struct queue_pruned *then,
                                 struct request_error *error);
void pruning_wait_free(struct pruning_wait *wait);

/* Submits the same job once more, for the caller: the same file, the same versions. Returns the
 * number of the new job. */
int queue_rerun(struct queue *queue, const struct caller *caller, unsigned number,
                struct request_error *error);

/* All versions of a bot: disqualified or reinstated by an organiser, removed by an organiser or the
 * author. `why` is for everybody to read. */
int queue_disqualify(struct queue *queue, const struct caller *caller, const char *name,
                     const char *why, struct request_error *error);
int queue_reinstate(struct queue *queue, const struct caller *caller, const char *name,
                    struct request_error *error);
int queue_remove_bot(struct queue *queue, const struct caller *caller, const char *name,
                     struct request_error *error);

/* How many seconds a job is likely to take until it is over, without its time in the queue; -1 if
 * nobody knows. */
int64_t queue_left_s(const struct queue *queue, const struct job *job);

/* A remote bot has connected: perhaps a job can start. */
void queue_wake(struct queue *queue);

/* What can be read of a job. */
enum artifact {
    ARTIFACT_TEXT,    /* the standings as text */
    ARTIFACT_JSON,    /* as JSON */
    ARTIFACT_CSV,     /* as CSV */
    ARTIFACT_CROSS,   /* the cross table as CSV */
    ARTIFACT_MATCHES, /* one row per match */
    ARTIFACT_HTML,    /* the report, one page */
    ARTIFACT_COUNT,
};

/* "text", "json", "csv", "cross", "matches", "html". */
extern const char *const artifact_names[ARTIFACT_COUNT];

/* A match of a job. */
struct log_name {
    unsigned job, block, match; /* from 1; the match counts in its block */
    const char *player;         /* whose stderr is wanted: its name in the job */
};

/* Opens an artifact, or the log of a published match, or what a bot wrote to stderr in it. Others
 * than its author find no stderr in a log, and cannot open it. Returns a descriptor, which is the
 * caller's, and its length in bytes; or -1 with an error. */
int queue_open_artifact(const struct queue *queue, unsigned number, enum artifact artifact,
                        size_t *length, struct request_error *error);
int queue_open_log(const struct queue *queue, const struct caller *caller,
                   const struct log_name *name, size_t *length, struct request_error *error);
int queue_open_stderr(const struct queue *queue, const struct caller *caller,
                      const struct log_name *name, size_t *length, struct request_error *error);

/* Whether what is private about a bot is for this caller: its author, organisers and
 * the owner. `bot` may be NULL. This decides for stderr, logs and everything else that is private;
 * NULL stands for a program that only a tournament file names. */
bool queue_may_see_bot(const struct caller *caller, const struct ledger_bot *bot);

/* Opens the store of a job for reading. NULL if there is none; if it cannot be read, also with a
 * sentence in `problem`. */
struct store *queue_open_store(const struct queue *queue, unsigned number, struct text *problem);

/* Removes the folder of a job that is over, with its logs and tables; the ledger still has the job.
 * Nothing happens if it is not there. Returns 0, or -1 with errno. */
int queue_remove_store(const struct queue *queue, unsigned number);

/* The folder of the queue, absolute. */
const char *queue_folder(const struct queue *queue);

/* Starts no more matches; on_idle is called when the current ones have ended. The rest resumes when
 * the daemon is started again. `is_urgent`: the current matches are stopped. */
void queue_drain(struct queue *queue, bool is_urgent);

#endif
