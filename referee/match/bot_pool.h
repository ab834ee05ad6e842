#ifndef REFEREE_MATCH_BOT_POOL_H
#define REFEREE_MATCH_BOT_POOL_H

/* Bots that wait for their next match. No bot may see a deal twice: a process that has seen one
 * match of a deal is never given out for another match of it. */

#include "bot/bot.h"
#include "wire/bot_line.h"

#include <stdint.h>

struct bot_pool;

/* What stays with a process from match to match. */
struct pooled_bot {
    struct bot *bot;
    struct bot_line_hello hello;
    uint64_t asked;  /* questions so far */
    unsigned kind;   /* which bot it is: a number of the caller's */
    uint32_t *deals; /* that it has seen, ascending */
    unsigned deal_count;
    struct pooled_bot *next;
};

struct pooled_bot *pooled_bot_new(unsigned kind);

/* Frees it, but does not end its bot. NULL is fine. */
void pooled_bot_free(struct pooled_bot *pooled);

/* The bot has seen that deal. */
void pooled_bot_see(struct pooled_bot *pooled, uint32_t deal);

/* Keeps at most `most` bots; the one that has waited longest is ended for a new one. */
struct bot_pool *bot_pool_new(unsigned most);

/* Ends all bots that wait. NULL is fine. */
void bot_pool_free(struct bot_pool *pool);

/* Hands over a bot of that kind that has not seen `deal` and is ready to play; NULL if there is
 * none. */
struct pooled_bot *bot_pool_take(struct bot_pool *pool, unsigned kind, uint32_t deal);

/* Takes a bot. */
void bot_pool_put(struct bot_pool *pool, struct pooled_bot *pooled);

/* How many bots wait. */
unsigned bot_pool_count(const struct bot_pool *pool);

#endif
