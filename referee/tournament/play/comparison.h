#ifndef REFEREE_TOURNAMENT_PLAY_COMPARISON_H
#define REFEREE_TOURNAMENT_PLAY_COMPARISON_H

/* NEW against OLD on the same deals: the block source of `referee compare`.
 *
 * Without a field the two play each other, every deal from both seats. With a field each deal is
 * played by NEW and the field, and again by OLD and the field, from every seat: so their scores
 * come from the same cards and the same opponents. */

#include "tournament/play/coordinator.h"
#include "tournament/stats/difference_test.h"
#include "tournament/store/store.h"

#define COMPARISON_NEW 0 /* the number of the bot in the store; the field starts at 2 */
#define COMPARISON_OLD 1
#define COMPARISON_FIELD 2
#define COMPARISON_FIELD_MAX (ALLEGRA_SEATS_MAX - 1)
#define COMPARISON_BLOCKS_MAX 1000000

struct comparison;

/* By which score NEW and OLD are compared. Each has a test of its own, and one of them decides. */
enum comparison_score {
    COMPARISON_RAW,      /* the points of the match */
    COMPARISON_ADJUSTED, /* without what the cards gave: the same mean, and less chance in it */
    COMPARISON_SCORE_COUNT,
};

struct comparison_setup {
    struct difference_test_setup test;
    enum comparison_score decider;
};

/* Whether a store has so many bots, and results of such a comparison only. Returns 0, or -1 with
 * one sentence. */
int comparison_check(const struct store *store, unsigned bots, struct text *problem);

/* `store` has the bots, and is lent. `on_counted` is called whenever a block has been counted. */
struct comparison *comparison_new(const struct store *store, const struct comparison_setup *setup,
                                  void (*on_counted)(void *context), void *context);
void comparison_free(struct comparison *comparison);

struct block_source comparison_source(struct comparison *comparison);

/* Whether it has ended, with a verdict or after as many blocks as were allowed; and whether with
 * "better", "worse" or "equal". */
bool comparison_is_over(const struct comparison *comparison);
bool comparison_is_decided(const struct comparison *comparison);

/* What is known so far, from all blocks up to the first that is not decided: by the score that
 * decides, or by any. */
struct difference_test_view comparison_look(const struct comparison *comparison);
struct difference_test_view comparison_look_at(const struct comparison *comparison,
                                               enum comparison_score score);

/* Whether scores that are adjusted for luck decide. */
bool comparison_is_adjusted(const struct comparison *comparison);

/* Faults of NEW, of OLD and of all bots of the field together, in the blocks that were counted; and
 * how many matches those were. */
unsigned comparison_faults(const struct comparison *comparison, unsigned bot);
unsigned long comparison_matches(const struct comparison *comparison);

/* About how many more matches a verdict needs; 0 with a verdict. */
double comparison_matches_needed(const struct comparison *comparison);

#endif
