#ifndef TESTS_SUPPORT_SKILL_BOTS_H
#define TESTS_SUPPORT_SKILL_BOTS_H

/* The bundled bots as players of skill_play.h, with all that they know at a table. */

#include "strong/search.h"
#include "support/skill_play.h"

/* `strong` thinks about few samples, so that it is quick. */
skill_choose_fn skill_choose_greedy, skill_choose_strong;

/* `strong`, within a limit. */
struct allegra_answer skill_search(const struct allegra_table *table, unsigned seat,
                                   struct allegra_dice *dice, const struct search_limit *limit);

#endif
