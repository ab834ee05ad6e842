/* The test for bots that know the cards, on matches whose luck was measured. */

#include "tournament/stats/peek.h"

#include "base/memory.h"
#include "support/effort.h"
#include "support/luck_match.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BOTS 4
#define MATCHES 20
#define CHEAT 2

TestSuite(peek, .timeout = 300);

/* Bot by bot, each match one seat further. */
static struct result *play(enum allegra_edition edition, const enum luck_player players[BOTS],
                           uint64_t seed)
{
    struct allegra_rules rules = allegra_rules_of_edition(edition);
    struct allegra_dice dice = allegra_dice_from(seed);
    struct result *results = xcalloc(MATCHES, sizeof *results);

    rules.rounds = 1;
    for (unsigned i = 0; i < MATCHES; i++) {
        enum luck_player seated[BOTS];

        results[i] = (struct result){.block = i + 1, .seats = BOTS};
        for (unsigned seat = 0; seat < BOTS; seat++) {
            results[i].bots[seat] = (uint16_t)((seat + i) % BOTS);
            seated[seat] = players[results[i].bots[seat]];
        }
        luck_match_play(&results[i], &rules, seated, &dice);
    }
    return results;
}

/* A result in which each bot gains so much by its choices. */
static struct result made_up(unsigned block, unsigned rotation, const double gains[BOTS])
{
    struct result result = {.block = block,
                            .rotation = (uint16_t)rotation,
                            .seats = BOTS,
                            .rounds = 1,
                            .has_luck = true};

    for (unsigned seat = 0; seat < BOTS; seat++) {
        result.bots[seat] = (uint16_t)seat;
        result.luck[seat].choice = (int32_t)(-1000 * gains[seat]);
        result.luck[seat].choice_spread = 100 * 1000;
    }
    return result;
}

Test(peek, a_bot_that_knows_the_cards_is_caught_within_20_matches_and_no_other_is)
{
    static const enum luck_player players[BOTS] = {LUCK_PLAYER_SWIFT, LUCK_PLAYER_SWIFT,
                                                   LUCK_PLAYER_PEEKING, LUCK_PLAYER_RANDOM};
    static const enum allegra_edition editions[] = {ALLEGRA_EDITION_DE2026, ALLEGRA_EDITION_EN2020};

    for (size_t i = 0; i < sizeof editions / sizeof *editions; i++) {
        struct result *results = play(editions[i], players, 1 + i);
        struct peek peeks[BOTS];

        peek_measure(results, MATCHES, BOTS, peeks);
        for (unsigned bot = 0; bot < BOTS; bot++)
            cr_assert(peeks[bot].is_suspicious == (bot == CHEAT), "bot %u: one in %g", bot,
                      peeks[bot].one_in);
        cr_assert(peeks[CHEAT].gain > peeks[CHEAT].allowed);
        cr_assert(peeks[CHEAT].best_count == PEEK_MATCHES);
        free(results);
    }
}

/* `make bench ONLY=peek` plays 1000 of them. Half of them have bots that play as nobody would. */
Test(peek, no_honest_bot_is_suspected)
{
    static const enum luck_player fields[][BOTS] = {
        {LUCK_PLAYER_SWIFT, LUCK_PLAYER_SWIFT, LUCK_PLAYER_RANDOM, LUCK_PLAYER_SWIFT},
        {LUCK_PLAYER_FIRST, LUCK_PLAYER_LAST, LUCK_PLAYER_RANDOM, LUCK_PLAYER_SWIFT},
    };
    unsigned tournaments = effort(6);

    for (unsigned i = 0; i < tournaments; i++) {
        struct result *results = play(ALLEGRA_EDITION_DE2026, fields[i % 2], 100 + i);
        struct peek peeks[BOTS];

        peek_measure(results, MATCHES, BOTS, peeks);
        for (unsigned bot = 0; bot < BOTS; bot++)
            cr_assert(!peeks[bot].is_suspicious, "tournament %u, bot %u: one in %g", i, bot,
                      peeks[bot].one_in);
        free(results);
    }
}

Test(peek, the_allowed_gain_is_where_suspicion_starts)
{
    static const unsigned counts[] = {1, 5, 40, 400};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct result *results = xcalloc(counts[i], sizeof *results);
        struct peek peeks[BOTS];
        double gains[BOTS] = {0};

        for (unsigned match = 0; match < counts[i]; match++)
            results[match] = made_up(match + 1, 0, gains);
        peek_measure(results, counts[i], BOTS, peeks);
        cr_assert(!peeks[0].is_suspicious && peeks[0].one_in == 1);
        gains[0] = peeks[0].allowed + 0.01;
        gains[1] = peeks[0].allowed - 0.01;
        for (unsigned match = 0; match < counts[i]; match++)
            results[match] = made_up(match + 1, 0, gains);
        peek_measure(results, counts[i], BOTS, peeks);
        cr_assert(peeks[0].is_suspicious && !peeks[1].is_suspicious, "%u matches", counts[i]);
        free(results);
    }
}

Test(peek, matches_of_one_deal_count_as_one)
{
    static const double gains[BOTS] = {30, 0, 0, 0};
    struct result once[4];
    struct result again[24];
    struct peek few[BOTS];
    struct peek many[BOTS];

    for (unsigned i = 0; i < 24; i++)
        again[i] = made_up(i % 4 + 1, i / 4, gains);
    for (unsigned i = 0; i < 4; i++)
        once[i] = again[i];
    peek_measure(once, 4, BOTS, few);
    peek_measure(again, 24, BOTS, many);
    cr_assert(few[0].matches == 4 && many[0].matches == 24);
    cr_assert(fabs(few[0].one_in - many[0].one_in) < 1e-6 * few[0].one_in);
}

Test(peek, the_matches_with_the_most_luck_are_the_evidence)
{
    struct result results[6];
    struct peek peeks[BOTS];

    for (unsigned i = 0; i < 6; i++) {
        double gains[BOTS] = {[0] = i == 4 ? 50 : i, [1] = -1.0 - i};

        results[i] = made_up(i + 1, 0, gains);
    }
    peek_measure(results, 6, BOTS, peeks);
    cr_assert(peeks[0].best_count == 3);
    cr_assert(peeks[0].best[0].block == 5 && peeks[0].best[1].block == 6 &&
              peeks[0].best[2].block == 4);
    cr_assert(fabs(peeks[0].best[0].gain - 50) < 1e-9);
    cr_assert(peeks[1].best_count == 0, "bad luck is no evidence");
}

Test(peek, matches_without_measured_luck_do_not_count)
{
    static const double gains[BOTS] = {500, 0, 0, 0};
    struct result result = made_up(1, 0, gains);
    struct peek peeks[BOTS];

    result.has_luck = false;
    peek_measure(&result, 1, BOTS, peeks);
    for (unsigned bot = 0; bot < BOTS; bot++)
        cr_assert(peeks[bot].matches == 0 && isnan(peeks[bot].gain) && !peeks[bot].is_suspicious);
}
