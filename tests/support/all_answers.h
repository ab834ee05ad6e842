#ifndef TESTS_SUPPORT_ALL_ANSWERS_H
#define TESTS_SUPPORT_ALL_ANSWERS_H

/* Every answer that can be written down, legal or not. */

#include "game/allegra.h"

/* turn, keep, drop, place, put: a cell; knock: a cell or none; accept: a seat; take: a seat and a
 * cell; clear: three of 15 cells; seven verbs without arguments. */
#define ALL_ANSWERS (5 * 15 + 16 + 6 + 6 * 15 + 455 + 7)

/* Fills the list. */
void all_answers(struct allegra_answer list[ALL_ANSWERS]);

#endif
