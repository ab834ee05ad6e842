#ifndef REFEREE_CLI_PLAY_TYPED_ANSWER_H
#define REFEREE_CLI_PLAY_TYPED_ANSWER_H

/* An answer as a person types it. */

#include "base/text.h"
#include "game/allegra.h"

/* Reads the number of an answer in the list, or the answer itself in capitals or small letters.
 * What follows from the list may be left out: the verb before a cell, the seat before a cell or
 * after `accept`; cells of a triple come in any order. An answer that is written out may still be
 * illegal. Returns 0, or -1 with one sentence in `problem`. */
int typed_answer_read(struct span line, const struct allegra_legal *legal,
                      struct allegra_answer *answer, struct text *problem);

#endif
