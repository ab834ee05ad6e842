/* The policy of `greedy`: always legal, and clearly better than random play. */

#include "greedy/policy.h"
#include "support/effort.h"
#include "support/random_play.h"

#include <criterion/criterion.h>

#define MATCHES 300
#define MATCHES_OF_A_TABLE 20

static struct allegra_answer think(const struct allegra_table *table, unsigned seat,
                                   const struct allegra_legal *legal)
{
    struct allegra_view view = allegra_view_of(table, seat);
    int8_t discards[ALLEGRA_DECK_MAX];
    struct odds odds;

    for (unsigned i = 0; i < table->discard_count; i++)
        discards[i] = allegra_table_discarded(table, i);
    odds = odds_of(&view, discards, table->discard_count);
    return policy_choose(&view, legal, &odds);
}

/* Plays to the end; the seats in the mask `greedy` use the policy, the others play at random. */
static void play_out(struct allegra_table *table, unsigned greedy, struct allegra_dice *dice)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);

    while (!allegra_table_is_over(table)) {
        unsigned seat = random_asked(table, dice);
        struct allegra_legal legal;
        struct allegra_answer answer;

        allegra_legal_list(table, seat, &legal);
        answer =
            greedy >> seat & 1 ? think(table, seat, &legal) : allegra_simulate_choose(dice, &legal);
        cr_assert_eq(allegra_table_apply(table, seat, answer, &shuffler, NULL),
                     ALLEGRA_REFUSAL_NONE);
    }
}

Test(greedy, every_answer_is_legal_under_any_rules)
{
    for (uint64_t seed = 1; seed <= effort(MATCHES); seed++) {
        struct allegra_dice dice = allegra_dice_from(seed);
        struct allegra_table table;

        if (seed % 3 == 0)
            random_late_table(&table, &dice);
        else
            random_start(&table, &dice);
        play_out(&table, (unsigned)allegra_dice_next(&dice) | (unsigned)(seed % 2 != 0 ? 0x3f : 0),
                 &dice);
    }
}

/* How many of `matches` seat 0 wins alone against random players. */
static unsigned wins_of(enum allegra_edition edition, unsigned seats, unsigned matches)
{
    struct allegra_rules rules = allegra_rules_of_edition(edition);
    unsigned wins = 0;

    for (unsigned i = 0; i < matches; i++) {
        struct allegra_dice dice = allegra_dice_from(i);
        struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
        struct allegra_table table;

        allegra_table_start(&table, &rules, seats, i % seats, &shuffler, NULL);
        play_out(&table, 1, &dice);
        wins += allegra_table_winners(&table) == 1;
    }
    return wins;
}

Test(greedy, it_beats_random_players_in_every_edition_with_any_number_of_seats)
{
    unsigned matches = effort(MATCHES_OF_A_TABLE);

    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        for (unsigned seats = ALLEGRA_SEATS_MIN; seats <= ALLEGRA_SEATS_MAX; seats++) {
            unsigned wins = wins_of((enum allegra_edition)edition, seats, matches);

            cr_expect_geq(wins * 100, matches * 95, "%s, %u seats: %u of %u",
                          allegra_edition_name((enum allegra_edition)edition), seats, wins,
                          matches);
        }
    }
}

Test(greedy, the_odds_contain_all_unseen_cards)
{
    struct allegra_dice dice = allegra_dice_from(7);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);
    struct allegra_table table;
    struct allegra_view view;
    struct odds odds;

    allegra_table_start(&table, &rules, 4, 0, &shuffler, NULL);
    view = allegra_view_of(&table, 1);
    odds = odds_of(&view, NULL, 0);
    cr_assert_eq(odds.count, 119);
    cr_assert_eq(odds.unseen[view.discard_top - ALLEGRA_CARD_MIN],
                 allegra_rules_cards_of(&rules, 4, view.discard_top) - 1);
}
