#ifndef REFEREE_GAME_SCORE_H
#define REFEREE_GAME_SCORE_H

/* What a round is worth. */

#include "game/table.h"

/* The score of a display from which everything was cleared. */
#define ALLEGRA_SCORE_EMPTY (-10)

/* The most rounds that a match with a score limit can have. */
#define ALLEGRA_SCORE_ROUNDS_MAX 100

/* Whether the trigger failed: somebody else has as few points as he, or fewer. */
bool allegra_score_has_failed(const int *raw, unsigned seats, unsigned trigger);

/* Adds points, given in half points: "12", "-1.5". */
void score_write(struct text *text, long halves);

/* What `raw` points count, in half points. */
int allegra_score_halves(const struct allegra_rules *rules, int raw, bool has_failed);

/* The seats with the lowest total, as a mask. */
unsigned allegra_score_winners(const struct allegra_table *table);

#endif
