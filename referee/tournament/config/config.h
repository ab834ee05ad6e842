#ifndef REFEREE_TOURNAMENT_CONFIG_CONFIG_H
#define REFEREE_TOURNAMENT_CONFIG_CONFIG_H

/* The tournament file, read and checked. */

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
    char name[CONFIG_NAME_MAX + 1]; /* letters, digits, `.`, `-`, `_`; unique, ignoring case */
    char *source;                   /* the name by which a daemon knows it, or NULL */
    char *command;                  /* as it is in the file; NULL for a remote bot */
    char *remote;       /* the socket of the daemon that it connects to; NULL: it runs here */
    char *folder;       /* where it runs: a path, or NULL */
    char *build;        /* a command line for /bin/sh -c in its folder, or NULL */
    char **environment; /* "KEY=VALUE", NULL ends it; never NULL itself */
    long memory_mb;     /* 0: the limit of the sandbox */
    unsigned line;      /* of the file, where it starts */
};

struct config {
    char *name;   /* of the tournament */
    char *folder; /* of the file: where relative paths in it start */
    char *output; /* the store: a path */
    struct config_bot *bots;
    unsigned bot_count;
    struct allegra_rules rules;
    char variant[RULES_VARIANT_NAME_MAX + 1]; /* the name of the rules; "": they have none */
    struct schedule_setup schedule;           /* without `generation` */
    enum clock_rule clock;
    bool may_ponder;   /* `ponder` */
    bool scales_clock; /* `clock_scale` */
    long start_ms;
    long move_ms;
    long bank_ms;
    char *sandbox;       /* auto, sealed, guarded or none */
    unsigned workers;    /* worker processes; 0: one per core */
    unsigned tables;     /* matches at once per worker; 0: as many as keep the core busy */
    bool keeps_bots;     /* `reuse` */
    bool measures_luck;  /* `luck` */
    unsigned max_faults; /* withdraws a bot; 0: never */
};

/* Called for each mistake: its place (from 1; columns count characters), and one sentence that
 * names the key, as in "bots[0].name", and what is allowed. After 50 mistakes one call counts the
 * others. */
typedef void config_problem_fn(void *context, unsigned line, unsigned column, const char *sentence);

/* Reads a tournament file from memory; `path` is its name. Reports all mistakes, in the order of
 * the file. Returns NULL if there was one. Opens no file, so `edition` cannot be one. */
struct config *config_read(const char *bytes, size_t length, const char *path,
                           config_problem_fn *problem, void *context);

/* Bots that are known by name. find() fills in `command` or `remote`, and `folder`, `build` (only
 * with a folder) and `memory_mb`, of an empty bot; the config takes over the texts. Returns 0; or
 * -1 with a sentence, and the bot stays empty. */
struct config_catalogue {
    int (*find)(void *context, const char *name, struct config_bot *bot, struct text *problem);
    void *context;
};

/* The same with a catalogue, or without (NULL). With one, a bot that has no command is looked up,
 * by its `bot` or else by its name. A bot that is only a text is looked up too; if the catalogue
 * does not know it, the text is a command. `source` is the name that was looked up; NULL for a bot
 * with a command. */
struct config *config_read_with(struct span file, const char *path,
                                const struct config_catalogue *catalogue,
                                config_problem_fn *problem, void *context);

/* config_read() from the file itself, in which `edition` can be the path of a variant. If it cannot
 * be read, that is reported with line 0. */
struct config *config_load(const char *path, config_problem_fn *problem, void *context);

void config_free(struct config *config);

/* Writes a complete tournament file. Reading it gives the same config, except that bots that were
 * looked up are written as they were found, so that only bots without a command keep their
 * `source`: remote ones, and those that nobody has looked up yet. Paths are written as they are:
 * relative ones begin at the folder of the new file. */
void config_write(const struct config *config, struct json_writer *writer);

/* Adds every key of the file with its meaning, what it takes and its default, for the help: two
 * lines per key, CONFIG_KEYS_MAX bytes at most. */
#define CONFIG_KEYS_MAX 8192

void config_write_keys(struct text *text);

#endif
