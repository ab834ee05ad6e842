#ifndef TESTS_SUPPORT_RANDOM_PLAY_H
#define TESTS_SUPPORT_RANDOM_PLAY_H

/* Random rules, random tables and random players, made so that rare things happen often. */

#include "game/game.h"

/* How somebody plays, in percent; the rest is left to chance. */
struct temper {
    unsigned knocks;
    unsigned accepts;
    unsigned clears;
    unsigned collects; /* puts a card next to equal ones */
};

struct temper random_temper(struct dice *dice);

/* Rules under which a match ends soon, with cards enough for that many seats: an edition as it is
 * but for its length, or any value for any key. */
struct rules random_rules(struct dice *dice, unsigned seats);

/* Starts a match of 2 to 6 seats by random rules. */
void random_start(struct table *table, struct dice *dice);

/* Makes up a table late in a round: few cards, many of them alike, somebody about to draw. All cards
 * of the deck are there. */
void random_late(struct table *table, struct dice *dice);

/* An answer from a list that is not empty. */
struct answer random_answer(const struct table *table, unsigned seat, const struct legal *legal,
                            const struct temper *temper, struct dice *dice);

/* One of the seats that are asked. */
unsigned random_asked(const struct table *table, struct dice *dice);

#endif
