#ifndef REFEREE_CLI_CHECK_FORCED_MOVES_H
#define REFEREE_CLI_CHECK_FORCED_MOVES_H

/* What is decided beforehand in a match of a check. */

#include "match/match.h"

#include <stddef.h>

/* Answers that lead from the deal to a question of one seat; none if there is no such question. */
struct forced_moves {
    struct allegra_answer *answers;
    unsigned *seats;
    size_t count;
    size_t next;             /* to be given */
    unsigned long decisions; /* that they make */
};

/* Plays with random answers until `seat` is asked `question`. Returns 0, or -1 if that never happens. */
int forced_moves_find(struct forced_moves *script, const struct match_setup *setup, unsigned seat,
                      enum allegra_question question);
void forced_moves_free(struct forced_moves *script);

#endif
