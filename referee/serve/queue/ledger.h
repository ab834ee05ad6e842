#ifndef REFEREE_SERVE_QUEUE_LEDGER_H
#define REFEREE_SERVE_QUEUE_LEDGER_H

/* The bots and jobs that were submitted and what became of them, in one file that only grows
 * (journal.h). A submission counts when ledger_write() has returned 0. What happens within a job is
 * in its own store; the ledger has only how it ended. Even an empty ledger has a first record, so
 * a file without one was never used, or was lost. */

#include "base/text.h"
#include "tournament/config/config.h"
#include "tournament/store/journal.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEDGER_FAULTS 16        /* room for enum bot_outcome */
#define LEDGER_NO_BOT UINT_MAX  /* a program that only one tournament file names */
#define LEDGER_LADDER "ladder:" /* the user of a ladder's jobs begins so, and no other user */

/* What came of one step of the trial of a version (trial.h). */
enum trial_result {
    TRIAL_WAITING, /* it was not done yet */
    TRIAL_NONE,    /* there is nothing to do: it has no build, it is remote, it did not say hello */
    TRIAL_OK,
    TRIAL_FAILED,
    TRIAL_UNKNOWN, /* the machine could not do it, repeatedly */
    TRIAL_RESULT_COUNT,
};

enum trial_step {
    TRIAL_BUILD,
    TRIAL_HELLO,
    TRIAL_CHECK, /* plays it through all that can happen, as `referee check` does */
    TRIAL_STEP_COUNT,
};

/* One version of a bot. Versions of a name are numbered from 1; a job keeps the one it started
 * with. */
struct ledger_bot {
    char name[CONFIG_NAME_MAX + 1];
    unsigned version;
    const char *user;
    char *command; /* NULL: it is remote */
    char *build;   /* or NULL */
    char *folder;  /* where it runs: of this machine, or of an upload below the store; or NULL */
    long memory_mb;
    bool is_upload;
    int64_t bytes;       /* of the upload */
    int64_t submitted_s; /* Unix time */
    enum trial_result trial[TRIAL_STEP_COUNT];
    char *source_hash;     /* the name of its build; NULL if it has none, or it was never begun */
    int64_t build_bytes;   /* of what the build left */
    unsigned trial_deaths; /* of the processes of its trial; not written */
    /* Its figures from jobs that are done or cancelled and were submitted by its own user, an
     * organiser or the owner: nobody can spoil the record of another user's bot. */
    unsigned long matches;
    unsigned long wins; /* first places, shared ones too */
    unsigned long faults[LEDGER_FAULTS];
    int64_t median_us, p99_us; /* in the last such job */
    /* All versions of a bot are disqualified together: it is in no new match and has no rank, and
     * its past stays. One that is removed is not listed any more, and its files are deleted; a
     * version that is submitted later is not. */
    bool is_disqualified;
    bool was_disqualified; /* at some time */
    bool is_removed;
    char *why; /* it is disqualified; or NULL */
};

enum job_state {
    JOB_QUEUED,
    JOB_PLAYING,
    JOB_DONE,
    JOB_PAUSED, /* all is played except matches that were void repeatedly */
    JOB_FAILED, /* `message` says why */
    JOB_CANCELLED,
    JOB_STATE_COUNT,
};

/* Logs of a job that are being deleted, or will be when the daemon is started again. */
struct job_pruning {
    enum { PRUNING_NONE, PRUNING_DAYS, PRUNING_BEST } rule;
    unsigned number; /* older than so many days; of matches without one of so many best bots */
};

#define LEDGER_PRUNING_MAX 100000

struct job_bot {
    unsigned place;   /* in the list of all versions, or LEDGER_NO_BOT */
    char *name;       /* in this job; NULL: the same as in the ledger */
    unsigned replays; /* how often all its matches were to be played again */
    bool is_counted;  /* in the figures of its version */
};

