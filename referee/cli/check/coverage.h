#ifndef REFEREE_CLI_CHECK_COVERAGE_H
#define REFEREE_CLI_CHECK_COVERAGE_H

/* What a bot has met in a check so far. */

#include "game/table.h"

#include <stdbool.h>

/* What a bot should have met once. The questions come first, by their own numbers. */
enum check_need {
    NEED_FIRST = QUESTION_REVEAL,
    NEED_REFUSABLE = QUESTION_COUNT, /* asked to clear what it may leave */
    NEED_CHOICE,                     /* asked which of several triples it clears */
    NEED_BIDDING,                    /* a second bidding round */
    NEED_PRIVATE,                    /* a hand card that it may not see */
    NEED_RESHUFFLE,
    NEED_FINAL,
    NEED_ROUND,     /* a second round */
    NEED_DISMISSED, /* somebody else was dismissed */
    NEED_COUNT,
};

struct check_coverage {
    unsigned long needs[NEED_COUNT]; /* questions that it answered so */
    unsigned editions;               /* masks */
    unsigned sizes;
};

/* A few words for a list; NULL for QUESTION_NONE, which nobody needs. */
const char *check_need_words(enum check_need need);

/* The seat has answered the question that is open at the table. */
void check_cover(struct check_coverage *coverage, const struct table *table, unsigned seat,
                 bool is_one_dismissed);
bool check_is_covered(const struct check_coverage *coverage);

#endif
