#ifndef REFEREE_TOURNAMENT_PLAY_BOT_SETUP_H
#define REFEREE_TOURNAMENT_PLAY_BOT_SETUP_H

/* The bots of a config, ready to be started: their programs found, built and identified. */

#include "tournament/play/built_bot.h"
#include "tournament/play/task.h"
#include "tournament/config/config.h"

struct bot_setup_list;

/* Finds the program of each bot. For a remote bot that is the referee itself, `bridge SOCKET NAME`,
 * and its hash is that of its name. A bot that has a `build` command is copied to `builds` and
 * built there, unless that was done with the same files before; without `builds` (NULL) its program
 * stays unknown. Builds run in a sandbox as bots do. Reports all problems, each with the line of
 * the bot in the file; such a bot is in the list with its `problem`, and can be seated like
 * any other: it does not start. `config` is lent. */
struct bot_setup_list *bot_setup_list_new(const struct config *config,
                                          const struct built_bot_place *builds,
                                          struct sandbox *sandbox, config_problem_fn *problem,
                                          void *context);
void bot_setup_list_free(struct bot_setup_list *bot_setups);

/* How many bots have a problem. */
unsigned bot_setup_list_problems(const struct bot_setup_list *bot_setups);

/* What the machine could not do for some bot (no descriptor, no memory, no disk), so that nothing
 * is known about that bot; or NULL. No bot may lose by it. */
const char *bot_setup_list_trouble(const struct bot_setup_list *bot_setups);

/* Whether an error is of that kind. */
bool bot_setup_is_trouble(int error);

/* A bot cannot be run after all. */
void bot_setup_list_refuse(struct bot_setup_list *bot_setups, unsigned index, const char *why);

/* By index in the config. */
const struct bot_setup *bot_setup_list_get(const struct bot_setup_list *bot_setups);

#endif
