#ifndef REFEREE_TOURNAMENT_DUEL_H
#define REFEREE_TOURNAMENT_DUEL_H

/* NEW against OLD on the same deals: the programme of `referee compare`.
 *
 * Without a field the two play each other, every deal from both seats. With a field each deal is played
 * by NEW and the field, and then again by OLD and the field, from every seat: so their scores come from
 * the same cards and the same opponents. */

#include "tournament/director.h"
#include "tournament/sequential.h"
#include "tournament/store.h"

#define DUEL_NEW 0 /* the number of the bot in the store; the field begins at 2 */
#define DUEL_OLD 1
#define DUEL_FIELD_MAX (RULES_SEATS_MAX - 1)

struct duel;

/* `store` has the bots, and is lent. `on_step` is called whenever a block has been counted. */
struct duel *duel_new(const struct store *store, const struct sequential_setup *setup,
                      void (*on_step)(void *context), void *context);
void duel_free(struct duel *duel);

struct programme duel_programme(struct duel *duel);

/* What is known by now: of all blocks up to the first that is not decided. */
struct sequential_view duel_look(const struct duel *duel);

/* Faults of NEW and of OLD in the blocks that were counted, and how many matches those were. */
unsigned duel_faults(const struct duel *duel, unsigned bot);
unsigned long duel_matches(const struct duel *duel);

#endif
