#ifndef REFEREE_CLI_TOURNAMENT_COMPARE_PRINT_H
#define REFEREE_CLI_TOURNAMENT_COMPARE_PRINT_H

/* Prints the result of a comparison, for people and for programs. */

#include "base/text.h"
#include "tournament/play/comparison.h"

/* One line about how far it is; nothing before the second block. */
void compare_print_progress(const struct comparison *comparison, struct text *line);

void compare_print(const struct comparison *comparison, const struct sprt_setup *setup);

/* {verdict, difference, low, high, margin, blocks, matches, faults_new, faults_old}; points are
 * per round. */
void compare_print_json(const struct comparison *comparison, const struct sprt_setup *setup);

#endif
