#ifndef REFEREE_GAME_GAME_TEXT_H
#define REFEREE_GAME_GAME_TEXT_H

/* Cards, cells, questions, answers and scores as text, for the referee. allegra.h has the same for
 * C strings. A reader takes all of `span`, and returns 0, or -1 and leaves its target unchanged. */

#include "base/text.h"
#include "game/allegra.h"

/* "-1" to "11" */
void card_write(struct text *text, int card);
int card_read(struct span span, int8_t *card);

/* "A1" to "E3"; nothing if there is no such cell. */
void cell_write(struct text *text, unsigned cell);
int cell_read(struct span span, unsigned *cell);

int question_read(struct span span, enum allegra_question *question);

/* "keep B3", "take 2:A1", "clear A1 C1 E1"; nothing if the verb is unknown. The words are separated
 * by exactly one space. An answer that is read may still be illegal. */
void answer_write(struct text *text, struct allegra_answer answer);
int answer_read(struct span span, struct allegra_answer *answer);

/* Points, given in half points: "12", "-1.5" */
void score_write(struct text *text, long halves);

#endif