/* There are many of them, and most are over: a job that is over should stay small. */
struct job {
    unsigned number; /* from 1 */
    enum job_state state;
    const char *user;
    char *title;
    struct job_bot *bots;  /* in the order of its configuration */
    unsigned long decided; /* matches of published blocks */
    unsigned long matches;
    int64_t bytes; /* on the disk: its store, and its configuration in the ledger */
    int64_t submitted_s, ended_s;
    char *message; /* or NULL: job_message() */
    char *config;  /* the tournament file, complete; NULL: it is only in the file */
    unsigned bot_count;
    unsigned config_bytes; /* its length */
    struct job_pruning pruning;
    unsigned deaths;   /* how often its process died; not written */
    int64_t slot_us;   /* time on slots since the daemon started; not written */
    bool is_match;     /* submitted as a match, not as a tournament */
    bool is_official;  /* submitted by the owner or an organiser: it counts for all its bots */
    bool is_cancelled; /* somebody has cancelled it; it may still be playing */
    bool is_final;     /* it cannot be resumed, although it failed */
};

/* How one bot of a job did. */
struct ledger_score {
    unsigned long matches, wins;
    unsigned long faults[LEDGER_FAULTS];
    int64_t median_us, p99_us;
};

/* How a job ended. */
struct job_end {
    enum job_state state;
    const char *message;
    const struct ledger_score *scores; /* by its bots, or NULL */
    bool is_final;                     /* of JOB_FAILED: the same would happen again */
};

struct ledger;

/* "queued", "playing", "done", "paused", "failed", "cancelled"; and whether it is an end. */
const char *job_state_name(enum job_state state);
bool job_is_over(enum job_state state);

/* Why it failed or was paused, or "". */
const char *job_message(const struct job *job);

/* Whether it is over and can be resumed: some of it may have failed because of the machine. */
bool job_can_resume(const struct job *job);

/* "waiting", "none", "ok", "failed", "unknown"; "build", "hello", "check". */
const char *trial_result_name(enum trial_result result);
const char *trial_step_name(enum trial_step step);

/* Whether it was built and greeted, as far as that is possible. */
bool trial_is_over(const struct ledger_bot *bot);

/* Whether it can play, as far as anybody knows: it said hello, or is remote. */
bool trial_is_passed(const struct ledger_bot *bot);

/* Opens the ledger of a folder, or makes the file. Jobs that were being played are queued again,
 * unless they were cancelled. Returns NULL with a sentence in `problem`. */
struct ledger *ledger_open(const char *path, enum journal_mode mode, struct text *problem);
void ledger_free(struct ledger *ledger);

/* Whether there is no record in the file, not even the first; and writing that one. Returns 0, or
 * -1 with errno. */
bool ledger_is_blank(const struct ledger *ledger);
int ledger_begin(struct ledger *ledger);

/* Opened with JOURNAL_SALVAGE: moves what could not be read to a file of its own (journal.h).
 * Returns 0, or -1 with errno. */
int ledger_salvage(struct ledger *ledger);

/* What was in the file and is not used. */
const struct journal_loss *ledger_loss(const struct ledger *ledger);

/* All versions of all bots, oldest first, lent until one is added. */
unsigned ledger_bot_count(const struct ledger *ledger);
const struct ledger_bot *ledger_bot(const struct ledger *ledger, unsigned place);

/* The place of the newest version of a name, or of the version in "NAME@VERSION"; or -1. */
int ledger_find_bot(const struct ledger *ledger, const char *name);

/* The version that plays if somebody names the bot: the version that is named, or the newest one
 * that said hello (a remote one never has to), or if there is none, the newest. -1 if there is no
 * such bot. */
int ledger_choose_bot(const struct ledger *ledger, const char *name);

/* Jobs have the numbers 1 to ledger_job_count(). NULL if there is none of that number. */
unsigned ledger_job_count(const struct ledger *ledger);
const struct job *ledger_job(const struct ledger *ledger, unsigned number);

/* The name by which a bot plays in a job. */
const char *ledger_player(const struct ledger *ledger, const struct job *job, unsigned index);

/* How many jobs are not over: of one user, or of all (NULL). */
unsigned ledger_waiting(const struct ledger *ledger, const char *user);

