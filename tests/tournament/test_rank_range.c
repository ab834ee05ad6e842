#include "tournament/stats/rank_range.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

TestSuite(rank_range);

/* Matches of two bots; the first of each pair wins, except that every `upset`th match the second
 * does. Each match is a block. */
struct duel {
    uint16_t winner;
    uint16_t loser;
    unsigned matches;
    unsigned upset; /* 0: never */
};

static struct ratings *rate(const struct duel *duels, size_t count, unsigned bots)
{
    struct result results[400];
    struct rating_input input = {.results = results, .bots = bots, .seed = 1};

    for (size_t i = 0; i < count; i++)
        for (unsigned match = 0; match < duels[i].matches; match++) {
            bool is_upset = duels[i].upset > 0 && match % duels[i].upset == 0;

            results[input.count] = (struct result){
                .block = (uint32_t)input.count + 1,
                .seats = 2,
                .rounds = 1,
                .bots = {duels[i].winner, duels[i].loser},
                .places = {is_upset ? 2 : 1, is_upset ? 1 : 2},
            };
            input.count++;
        }
    return ratings_new(&input);
}

static void assert_ranges(struct ratings *ratings, const struct rank_range *expected)
{
    struct rank_range *ranges = rank_ranges_new(ratings);

    for (unsigned bot = 0; bot < ratings->bots; bot++) {
        cr_expect_eq(ranges[bot].best, expected[bot].best, "bot %u: %u", bot, ranges[bot].best);
        cr_expect_eq(ranges[bot].worst, expected[bot].worst, "bot %u: %u", bot, ranges[bot].worst);
    }
    free(ranges);
    ratings_free(ratings);
}

/* The 95 % points of the studentised range with infinitely many degrees of freedom, as tables have
 * them. */
Test(rank_range, the_largest_difference_of_normal_numbers_is_that_of_the_tables)
{
    static const struct {
        unsigned numbers;
        double range;
    } rows[] = {{2, 2.772}, {3, 3.314}, {4, 3.633}, {8, 4.286}, {10, 4.474}, {20, 5.012}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        cr_expect_float_eq(rank_range_least(rows[i].numbers), rows[i].range / sqrt(2), 0.0015,
                           "%u: %.4f", rows[i].numbers, rank_range_least(rows[i].numbers));
    cr_expect_eq(rank_range_least(1), 0);
    cr_expect(isfinite(rank_range_least(4096)));
}

Test(rank_range, begins_behind_bots_that_are_surely_better_and_ends_before_those_surely_worse)
{
    static const struct duel duels[] = {{0, 1, 60, 6}, {1, 2, 60, 2}, {0, 2, 60, 6}};
    static const struct rank_range expected[] = {{1, 1}, {2, 3}, {2, 3}};

    assert_ranges(rate(duels, ARRAY_LEN(duels), 3), expected);
}

/* In each part one bot wins 15 of 16: by the numbers bot 0 would be far ahead of bot 3. */
Test(rank_range, tells_nothing_about_bots_that_never_met_not_even_through_others)
{
    static const struct duel duels[] = {{0, 1, 64, 16}, {2, 3, 64, 16}};
    static const struct rank_range expected[] = {{1, 3}, {2, 4}, {1, 3}, {2, 4}, {0, 0}};

    assert_ranges(rate(duels, ARRAY_LEN(duels), 5), expected);
}

Test(rank_range, of_a_bot_that_won_everything_is_known_if_it_played_enough)
{
    static const struct duel often[] = {{0, 1, 40, 0}, {0, 2, 40, 0}, {1, 2, 40, 2}};
    static const struct duel seldom[] = {{0, 1, 1, 0}, {0, 2, 1, 0}, {1, 2, 40, 2}};
    static const struct rank_range known[] = {{1, 1}, {2, 3}, {2, 3}};
    static const struct rank_range unknown[] = {{1, 3}, {1, 3}, {1, 3}};

    assert_ranges(rate(often, ARRAY_LEN(often), 3), known);
    assert_ranges(rate(seldom, ARRAY_LEN(seldom), 3), unknown);
}

Test(rank_range, of_next_to_nothing_is_everything)
{
    static const struct duel one[] = {{0, 1, 1, 0}};
    static const struct rank_range both[] = {{1, 2}, {1, 2}};
    static const struct rank_range nothing[] = {{0, 0}, {0, 0}};

    assert_ranges(rate(one, 1, 2), both);
    assert_ranges(rate(one, 0, 2), nothing);
    assert_ranges(rate(one, 0, 0), nothing);
}
