/* Bots that wait: none sees a deal twice, and none is taken that is not ready. */

#include "match/bot_pool.h"

#include "game/allegra.h"
#include "base/memory.h"

#include <criterion/criterion.h>
#include <event2/event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

TestSuite(bot_pool);

static struct event_base *base;

static struct pooled_bot *pooled_with(unsigned kind, const char *const *argv)
{
    struct pooled_bot *pooled = pooled_bot_new(kind);
    struct bot_spec spec = {.argv = argv, .label = "bot", .cpu = -1};

    if (base == NULL)
        base = event_base_new();
    pooled->bot = bot_start(base, &spec);
    cr_assert_not_null(pooled->bot);
    return pooled;
}

/* A bot that waits in silence. */
static struct pooled_bot *silent(unsigned kind)
{
    const char *argv[] = {"cat", NULL};

    return pooled_with(kind, argv);
}

static void end(struct pooled_bot *pooled)
{
    bot_free(pooled->bot);
    pooled_bot_free(pooled);
}

static void finish(struct bot_pool *pool)
{
    bot_pool_free(pool);
    event_base_free(base);
    base = NULL;
}

Test(bot_pool, the_deals_of_a_bot_are_kept_in_order_and_once)
{
    struct allegra_dice dice = allegra_dice_from(1);
    struct pooled_bot *pooled = pooled_bot_new(3);
    bool has_seen[200] = {false};
    unsigned count = 0;

    for (unsigned i = 0; i < 500; i++) {
        uint32_t deal = allegra_dice_below(&dice, 200);

        pooled_bot_see(pooled, deal);
        count += !has_seen[deal];
        has_seen[deal] = true;
        cr_assert_eq(pooled->deal_count, count);
        for (unsigned j = 1; j < count; j++)
            cr_assert_lt(pooled->deals[j - 1], pooled->deals[j]);
    }
    pooled_bot_see(pooled, UINT32_MAX);
    cr_assert_eq(pooled->deals[count], UINT32_MAX);
    pooled_bot_free(pooled);
    pooled_bot_free(NULL);
}

Test(bot_pool, a_bot_is_taken_only_for_deals_that_it_has_not_seen)
{
    struct bot_pool *pool = bot_pool_new(10);
    struct pooled_bot *pooled = silent(7);

    for (uint32_t deal = 2; deal <= 20; deal += 2)
        pooled_bot_see(pooled, deal);
    bot_pool_put(pool, pooled);
    for (uint32_t deal = 2; deal <= 20; deal += 2) {
        cr_assert_null(bot_pool_take(pool, 7, deal), "deal %u", deal);
        cr_assert_null(bot_pool_take(pool, 8, deal + 1), "another bot's place");
        cr_assert_eq(bot_pool_count(pool), 1);
        cr_assert_eq(bot_pool_take(pool, 7, deal + 1), pooled, "deal %u", deal + 1);
        cr_assert_eq(bot_pool_count(pool), 0);
        bot_pool_put(pool, pooled);
    }
    finish(pool);
}

Test(bot_pool, the_bot_that_waited_longest_is_taken_first_and_surplus_bots_are_ended)
{
    struct bot_pool *pool = bot_pool_new(3);
    struct pooled_bot *pooled[5];

    for (unsigned i = 0; i < 5; i++) {
        pooled[i] = silent(i % 2);
        bot_pool_put(pool, pooled[i]);
        cr_assert_eq(bot_pool_count(pool), i < 3 ? i + 1 : 3);
    }
    cr_assert_eq(bot_pool_take(pool, 0, 1), pooled[2]);
    cr_assert_eq(bot_pool_take(pool, 1, 1), pooled[3]);
    bot_pool_put(pool, pooled[2]);
    cr_assert_eq(bot_pool_take(pool, 0, 1), pooled[4]);
    cr_assert_eq(bot_pool_take(pool, 0, 1), pooled[2]);
    cr_assert_null(bot_pool_take(pool, 0, 1));
    for (unsigned i = 2; i < 5; i++)
        end(pooled[i]);
    bot_pool_put(pool, silent(9));
    finish(pool);
}

/* Until the process has done what it was started for. */
static void await_trouble(const struct bot *bot)
{
    while (bot_is_ready(bot))
        (void)poll(NULL, 0, 1);
}

static const char *const troubles[][4] = {
    {"true", NULL},
    {"sh", "-c", "kill -9 $$", NULL},
    {"sh", "-c", "echo too early; exec cat", NULL},
    {"sh", "-c", "exec >&-; exec cat", NULL},
    {"/no/such/program", NULL},
};

Test(bot_pool, a_bot_that_is_not_ready_is_ended_and_the_next_one_taken)
{
    for (size_t i = 0; i < ARRAY_LEN(troubles); i++) {
        struct bot_pool *pool = bot_pool_new(10);
        struct pooled_bot *bad = pooled_with(1, troubles[i]);
        struct pooled_bot *good = silent(1);

        await_trouble(bad->bot);
        bot_pool_put(pool, bad);
        bot_pool_put(pool, good);
        cr_assert_eq(bot_pool_take(pool, 1, 1), good, "%zu", i);
        cr_assert_eq(bot_pool_count(pool), 0, "%zu", i);
        end(good);
        bad = pooled_with(1, troubles[i]);
        await_trouble(bad->bot);
        bot_pool_put(pool, bad);
        cr_assert_null(bot_pool_take(pool, 1, 1), "%zu", i);
        /* The end of the list must still be right. */
        bot_pool_put(pool, silent(1));
        cr_assert_eq(bot_pool_count(pool), 1, "%zu", i);
        finish(pool);
    }
}

/* Bots come and go at random, and none ever gets a deal that it had. */
Test(bot_pool, no_bot_sees_a_deal_twice_in_a_long_tournament)
{
    struct allegra_dice dice = allegra_dice_from(5);
    struct bot_pool *pool = bot_pool_new(6);
    struct pooled_bot *out[4] = {NULL};
    unsigned kept = 0;

    for (unsigned i = 0; i < 400; i++) {
        unsigned place = allegra_dice_below(&dice, 4);
        uint32_t deal = i / 8 + allegra_dice_below(&dice, 3);

        if (out[place] != NULL) {
            bot_pool_put(pool, out[place]);
            out[place] = NULL;
            continue;
        }
        out[place] = bot_pool_take(pool, place % 2, deal);
        kept += out[place] != NULL;
        if (out[place] == NULL)
            out[place] = silent(place % 2);
        cr_assert_eq(out[place]->kind, place % 2);
        for (unsigned j = 0; j < out[place]->deal_count; j++)
            cr_assert_neq(out[place]->deals[j], deal);
        pooled_bot_see(out[place], deal);
    }
    cr_assert_gt(kept, 100, "only %u were kept", kept);
    for (unsigned i = 0; i < 4; i++) {
        if (out[i] != NULL)
            end(out[i]);
    }
    finish(pool);
}
