#ifndef TESTS_SUPPORT_RANDOM_PLAY_H
#define TESTS_SUPPORT_RANDOM_PLAY_H

/* Random rules, tables and players, chosen so that rare cases happen often. */

#include "game/allegra.h"

/* How a player plays, in percent; the rest is random. */
struct play_style {
    unsigned knocks;
    unsigned accepts;
    unsigned clears;
    unsigned collects; /* puts cards next to equal ones */
};

struct play_style random_play_style(struct allegra_dice *dice);

/* Rules under which a match ends soon, with enough cards for that many seats: an edition with
 * changed length only, or any value for any key. */
struct allegra_rules random_rules(struct allegra_dice *dice, unsigned seats);

/* Starts a match of 2 to 6 seats with random rules. */
void random_start(struct allegra_table *table, struct allegra_dice *dice);

/* Creates a table late in a round: few cards, many of them equal, and a player about to draw. The
 * deck is complete. */
void random_late_table(struct allegra_table *table, struct allegra_dice *dice);

/* Chooses an answer from a list that is not empty. */
struct allegra_answer random_answer(const struct allegra_table *table, unsigned seat,
                                    const struct allegra_legal *legal,
                                    const struct play_style *style, struct allegra_dice *dice);

/* Chooses one of the asked seats. */
unsigned random_asked(const struct allegra_table *table, struct allegra_dice *dice);

#endif
