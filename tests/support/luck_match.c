/* A table, the players' answers, and the account of luck. */

#include "support/luck_match.h"

#include "support/card_peeker.h"
#include "value/luck.h"
#include "value/swift.h"

#include <string.h>

static struct allegra_answer choose(enum luck_player player, struct glance *glance,
                                    const struct allegra_table *table, unsigned seat,
                                    struct allegra_dice *dice)
{
    struct allegra_legal legal;

    allegra_legal_list(table, seat, &legal);
    switch (player) {
    case LUCK_PLAYER_RANDOM:
        return allegra_simulate_choose(dice, &legal);
    case LUCK_PLAYER_FIRST:
        return legal.list[0];
    case LUCK_PLAYER_LAST:
        return legal.list[legal.count - 1];
    case LUCK_PLAYER_PEEKING:
        return card_peeker_choose(table, seat, swift_choose(glance, table, seat));
    default:
        return swift_choose(glance, table, seat);
    }
}

static void play(struct allegra_table *table, const enum luck_player *players,
                 struct allegra_dice *dice, struct luck *luck)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    unsigned round = 0;
    struct glance glance;

    while (!allegra_table_is_over(table)) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));
        struct allegra_table before = *table;
        struct allegra_answer answer;

        if (table->round != round)
            glance_start(&glance, table);
        round = table->round;
        glance_keep_up(&glance, table);
        answer = choose(players[seat], &glance, table, seat, dice);
        allegra_table_apply(table, seat, answer, &shuffler, NULL);
        luck_add(luck, &before, seat, answer, table, NULL);
    }
}

static uint8_t place_of(const struct allegra_table *table, unsigned seat)
{
    unsigned place = 1;

    for (unsigned other = 0; other < table->seats; other++)
        place += table->total_halves[other] < table->total_halves[seat];
    return (uint8_t)place;
}

void luck_match_play(struct result *result, const struct allegra_rules *rules,
                     const enum luck_player *players, struct allegra_dice *dice)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct allegra_table table;
    struct luck luck;

    allegra_table_start(&table, rules, result->seats, 0, &shuffler, NULL);
    luck_start(&luck, &table, NULL);
    play(&table, players, dice, &luck);
    result->rounds = table.round;
    result->has_luck = true;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        result->score_halves[seat] = table.total_halves[seat];
        result->luck[seat] = result_luck_of(&luck.of[seat]);
        result->places[seat] = place_of(&table, seat);
    }
}
