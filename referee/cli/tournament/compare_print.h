#ifndef REFEREE_CLI_TOURNAMENT_COMPARE_PRINT_H
#define REFEREE_CLI_TOURNAMENT_COMPARE_PRINT_H

/* Prints the result of a comparison, for people and for programs. */

#include "base/text.h"
#include "tournament/play/comparison.h"

/* One line about how far it is; nothing before the second block. */
void compare_print_progress(const struct comparison *comparison, struct text *line);

/* The answer, also if there is no verdict: what is known, which way it leans, and how many more
 * matches would decide. */
void compare_print(const struct comparison *comparison, const struct difference_test_setup *setup);

/* {verdict, difference, low, high, deviation, p_value, chance_better, margin, alpha, blocks,
 * matches, matches_needed, faults_new, faults_old}; points are per round, NEW's minus OLD's. An
 * end of an interval that is infinite yet is null, as is a mean without a block. */
void compare_print_json(const struct comparison *comparison,
                        const struct difference_test_setup *setup);

#endif
