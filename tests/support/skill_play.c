#include "support/skill_play.h"

#include <string.h>

#define NOISE 8 /* one answer in so many is random */

struct allegra_answer skill_choose_random(const struct allegra_table *table, unsigned seat,
                                          struct glance *glance, struct allegra_dice *dice)
{
    struct allegra_legal legal;

    (void)glance;
    allegra_legal_list(table, seat, &legal);
    return allegra_simulate_choose(dice, &legal);
}

struct allegra_answer skill_choose_swift(const struct allegra_table *table, unsigned seat,
                                         struct glance *glance, struct allegra_dice *dice)
{
    (void)dice;
    return swift_choose(glance, table, seat);
}

struct allegra_answer skill_choose_noisy(const struct allegra_table *table, unsigned seat,
                                         struct glance *glance, struct allegra_dice *dice)
{
    bool is_random = allegra_dice_below(dice, NOISE) == 0;

    return (is_random ? skill_choose_random : skill_choose_swift)(table, seat, glance, dice);
}

static void note(struct skill_result *result, const struct luck_event *event)
{
    for (unsigned seat = 0; seat < result->table.seats; seat++) {
        result->points_by_kind[event->kind][seat] += event->points[seat];
        result->wins_by_kind[event->kind][seat] += event->wins[seat];
    }
}

static void finish(struct skill_result *result)
{
    unsigned winners = allegra_table_winners(&result->table);

    for (unsigned seat = 0; seat < result->table.seats; seat++) {
        result->points[seat] = result->table.total_halves[seat] / 2.0;
        result->wins[seat] = winners >> seat & 1 ? 1.0 / allegra_cell_count((uint16_t)winners) : 0;
    }
}

void skill_play(const struct skill_match *match, struct skill_result *result)
{
    struct allegra_dice deal = allegra_dice_from(match->seed);
    struct allegra_dice dice = allegra_dice_from(~match->seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&deal);
    struct allegra_table *table = &result->table;
    struct luck_event event;
    struct glance glance;
    unsigned round = 0;

    memset(result, 0, sizeof *result);
    allegra_table_start(table, &match->rules, match->seats, (unsigned)(match->seed % match->seats),
                        &shuffler, NULL);
    if (!match->is_without_luck) {
        luck_start(&result->luck, table, &event);
        note(result, &event);
    }
    while (!allegra_table_is_over(table)) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));
        struct allegra_table before = *table;
        struct allegra_answer answer;

        if (table->round != round)
            glance_start(&glance, table);
        round = table->round;
        answer = match->players[seat](table, seat, &glance, &dice);
        allegra_table_apply(table, seat, answer, &shuffler, NULL);
        if (match->is_without_luck)
            continue;
        luck_add(&result->luck, &before, seat, answer, table, &event);
        note(result, &event);
    }
    finish(result);
}
