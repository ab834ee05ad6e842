/* The pool is a list, the bot that has waited longest first.
 *
 * The output of a waiting bot is not read, and its end is not noticed: it is looked at when it is
 * taken, and if anything is wrong then, it is ended without a fault. */

#include "match/bot_pool.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct bot_pool {
    struct pooled_bot *first;
    struct pooled_bot **end; /* where the next one is linked in */
    unsigned count;
    unsigned most;
};

struct pooled_bot *pooled_bot_new(unsigned kind)
{
    struct pooled_bot *pooled = xcalloc(1, sizeof *pooled);

    pooled->kind = kind;
    return pooled;
}

void pooled_bot_free(struct pooled_bot *pooled)
{
    if (pooled == NULL)
        return;
    free(pooled->deals);
    free(pooled);
}

static void end_bot(struct pooled_bot *pooled)
{
    bot_free(pooled->bot);
    pooled_bot_free(pooled);
}

/* Where a deal is in the list, or belongs. Deals mostly come in ascending order. */
static unsigned find_deal(const struct pooled_bot *pooled, uint32_t deal)
{
    unsigned low = 0;
    unsigned high = pooled->deal_count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (pooled->deals[middle] < deal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_seen(const struct pooled_bot *pooled, uint32_t deal)
{
    unsigned at = find_deal(pooled, deal);

    return at < pooled->deal_count && pooled->deals[at] == deal;
}

void pooled_bot_see(struct pooled_bot *pooled, uint32_t deal)
{
    unsigned at = find_deal(pooled, deal);

    if (has_seen(pooled, deal))
        return;
    pooled->deals = xrealloc(pooled->deals, (pooled->deal_count + 1) * sizeof *pooled->deals);
    memmove(pooled->deals + at + 1, pooled->deals + at,
            (pooled->deal_count - at) * sizeof *pooled->deals);
    pooled->deals[at] = deal;
    pooled->deal_count++;
}

struct bot_pool *bot_pool_new(unsigned most)
{
    struct bot_pool *pool = xcalloc(1, sizeof *pool);

    pool->end = &pool->first;
    pool->most = most;
    return pool;
}

static struct pooled_bot *cut_out(struct bot_pool *pool, struct pooled_bot **link)
{
    struct pooled_bot *pooled = *link;

    *link = pooled->next;
    if (pooled->next == NULL)
        pool->end = link;
    pooled->next = NULL;
    pool->count--;
    return pooled;
}

void bot_pool_free(struct bot_pool *pool)
{
    if (pool == NULL)
        return;
    while (pool->first != NULL)
        end_bot(cut_out(pool, &pool->first));
    free(pool);
}

struct pooled_bot *bot_pool_take(struct bot_pool *pool, unsigned kind, uint32_t deal)
{
    struct pooled_bot **link = &pool->first;

    while (*link != NULL) {
        struct pooled_bot *pooled = *link;

        if (pooled->kind != kind || has_seen(pooled, deal)) {
            link = &pooled->next;
            continue;
        }
        cut_out(pool, link);
        if (bot_is_ready(pooled->bot)) {
            bot_forget_stderr(pooled->bot);
            return pooled;
        }
        end_bot(pooled);
    }
    return NULL;
}

void bot_pool_put(struct bot_pool *pool, struct pooled_bot *pooled)
{
    pooled->next = NULL;
    *pool->end = pooled;
    pool->end = &pooled->next;
    pool->count++;
    if (pool->count > pool->most)
        end_bot(cut_out(pool, &pool->first));
}

unsigned bot_pool_count(const struct bot_pool *pool)
{
    return pool->count;
}
