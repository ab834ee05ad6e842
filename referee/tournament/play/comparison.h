#ifndef REFEREE_TOURNAMENT_PLAY_COMPARISON_H
#define REFEREE_TOURNAMENT_PLAY_COMPARISON_H

/* NEW against OLD on the same deals: the block source of `referee compare`.
 *
 * Without a field the two play each other, every deal from both seats. With a field each deal is
 * played by NEW and the field, and again by OLD and the field, from every seat: so their scores
 * come from the same cards and the same opponents. */

#include "tournament/play/coordinator.h"
#include "tournament/stats/sprt.h"
#include "tournament/store/store.h"

#define COMPARISON_NEW 0 /* the number of the bot in the store; the field starts at 2 */
#define COMPARISON_OLD 1
#define COMPARISON_FIELD_MAX (ALLEGRA_SEATS_MAX - 1)

struct comparison;

/* `store` has the bots, and is lent. `on_counted` is called whenever a block has been counted. */
struct comparison *comparison_new(const struct store *store, const struct sprt_setup *setup,
                                  void (*on_counted)(void *context), void *context);
void comparison_free(struct comparison *comparison);

struct block_source comparison_source(struct comparison *comparison);

/* What is known so far, from all blocks up to the first that is not decided. */
struct sprt_view comparison_look(const struct comparison *comparison);

/* Faults of NEW and of OLD in the blocks that were counted, and how many matches those were. */
unsigned comparison_faults(const struct comparison *comparison, unsigned bot);
unsigned long comparison_matches(const struct comparison *comparison);

#endif
