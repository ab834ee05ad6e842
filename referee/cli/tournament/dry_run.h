#ifndef REFEREE_CLI_TOURNAMENT_DRY_RUN_H
#define REFEREE_CLI_TOURNAMENT_DRY_RUN_H

#include "tournament/config/config.h"

/* Prints which matches would be played, in which order, and how long they may take. Returns an enum
 * cli_exit. */
int dry_run(const struct config *config);

#endif
