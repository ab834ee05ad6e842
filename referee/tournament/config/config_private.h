#ifndef REFEREE_TOURNAMENT_PLAN_PRIVATE_H
#define REFEREE_TOURNAMENT_PLAN_PRIVATE_H

/* What the files that read a tournament file share: its keys, and the list of mistakes. */

#include "tournament/plan.h"
#include "tournament/plan_key.h"

#define PLAN_SENTENCE_MAX 1000

/* A file that is being read. */
struct plan_reader {
    struct plan *plan;
    struct span source;
    const struct plan_catalogue *catalogue; /* or NULL */
    struct plan_problem *problems;
    size_t problem_count;
    size_t problem_capacity;
};

/* The keys of a bot. */
enum plan_bot_key {
    PLAN_BOT_NAME,
    PLAN_BOT_SOURCE,
    PLAN_BOT_COMMAND,
    PLAN_BOT_FOLDER,
    PLAN_BOT_BUILD,
    PLAN_BOT_ENVIRONMENT,
    PLAN_BOT_MEMORY,
    PLAN_BOT_REMOTE,
    PLAN_BOT_KEYS,
};

extern const struct plan_key plan_bot_keys[PLAN_BOT_KEYS];

/* The keys of the file, in the order in which they are read and shown. */
enum plan_key_number {
    PLAN_NAME,
    PLAN_OUTPUT,
    PLAN_BOTS,
    PLAN_EDITION,
    PLAN_RULES,
    PLAN_SEATS,
    PLAN_FORMAT,
    PLAN_HERO,
    PLAN_DEALS,
    PLAN_MATCHES,
    PLAN_ROUNDS,
    PLAN_SEATINGS,
    PLAN_SCHEDULE_SEED,
    PLAN_CLOCK,
    PLAN_START_MS,
    PLAN_MOVE_MS,
    PLAN_BANK_MS,
    PLAN_CONTAIN,
    PLAN_JOBS,
    PLAN_TABLES,
    PLAN_REUSE,
    PLAN_MAX_FAULTS,
    PLAN_KEY_COUNT,
};

extern const struct plan_key plan_keys[PLAN_KEY_COUNT];

/* Mistakes (plan_problem.c): remembers one that is at that byte of the file; tells all of them in the
 * order of the file; forgets them. */
void plan_add_problem(struct plan_reader *reader, size_t at, const char *sentence);
void plan_tell_problems(const struct plan_reader *reader, plan_problem_fn *problem, void *context);
void plan_free_problems(struct plan_reader *reader);

/* Readers of single keys (plan_bots.c, plan_environment.c, plan_rules.c). */
plan_key_fn plan_read_bots, plan_read_environment, plan_read_edition, plan_read_rules;

/* What a bot is that has no command (plan_source.c): looks it up, or takes it for a remote one. `node` is
 * its map. Adds a mistake if it is neither. */
void plan_read_source(struct plan_reader *reader, const struct plan_map *map,
                      const struct json_node *node);

/* Makes a bot the one that is known by that name. Returns false, with a sentence, if there is none. */
bool plan_find_bot(const struct plan_reader *reader, struct plan_bot *bot, const char *name,
                   struct text *problem);

/* A path of the file, which begins at the file's folder. Give it back with free(). */
char *plan_path(const struct plan *plan, const char *path);

/* Looks at what no key alone can tell, and fills in what depends on others (plan_check.c). */
void plan_check(struct plan_reader *reader, const struct plan_map *map,
                const struct json_node *root);

#endif
