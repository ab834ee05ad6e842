#ifndef REFEREE_CLI_VERDICT_H
#define REFEREE_CLI_VERDICT_H

/* What came of a comparison, in words and for programs. */

#include "tournament/duel.h"

void verdict_print(const struct duel *duel, const struct sequential_setup *setup);

/* {verdict, difference, low, high, margin, blocks, matches, faults_new, faults_old}; points a round. */
void verdict_print_json(const struct duel *duel, const struct sequential_setup *setup);

#endif
