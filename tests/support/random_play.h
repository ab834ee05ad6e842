#ifndef TESTS_SUPPORT_RANDOM_PLAY_H
#define TESTS_SUPPORT_RANDOM_PLAY_H

/* Random rules, random tables and random players, made so that rare things happen often. */

#include "game/allegra.h"

/* How somebody plays, in percent; the rest is left to chance. */
struct temper {
    unsigned knocks;
    unsigned accepts;
    unsigned clears;
    unsigned collects; /* puts a card next to equal ones */
};

struct temper random_temper(struct allegra_dice *dice);

/* Rules under which a match ends soon, with cards enough for that many seats: an edition as it is
 * but for its length, or any value for any key. */
struct allegra_rules random_rules(struct allegra_dice *dice, unsigned seats);

/* Starts a match of 2 to 6 seats by random rules. */
void random_start(struct allegra_table *table, struct allegra_dice *dice);

/* Makes up a table late in a round: few cards, many of them alike, somebody about to draw. All cards
 * of the deck are there. */
void random_late(struct allegra_table *table, struct allegra_dice *dice);

/* An answer from a list that is not empty. */
struct allegra_answer random_answer(const struct allegra_table *table, unsigned seat,
                                    const struct allegra_legal *legal, const struct temper *temper,
                                    struct allegra_dice *dice);

/* One of the seats that are asked. */
unsigned random_asked(const struct allegra_table *table, struct allegra_dice *dice);

#endif
