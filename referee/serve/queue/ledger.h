#ifndef REFEREE_SERVE_QUEUE_LEDGER_H
#define REFEREE_SERVE_QUEUE_LEDGER_H

/* The bots and jobs that were submitted and what became of them, in one file that only grows
 * (journal.h). A submission counts when ledger_write() has returned 0. What happens within a job is
 * in its own store; the ledger has only how it ended. */

#include "base/text.h"
#include "tournament/config/config.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEDGER_FAULTS 16       /* room for enum bot_outcome */
#define LEDGER_NO_BOT UINT_MAX /* a program that only one tournament file names */

/* One version of a bot. Versions of a name are numbered from 1; a job keeps the one it started
 * with. */
struct ledger_bot {
    char name[CONFIG_NAME_MAX + 1];
    unsigned version;
    char *user;
    char *command; /* NULL: it is remote */
    char *build;   /* or NULL */
    char *folder;  /* where it runs: of this machine, or of an upload below the store; or NULL */
    long memory_mb;
    bool is_upload;
    int64_t submitted_s; /* Unix time */
    /* Its figures from jobs that have ended and were submitted by its own user or by the owner:
     * nobody can spoil the record of another user's bot. */
    unsigned long matches;
    unsigned long wins; /* first places, shared ones too */
    unsigned long faults[LEDGER_FAULTS];
    int64_t median_us, p99_us; /* in the last such job */
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

struct job_bot {
    unsigned place; /* in the list of all versions, or LEDGER_NO_BOT */
    char *name;     /* in this job; NULL: the same as in the ledger */
};

struct job {
    unsigned number; /* from 1 */
    char *user;
    char *title;
    bool is_match;    /* submitted as a match, not as a tournament */
    bool is_official; /* submitted by the owner: it counts for all its bots */
    enum job_state state;
    struct job_bot *bots; /* in the order of its configuration */
    unsigned bot_count;
    unsigned long decided; /* matches of published blocks */
    unsigned long matches;
    int64_t submitted_s, ended_s;
    char *message;   /* never NULL */
    char *config;    /* the tournament file, complete; NULL when the job is over */
    unsigned deaths; /* how often its process died; not written */
};

/* How one bot of a job did. */
struct ledger_score {
    unsigned long matches, wins;
    unsigned long faults[LEDGER_FAULTS];
    int64_t median_us, p99_us;
};

struct ledger;

/* "queued", "playing", "done", "paused", "failed", "cancelled"; and whether it is an end. */
const char *job_state_name(enum job_state state);
bool job_is_over(enum job_state state);

/* Opens the ledger of a folder, or starts one. Jobs that were being played are queued again.
 * Returns NULL with a sentence in `problem`. */
struct ledger *ledger_open(const char *path, struct text *problem);
void ledger_free(struct ledger *ledger);

/* All versions of all bots, oldest first, lent until one is added; the newest of a name, or -1. */
unsigned ledger_bot_count(const struct ledger *ledger);
const struct ledger_bot *ledger_bot(const struct ledger *ledger, unsigned place);
int ledger_find_bot(const struct ledger *ledger, const char *name);

/* Jobs have the numbers 1 to ledger_job_count(). NULL if there is none of that number. */
unsigned ledger_job_count(const struct ledger *ledger);
const struct job *ledger_job(const struct ledger *ledger, unsigned number);

/* The name by which a bot plays in a job. */
const char *ledger_player(const struct ledger *ledger, const struct job *job, unsigned index);

/* How many jobs are not over: of one user, or of all (NULL). */
unsigned ledger_waiting(const struct ledger *ledger, const char *user);

/* How many jobs of a user were submitted since `from_s`, Unix time. */
unsigned ledger_submitted(const struct ledger *ledger, const char *user, int64_t from_s);

/* Adds a bot: texts are copied, `version` and `submitted_s` filled in. Returns its place. */
unsigned ledger_add_bot(struct ledger *ledger, const struct ledger_bot *bot);

/* Adds a job that is queued. Returns its number. */
unsigned ledger_add_job(struct ledger *ledger, const struct job *job);

/* A job is over. `scores` by its bots, or NULL; they count for a bot if the job is official or of
 * the bot's own user. */
void ledger_end_job(struct ledger *ledger, unsigned number, enum job_state state,
                    const char *message, const struct ledger_score *scores);

/* Its progress, which is not written. */
void ledger_set_state(struct ledger *ledger, unsigned number, enum job_state state);
void ledger_set_progress(struct ledger *ledger, unsigned number, unsigned long decided,
                         unsigned long matches);
void ledger_count_death(struct ledger *ledger, unsigned number);

/* Writes through to the disk. Returns 0, or -1 with errno: then the next call tries again, unless
 * ledger_take_back() removes the bot or job that was added last. */
int ledger_write(struct ledger *ledger);
void ledger_take_back(struct ledger *ledger);

#endif
