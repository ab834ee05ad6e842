#ifndef REFEREE_CLI_TOURNAMENT_PREFLIGHT_H
#define REFEREE_CLI_TOURNAMENT_PREFLIGHT_H

#include "cli/tournament/cmd_tournament.h"

/* `--dry-run --start`: builds every bot of the config, starts it in the sandbox of the tournament
 * and waits for its hello; prints a line per bot, with all that is wrong. The store is not touched.
 * Returns an enum cli_exit: CLI_BOT_FAULT if one of them could not play. */
int preflight(struct tournament *tournament);

#endif
