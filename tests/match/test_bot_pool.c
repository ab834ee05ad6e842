/* Bots that wait: nobody sees a deal twice, and nobody is given away who is not in order. */

#include "match/stable.h"

#include "base/dice.h"
#include "base/memory.h"

#include <criterion/criterion.h>
#include <event2/event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

TestSuite(stable);

static struct event_base *base;

static struct stall *stall_with(unsigned kind, const char *const *argv)
{
    struct stall *stall = stall_new(kind);
    struct bot_spec spec = {.argv = argv, .label = "bot", .core = -1};

    if (base == NULL)
        base = event_base_new();
    stall->bot = bot_start(base, &spec);
    cr_assert_not_null(stall->bot);
    return stall;
}

/* A bot that waits in silence. */
static struct stall *silent(unsigned kind)
{
    const char *argv[] = {"cat", NULL};

    return stall_with(kind, argv);
}

static void end(struct stall *stall)
{
    bot_free(stall->bot);
    stall_free(stall);
}

static void finish(struct stable *stable)
{
    stable_free(stable);
    event_base_free(base);
    base = NULL;
}

Test(stable, the_deals_of_a_stall_are_kept_in_order_and_once)
{
    struct dice dice = dice_from(1);
    struct stall *stall = stall_new(3);
    bool has_seen[200] = {false};
    unsigned count = 0;

    for (unsigned i = 0; i < 500; i++) {
        uint32_t deal = dice_below(&dice, 200);

        stall_see(stall, deal);
        count += !has_seen[deal];
        has_seen[deal] = true;
        cr_assert_eq(stall->deal_count, count);
        for (unsigned j = 1; j < count; j++)
            cr_assert_lt(stall->deals[j - 1], stall->deals[j]);
    }
    stall_see(stall, UINT32_MAX);
    cr_assert_eq(stall->deals[count], UINT32_MAX);
    stall_free(stall);
    stall_free(NULL);
}

Test(stable, a_bot_is_given_only_for_deals_that_it_has_not_seen)
{
    struct stable *stable = stable_new(10);
    struct stall *stall = silent(7);

    for (uint32_t deal = 2; deal <= 20; deal += 2)
        stall_see(stall, deal);
    stable_put(stable, stall);
    for (uint32_t deal = 2; deal <= 20; deal += 2) {
        cr_assert_null(stable_take(stable, 7, deal), "deal %u", deal);
        cr_assert_null(stable_take(stable, 8, deal + 1), "another bot's place");
        cr_assert_eq(stable_count(stable), 1);
        cr_assert_eq(stable_take(stable, 7, deal + 1), stall, "deal %u", deal + 1);
        cr_assert_eq(stable_count(stable), 0);
        stable_put(stable, stall);
    }
    finish(stable);
}

Test(stable, who_waited_longest_goes_first_and_too_many_are_ended)
{
    struct stable *stable = stable_new(3);
    struct stall *stalls[5];

    for (unsigned i = 0; i < 5; i++) {
        stalls[i] = silent(i % 2);
        stable_put(stable, stalls[i]);
        cr_assert_eq(stable_count(stable), i < 3 ? i + 1 : 3);
    }
    cr_assert_eq(stable_take(stable, 0, 1), stalls[2]);
    cr_assert_eq(stable_take(stable, 1, 1), stalls[3]);
    stable_put(stable, stalls[2]);
    cr_assert_eq(stable_take(stable, 0, 1), stalls[4]);
    cr_assert_eq(stable_take(stable, 0, 1), stalls[2]);
    cr_assert_null(stable_take(stable, 0, 1));
    for (unsigned i = 2; i < 5; i++)
        end(stalls[i]);
    stable_put(stable, silent(9));
    finish(stable);
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

Test(stable, who_is_not_in_order_is_ended_and_the_next_one_given)
{
    for (size_t i = 0; i < ARRAY_LEN(troubles); i++) {
        struct stable *stable = stable_new(10);
        struct stall *bad = stall_with(1, troubles[i]);
        struct stall *good = silent(1);

        await_trouble(bad->bot);
        stable_put(stable, bad);
        stable_put(stable, good);
        cr_assert_eq(stable_take(stable, 1, 1), good, "%zu", i);
        cr_assert_eq(stable_count(stable), 0, "%zu", i);
        end(good);
        bad = stall_with(1, troubles[i]);
        await_trouble(bad->bot);
        stable_put(stable, bad);
        cr_assert_null(stable_take(stable, 1, 1), "%zu", i);
        /* The end of the list must still be right. */
        stable_put(stable, silent(1));
        cr_assert_eq(stable_count(stable), 1, "%zu", i);
        finish(stable);
    }
}

/* Bots come and go at random, and nobody ever gets a deal that it had. */
Test(stable, nobody_sees_a_deal_twice_in_a_long_tournament)
{
    struct dice dice = dice_from(5);
    struct stable *stable = stable_new(6);
    struct stall *out[4] = {NULL};
    unsigned kept = 0;

    for (unsigned i = 0; i < 400; i++) {
        unsigned place = dice_below(&dice, 4);
        uint32_t deal = i / 8 + dice_below(&dice, 3);

        if (out[place] != NULL) {
            stable_put(stable, out[place]);
            out[place] = NULL;
            continue;
        }
        out[place] = stable_take(stable, place % 2, deal);
        kept += out[place] != NULL;
        if (out[place] == NULL)
            out[place] = silent(place % 2);
        cr_assert_eq(out[place]->kind, place % 2);
        for (unsigned j = 0; j < out[place]->deal_count; j++)
            cr_assert_neq(out[place]->deals[j], deal);
        stall_see(out[place], deal);
    }
    cr_assert_gt(kept, 100, "only %u were kept", kept);
    for (unsigned i = 0; i < 4; i++) {
        if (out[i] != NULL)
            end(out[i]);
    }
    finish(stable);
}
