#ifndef REFEREE_CLI_CHECK_COVERAGE_H
#define REFEREE_CLI_CHECK_COVERAGE_H

/* What a bot has met in a check so far. */

#include "game/table.h"

#include <stdbool.h>

/* What a bot should have met once. The questions come first, by their own numbers. */
enum coverage_need {
    COVERAGE_FIRST = ALLEGRA_QUESTION_REVEAL,
    COVERAGE_REFUSABLE = ALLEGRA_QUESTION_COUNT, /* asked to clear what it may leave */
    COVERAGE_CHOICE,                             /* asked which of several triples it clears */
    COVERAGE_BIDDING,                            /* a second bidding round */
    COVERAGE_PRIVATE,                            /* a hand card that it may not see */
    COVERAGE_RESHUFFLE,
    COVERAGE_FINAL,
    COVERAGE_ROUND,     /* a second round */
    COVERAGE_DISMISSED, /* somebody else was dismissed */
    COVERAGE_COUNT,
};

struct coverage {
    unsigned long needs[COVERAGE_COUNT]; /* questions that it answered so */
    unsigned editions;                   /* masks */
    unsigned sizes;
};

/* A few words for a list; NULL for ALLEGRA_QUESTION_NONE, which nobody needs. */
const char *coverage_need_text(enum coverage_need need);

/* The seat has answered the question that is open at the table. */
void coverage_add(struct coverage *coverage, const struct allegra_table *table, unsigned seat,
                  bool is_one_dismissed);
bool coverage_is_complete(const struct coverage *coverage);

#endif
