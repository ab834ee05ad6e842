#ifndef REFEREE_CLI_TOURNAMENT_DRY_RUN_H
#define REFEREE_CLI_TOURNAMENT_DRY_RUN_H

#include "tournament/config/config.h"

/* Prints which matches would be played, in which order, how many are played already, how long the
 * others may take and how much disk they need; and what would do instead if they are absurdly many.
 * Returns an enum cli_exit. */
int dry_run(const struct config *config);

#endif
