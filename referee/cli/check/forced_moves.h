#ifndef REFEREE_CLI_CHECK_SCRIPT_H
#define REFEREE_CLI_CHECK_SCRIPT_H

/* What is decided beforehand in a match of a check. */

#include "match/match.h"

#include <stddef.h>

/* Answers that lead from the deal to a question of one seat; none if there is no such question. */
struct check_script {
    struct answer *answers;
    unsigned *seats;
    size_t count;
    size_t next;             /* to be given */
    unsigned long decisions; /* that they make */
};

/* Plays with random answers until `seat` is asked `question`. Returns 0, or -1 if that never happens. */
int check_script_find(struct check_script *script, const struct match_setup *setup, unsigned seat,
                      enum question question);
void check_script_free(struct check_script *script);

#endif
