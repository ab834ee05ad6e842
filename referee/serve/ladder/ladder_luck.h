#ifndef REFEREE_SERVE_LADDER_LADDER_LUCK_H
#define REFEREE_SERVE_LADDER_LADDER_LUCK_H

/* Whether a version in a ladder knows the cards: the test of peek.h over all its tables. One table
 * has too few matches to tell. It is made where the ratings are made, in a process of its own,
 * which prints one line per version. */

#include "base/text.h"
#include "serve/ladder/ladder_results.h"
#include "tournament/stats/peek.h"

#include <stdio.h>

/* Enough for a version that has much luck in each of its matches. */
#define LADDER_LUCK_LINE_MAX 400

/* A match that speaks against a version. */
struct ladder_luck_match {
    unsigned job, block, rotation; /* the block of the job, from 1; the rotation from 0 */
    double gain;                   /* points; above 0 is good luck */
};

/* The luck of a version's choices: as in struct peek, of the matches that were measured in the same
 * way. */
struct ladder_luck {
    char version[LADDER_VERSION_MAX]; /* "NAME@VERSION" */
    unsigned matches;                 /* if 0, all that follows is 0 */
    double gain, spread, allowed;
    double one_in; /* ladders */
    bool is_suspicious;
    struct ladder_luck_match best[PEEK_MATCHES]; /* if it is suspicious */
    unsigned best_count;
};

/* Tests all versions whose luck was measured, and prints one line each, which ladder_luck_read()
 * reads. */
void ladder_luck_print(FILE *file, const struct ladder_results *results);

/* Writes one such line, without its end. */
void ladder_luck_write(struct text *text, const struct ladder_luck *luck);

/* Returns 0, or -1 if it is not such a line. */
int ladder_luck_read(struct ladder_luck *luck, const char *line);

/* The luck of that version; with no matches if it is not in the list. */
struct ladder_luck ladder_luck_find(const struct ladder_luck *list, unsigned count,
                                    const char *version);

#endif
