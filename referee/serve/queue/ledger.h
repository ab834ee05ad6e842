#ifndef REFEREE_SERVE_QUEUE_LEDGER_H
#define REFEREE_SERVE_QUEUE_LEDGER_H

/* What the daemon was given and what became of it: bots and works, in one file that only grows
 * (journal.h). What was given counts when ledger_write() has returned 0. What happens within a work is in
 * its own store; here is only how it ended. */

#include "base/text.h"
#include "tournament/config/config.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEDGER_FAULTS 16       /* room for enum bot_outcome */
#define LEDGER_NO_BOT UINT_MAX /* a bot that only one tournament file knows */

/* One version of a bot. Versions of a name have numbers from 1; works keep the one that they began with. */
struct ledger_bot {
    char name[CONFIG_NAME_MAX + 1];
    unsigned version;
    char *user;
    char *command; /* NULL: it plays from elsewhere */
    char *build;   /* or NULL */
    char *folder;  /* where it runs: of this machine, or of an upload below the queue's; or NULL */
    long memory_mb;
    bool is_upload;
    int64_t given_s; /* the date */
    /* What it did in the works that have ended. */
    unsigned long matches;
    unsigned long wins; /* first places, shared ones too */
    unsigned long faults[LEDGER_FAULTS];
    int64_t median_us, p99_us; /* of the last such work */
};

enum job_state {
    JOB_QUEUED,
    JOB_PLAYING,
    JOB_DONE,
    JOB_PAUSED, /* all is played but matches that were void time and again */
    JOB_FAILED, /* `words` says why */
    JOB_CANCELLED,
    JOB_STATE_COUNT,
};

struct job {
    unsigned number; /* from 1 */
    char *user;
    char *title;
    bool is_match; /* given as such, not as a tournament */
    enum job_state state;
    unsigned *bots; /* by their places in the list of all versions, or LEDGER_NO_BOT */
    unsigned bot_count;
    unsigned long decided; /* matches of blocks that are published */
    unsigned long matches;
    int64_t given_s, ended_s;
    char *words;     /* never NULL */
    char *config;    /* the tournament file, complete; NULL when it is over */
    unsigned deaths; /* how often its process died; nothing of that is written */
};

/* How one bot of a work did. */
struct ledger_score {
    unsigned long matches, wins;
    unsigned long faults[LEDGER_FAULTS];
    int64_t median_us, p99_us;
};

struct ledger;

/* "queued", "playing", "done", "paused", "failed", "cancelled"; and whether it is an end. */
const char *job_state_name(enum job_state state);
bool job_is_over(enum job_state state);

/* Opens the ledger of a folder, or begins one. Works that were being played are queued again. Returns
 * NULL with a sentence in `problem`. */
struct ledger *ledger_open(const char *path, struct text *problem);
void ledger_free(struct ledger *ledger);

/* All versions of all bots, in the order in which they came, lent until one more comes; the newest of a
 * name, or -1. */
unsigned ledger_bot_count(const struct ledger *ledger);
const struct ledger_bot *ledger_bot(const struct ledger *ledger, unsigned place);
int ledger_find_bot(const struct ledger *ledger, const char *name);

/* Works have the numbers 1 to ledger_job_count(). NULL if there is none of that number. */
unsigned ledger_job_count(const struct ledger *ledger);
const struct job *ledger_job(const struct ledger *ledger, unsigned number);

/* Works that are not over: how many of all, and of one user. */
unsigned ledger_waiting(const struct ledger *ledger, const char *user);

/* Adds one: texts are copied, `version` and `given_s` filled in. Returns its place. */
unsigned ledger_add_bot(struct ledger *ledger, const struct ledger_bot *bot);

/* Adds a work that is queued. Returns its number. */
unsigned ledger_add_job(struct ledger *ledger, const struct job *job);

/* A work is over. `scores` by its bots, or NULL. */
void ledger_end_job(struct ledger *ledger, unsigned number, enum job_state state, const char *words,
                    const struct ledger_score *scores);

/* How far it is; nothing of that is written. */
void ledger_set_state(struct ledger *ledger, unsigned number, enum job_state state);
void ledger_set_progress(struct ledger *ledger, unsigned number, unsigned long decided,
                         unsigned long matches);
void ledger_count_death(struct ledger *ledger, unsigned number);

/* Writes through to the disk. Returns 0, or -1 with errno: then it is still there to be tried again;
 * ledger_take_back() forgets the bot or work that was added last instead. */
int ledger_write(struct ledger *ledger);
void ledger_take_back(struct ledger *ledger);

#endif
