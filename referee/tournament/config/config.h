#ifndef REFEREE_TOURNAMENT_CONFIG_CONFIG_H
#define REFEREE_TOURNAMENT_CONFIG_CONFIG_H

/* What an organiser wants played: the tournament file, read and checked. */

#include "base/text.h"
#include "bot/clock_rule.h"
#include "game/rules.h"
#include "tournament/schedule/schedule.h"
#include "wire/json_write.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONFIG_BOTS_MAX 1000
#define CONFIG_NAME_MAX 32
#define CONFIG_FILE_MAX 1048576

struct config_bot {
    char name[CONFIG_NAME_MAX + 1]; /* letters, digits, `.`, `-`, `_`; no two alike, in any case */
    char *source;       /* the name by which a daemon knows it; NULL: it has no such name */
    char *command;      /* as it is in the file; NULL of a remote one */
    char *remote;       /* the socket of the daemon that it comes to; NULL: it runs here */
    char *folder;       /* where it runs: a path; NULL if the file says nothing */
    char *build;        /* a command line for /bin/sh -c in its folder, or NULL */
    char **environment; /* "KEY=VALUE", NULL ends it; never NULL itself */
    long memory_mb;     /* 0: what the containment gives by itself */
    unsigned line;      /* of the file, where it begins */
};

struct config {
    char *name;   /* of the tournament */
    char *folder; /* where the file lies: what relative paths in it begin at */
    char *output; /* the store: a path */
    struct config_bot *bots;
    unsigned bot_count;
    struct allegra_rules rules;
    struct schedule_setup schedule; /* without `generation` */
    enum clock_rule clock;
    long start_ms;
    long move_ms;
    long bank_ms;
    char *sandbox;       /* auto, sealed, guarded or none */
    unsigned jobs;       /* worker processes; 0: one a core */
    unsigned tables;     /* matches at once in a worker; 0: as its bots need it */
    bool keeps_bots;     /* `reuse` */
    unsigned max_faults; /* withdraws a bot; 0: never */
};

/* Called for each mistake: where it is (from 1; columns count letters), and one sentence that names the
 * key, as in "bots[0].name", and what is allowed. Beyond 50 mistakes the others are counted in one call. */
typedef void config_problem_fn(void *context, unsigned line, unsigned column, const char *sentence);

/* Reads a tournament file from memory; `path` is its name. Tells all mistakes, in the order of the
 * file. Returns NULL if there was one. */
struct config *config_read(const char *bytes, size_t length, const char *path,
                           config_problem_fn *problem, void *context);

/* Bots that somebody knows by name. find() fills in `command` or `remote`, and `folder`, `build` (only
 * with a folder) and `memory_mb`, of a bot that is empty; the texts are the plan's then. Returns 0; or -1
 * with a sentence, and the bot is left empty. */
struct config_catalogue {
    int (*find)(void *context, const char *name, struct config_bot *bot, struct text *problem);
    void *context;
};

/* The same with a catalogue, or without (NULL). With one, a bot that has no command is looked up: under
 * its `bot`, else under its name. So is one that is a text alone, if its name is known; else that is a
 * command. Then `source` is that name; a bot that came with a command has none. */
struct config *config_read_with(struct span file, const char *path,
                                const struct config_catalogue *catalogue,
                                config_problem_fn *problem, void *context);

/* config_read() from the file itself. If it cannot be read, that is told with line 0. */
struct config *config_load(const char *path, config_problem_fn *problem, void *context);

void config_free(struct config *config);

/* Writes a plan as a complete tournament file. Read where this one was, it gives the same plan, but for
 * two things: paths begin at the root of the file system, and what was looked up is there as it was
 * found, so that `source` is left of remote bots alone. */
void config_write(const struct config *config, struct json_writer *writer);

/* Adds every key of the file with its meaning, what it takes and its default, for the help: two lines a
 * key, CONFIG_KEYS_MAX bytes at most. */
#define CONFIG_KEYS_MAX 8192

void config_write_keys(struct text *text);

#endif