/* How many jobs of a user were submitted since `from_s`, Unix time. */
unsigned ledger_submitted(const struct ledger *ledger, const char *user, int64_t from_s);

/* How many bytes the bots, with their builds, and the jobs of a user have on the disk. */
int64_t ledger_bytes(const struct ledger *ledger, const char *user);

/* Adds a bot: texts are copied, `version` and `submitted_s` filled in. Returns its place. */
unsigned ledger_add_bot(struct ledger *ledger, const struct ledger_bot *bot);

/* What is known of the build of a version; it is written with the end of its trial. */
void ledger_set_source(struct ledger *ledger, unsigned place, const char *hash);
void ledger_set_build_bytes(struct ledger *ledger, unsigned place, int64_t bytes);

/* What came of the trial of a version: of build and hello, or of the check. */
void ledger_end_trial(struct ledger *ledger, unsigned place, enum trial_result build,
                      enum trial_result hello);
void ledger_end_check(struct ledger *ledger, unsigned place, enum trial_result check);

/* Its process died. Returns how often that has happened. */
unsigned ledger_count_trial_death(struct ledger *ledger, unsigned place);

/* Adds a job that is queued. Returns its number. */
unsigned ledger_add_job(struct ledger *ledger, const struct job *job);

/* A job is over. Its scores count for a bot if the job is official or of the bot's own user, and
 * done or cancelled: any other may be resumed, and counts then. */
void ledger_end_job(struct ledger *ledger, unsigned number, const struct job_end *end);

/* These are on the disk when they return 0. -1 with errno: nothing has changed.
 * A job that waits is over when it is cancelled; one that is being played is over when
 * ledger_end_job() says so, or when the ledger is opened the next time. A job that is resumed is
 * queued again. */
int ledger_cancel_job(struct ledger *ledger, unsigned number);
int ledger_resume_job(struct ledger *ledger, unsigned number);

/* The same for bots: all versions of a name are disqualified, are not any more, or are removed.
 * `by` is the user who wants it. */
int ledger_disqualify_bot(struct ledger *ledger, const char *name, const char *by, const char *why);
int ledger_reinstate_bot(struct ledger *ledger, const char *name, const char *by);
int ledger_remove_bot(struct ledger *ledger, const char *name, const char *by);

/* The same for a job: all matches of one of its bots so far are to be played again, from now on
 * with the version at `place`, or as before (LEDGER_NO_BOT). A job that is over is queued again. */
int ledger_replay_job(struct ledger *ledger, unsigned number, unsigned player, unsigned place,
                      const char *by);

/* Logs of a job that is over are about to be deleted: on the disk when it returns 0; -1 with errno.
 * Until ledger_end_pruning() is written, a ledger that is opened again still has it. */
int ledger_begin_pruning(struct ledger *ledger, unsigned number, const struct job_pruning *pruning,
                         const char *by);
void ledger_end_pruning(struct ledger *ledger, unsigned number, int64_t store_bytes);

/* The first job with logs to delete; 0 if there is none. */
unsigned ledger_next_pruning(const struct ledger *ledger);

/* The tournament file of a job, from memory or from the disk. Free it with free(). Returns NULL
 * with errno. */
char *ledger_read_config(const struct ledger *ledger, const struct job *job);

/* Its progress, which is not written. */
void ledger_set_state(struct ledger *ledger, unsigned number, enum job_state state);
void ledger_add_slot_time(struct ledger *ledger, unsigned number, int64_t slot_us);
void ledger_set_progress(struct ledger *ledger, unsigned number, unsigned long decided,
                         unsigned long matches);
void ledger_set_bytes(struct ledger *ledger, unsigned number, int64_t store_bytes);
void ledger_count_death(struct ledger *ledger, unsigned number);

/* Writes through to the disk. Returns 0, or -1 with errno: then the next call tries again, unless
 * ledger_take_back() removes the bot or job that was added last. */
int ledger_write(struct ledger *ledger);
void ledger_take_back(struct ledger *ledger);

#endif
