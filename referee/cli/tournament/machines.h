#ifndef REFEREE_CLI_TOURNAMENT_MACHINES_H
#define REFEREE_CLI_TOURNAMENT_MACHINES_H

/* Whether the results of a bot depend on the machine that played them. */

#include "tournament/play/progression.h"

#include <stdio.h>

/* Prints a table with a row per bot and machine, from the logs of the matches that count: its
 * points per round there, how they differ from those elsewhere, and whether chance explains
 * that. */
void machines_print(FILE *file, const struct progression *progression, const struct store *store);

#endif
