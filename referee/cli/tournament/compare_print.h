#ifndef REFEREE_CLI_TOURNAMENT_COMPARE_PRINT_H
#define REFEREE_CLI_TOURNAMENT_COMPARE_PRINT_H

/* What came of a comparison, in words and for programs. */

#include "tournament/play/comparison.h"

void compare_print(const struct comparison *comparison, const struct sprt_setup *setup);

/* {verdict, difference, low, high, margin, blocks, matches, faults_new, faults_old}; points a round. */
void compare_print_json(const struct comparison *comparison, const struct sprt_setup *setup);

#endif
