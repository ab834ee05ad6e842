#ifndef TESTS_SUPPORT_CARD_PEEKER_H
#define TESTS_SUPPORT_CARD_PEEKER_H

/* A cheat that knows where all cards are. */

#include "game/allegra.h"

/* The answer of the cheat, on the true table, where an honest player would answer `honest`. */
struct allegra_answer card_peeker_choose(const struct allegra_table *table, unsigned seat,
                                         struct allegra_answer honest);

#endif
