#ifndef REFEREE_CLI_CHECK_FORCED_MOVES_H
#define REFEREE_CLI_CHECK_FORCED_MOVES_H

/* Answers that are given before the bot of a check is asked. */

#include "match/match.h"

#include <stddef.h>

/* Answers that lead from the deal to a question for one seat. */
struct forced_moves {
    struct allegra_answer *answers;
    unsigned *seats;
    size_t count;
    size_t next;             /* the next one to give */
    unsigned long decisions; /* that they make */
};

/* Plays with random answers until `seat` is asked `question`. Returns 0, or -1 if it never is. */
int forced_moves_find(struct forced_moves *forced, const struct match_setup *setup, unsigned seat,
                      enum allegra_question question);
void forced_moves_free(struct forced_moves *forced);

#endif
