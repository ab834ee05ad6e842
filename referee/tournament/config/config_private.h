#ifndef REFEREE_TOURNAMENT_CONFIG_CONFIG_PRIVATE_H
#define REFEREE_TOURNAMENT_CONFIG_CONFIG_PRIVATE_H

/* What the files that read a tournament file share: its keys, and the list of mistakes. */

#include "tournament/config/config.h"
#include "tournament/config/config_key.h"

#define CONFIG_SENTENCE_MAX 1000

/* A file that is being read. */
struct config_reader {
    struct config *config;
    struct span source;
    const struct config_catalogue *catalogue; /* or NULL */
    struct config_problem *problems;
    size_t problem_count;
    size_t problem_capacity;
};

/* The keys of a bot. */
enum config_bot_key {
    CONFIG_BOT_NAME,
    CONFIG_BOT_SOURCE,
    CONFIG_BOT_COMMAND,
    CONFIG_BOT_FOLDER,
    CONFIG_BOT_BUILD,
    CONFIG_BOT_ENVIRONMENT,
    CONFIG_BOT_MEMORY,
    CONFIG_BOT_REMOTE,
    CONFIG_BOT_KEYS,
};

extern const struct config_key config_bot_keys[CONFIG_BOT_KEYS];

/* The keys of the file, in the order in which they are read and shown. */
enum config_key_number {
    CONFIG_NAME,
    CONFIG_OUTPUT,
    CONFIG_BOTS,
    CONFIG_EDITION,
    CONFIG_RULES,
    CONFIG_SEATS,
    CONFIG_FORMAT,
    CONFIG_HERO,
    CONFIG_DEALS,
    CONFIG_MATCHES,
    CONFIG_ROUNDS,
    CONFIG_SEATINGS,
    CONFIG_SCHEDULE_SEED,
    CONFIG_CLOCK,
    CONFIG_START_MS,
    CONFIG_MOVE_MS,
    CONFIG_BANK_MS,
    CONFIG_CONTAIN,
    CONFIG_JOBS,
    CONFIG_TABLES,
    CONFIG_REUSE,
    CONFIG_MAX_FAULTS,
    CONFIG_KEY_COUNT,
};

extern const struct config_key config_keys[CONFIG_KEY_COUNT];

/* Mistakes (config_errors.c): remembers one that is at that byte of the file; tells all of them in the
 * order of the file; forgets them. */
void config_add_problem(struct config_reader *reader, size_t at, const char *sentence);
void config_tell_problems(const struct config_reader *reader, config_problem_fn *problem,
                          void *context);
void config_free_problems(struct config_reader *reader);

/* Readers of single keys (config_bots.c, config_environment.c, config_rules.c). */
config_key_fn config_read_bots, config_read_environment, config_read_edition, config_read_rules;

/* What a bot is that has no command (config_lookup.c): looks it up, or takes it for a remote one. `node` is
 * its map. Adds a mistake if it is neither. */
void config_read_source(struct config_reader *reader, const struct config_map *map,
                        const struct json_node *node);

/* Makes a bot the one that is known by that name. Returns false, with a sentence, if there is none. */
bool config_find_bot(const struct config_reader *reader, struct config_bot *bot, const char *name,
                     struct text *problem);

/* A path of the file, which begins at the file's folder. Give it back with free(). */
char *config_path(const struct config *config, const char *path);

/* Looks at what no key alone can tell, and fills in what depends on others (config_check.c). */
void config_check(struct config_reader *reader, const struct config_map *map,
                  const struct json_node *root);

#endif
