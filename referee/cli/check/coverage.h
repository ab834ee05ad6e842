#ifndef REFEREE_CLI_CHECK_COVERAGE_H
#define REFEREE_CLI_CHECK_COVERAGE_H

/* The situations that a bot has met in a check. */

#include "game/allegra.h"

#include <stdbool.h>

/* What a bot should meet at least once. The questions come first, by their own numbers. */
enum coverage_need {
    COVERAGE_FIRST = ALLEGRA_QUESTION_REVEAL,
    COVERAGE_REFUSABLE = ALLEGRA_QUESTION_COUNT, /* asked to clear a triple that it may leave */
    COVERAGE_CHOICE,                             /* asked which of several triples it clears */
    COVERAGE_BIDDING,                            /* a second bidding round */
    COVERAGE_PRIVATE,                            /* a hand card that it may not see */
    COVERAGE_RESHUFFLE,
    COVERAGE_FINAL,
    COVERAGE_ROUND,     /* a second round */
    COVERAGE_DISMISSED, /* another bot was dismissed */
    COVERAGE_COUNT,
};

struct coverage {
    unsigned long needs[COVERAGE_COUNT]; /* so many questions answered */
    unsigned editions;                   /* masks */
    unsigned sizes;
};

/* A label for lists; NULL for ALLEGRA_QUESTION_NONE. */
const char *coverage_need_text(enum coverage_need need);

/* The seat has answered the question that is open at the table. */
void coverage_add(struct coverage *coverage, const struct allegra_table *table, unsigned seat,
                  bool is_one_dismissed);
bool coverage_is_complete(const struct coverage *coverage);

#endif
