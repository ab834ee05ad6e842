#ifndef REFEREE_TOURNAMENT_PLAN_H
#define REFEREE_TOURNAMENT_PLAN_H

/* What an organiser wants played: the tournament file, read and checked. */

#include "base/text.h"
#include "bot/clock_rule.h"
#include "game/rules.h"
#include "tournament/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAN_BOTS_MAX 1000
#define PLAN_NAME_MAX 32
#define PLAN_FILE_MAX 1048576

struct plan_bot {
    char name[PLAN_NAME_MAX + 1]; /* letters, digits, `.`, `-`, `_`; no two alike, in any case */
    char *command;                /* as it is in the file */
    char *folder;                 /* where it runs: a path; NULL if the file says nothing */
    char *build;                  /* a command line for /bin/sh -c in its folder, or NULL */
    char **environment;           /* "KEY=VALUE", NULL ends it; never NULL itself */
    long memory_mb;               /* 0: what the containment gives by itself */
    unsigned line;                /* of the file, where it begins */
};

struct plan {
    char *name;   /* of the tournament */
    char *folder; /* where the file lies: what relative paths in it begin at */
    char *output; /* the store: a path */
    struct plan_bot *bots;
    unsigned bot_count;
    struct rules rules;
    struct schedule_setup schedule; /* without `generation` */
    enum clock_rule clock;
    long start_ms;
    long move_ms;
    long bank_ms;
    char *contain;       /* auto, sealed, guarded or none */
    unsigned jobs;       /* worker processes; 0: one a core */
    unsigned tables;     /* matches at once in a worker; 0: as its bots need it */
    bool keeps_bots;     /* `reuse` */
    unsigned max_faults; /* withdraws a bot; 0: never */
};

/* Called for each mistake: where it is (from 1; columns count letters), and one sentence that names the
 * key, as in "bots[0].name", and what is allowed. Beyond 50 mistakes the others are counted in one call. */
typedef void plan_problem_fn(void *context, unsigned line, unsigned column, const char *sentence);

/* Reads a tournament file from memory; `path` is its name. Tells all mistakes, in the order of the
 * file. Returns NULL if there was one. */
struct plan *plan_read(const char *bytes, size_t length, const char *path, plan_problem_fn *problem,
                       void *context);

/* The same from the file itself. If it cannot be read, that is told with line 0. */
struct plan *plan_load(const char *path, plan_problem_fn *problem, void *context);

void plan_free(struct plan *plan);

/* Adds every key of the file with its meaning, what it takes and its default, for the help: two lines a
 * key, PLAN_KEYS_MAX bytes at most. */
#define PLAN_KEYS_MAX 8192

void plan_write_keys(struct text *text);

#endif
