/* One card that appears is compared with every card that could have appeared in its place, exactly:
 * the same answer is given on a table in which the hidden cards have changed places. The end of a
 * round turns up many cards at once; its mean is taken over deals of all of them.
 *
 * Four things keep the mean at zero. The odds are counted before the event. Of which kind it is
 * does not depend on the card: an answer that would end the round with some card is an end with
 * every card. The alternatives are judged without a look at the true cards. And the seeds of
 * samples depend on the number of the event only. The factors below take luck back a little where
 * the value function exaggerates; they were found on other matches than those that are judged, so
 * they do not move the mean either. */

#include "value/luck.h"

#include "value/ahead.h"
#include "value/redeal.h"

#include <math.h>
#include <string.h>

#define SHOW_SAMPLES 96
#define SEED UINT64_C(0x6c75636b)

static const struct {
    const char *name;
    double points; /* the share of it that counts */
    double wins;
} kinds[LUCK_KINDS] = {
    [LUCK_NONE] = {"none", 0, 0},         [LUCK_DEAL] = {"deal", 0.5, 1},
    [LUCK_REVEAL] = {"reveal", 0.5, 0.9}, [LUCK_DRAW] = {"draw", 0.82, 0.9},
    [LUCK_TURN] = {"turn", 0.83, 0.97},   [LUCK_SWAP] = {"swap", 0.87, 0.93},
    [LUCK_SHOW] = {"show", 0.99, 0.98},
};

/* The values after each card that can appear. */
struct chances {
    unsigned total;
    const uint8_t *counts; /* of each card */
    struct value values[ALLEGRA_CARD_VALUES];
};

/* Where the card that appears lies: a cell, or the draw pile if `seat` is ALLEGRA_SEAT_NONE. */
struct place {
    unsigned seat;
    unsigned cell;
};

static void fill_event(struct luck_event *event, const struct chances *chances, unsigned card,
                       unsigned seats)
{
    struct value mean = {0};

    for (unsigned i = 0; i < ALLEGRA_CARD_VALUES; i++) {
        if (chances->counts[i] > 0)
            ahead_add(&mean, &chances->values[i], (double)chances->counts[i] / chances->total,
                      seats);
    }
    for (unsigned seat = 0; seat < seats; seat++) {
        event->points[seat] +=
            kinds[event->kind].points * (chances->values[card].points[seat] - mean.points[seat]);
        event->wins[seat] +=
            kinds[event->kind].wins * (chances->values[card].wins[seat] - mean.wins[seat]);
    }
    for (unsigned i = 0; i < ALLEGRA_CARD_VALUES && event->is_choice; i++) {
        double off = kinds[event->kind].points *
                     (chances->values[i].points[event->seat] - mean.points[event->seat]);

        if (chances->counts[i] > 0)
            event->variance += off * off * chances->counts[i] / chances->total;
    }
}

/* The card that starts the discard pile. */
static void add_deal(struct luck_event *event, const struct allegra_table *table)
{
    struct redeal redeal;
    struct chances chances;
    int8_t top = allegra_table_discarded(table, 0);
    struct allegra_table dealt = *table;

    dealt.discard_count = 0;
    dealt.pile[dealt.draw_count++] = top;
    redeal_count(&redeal, &dealt, ALLEGRA_SEAT_NONE);
    chances.counts = redeal.counts[REDEAL_DRAW];
    chances.total = redeal.total[REDEAL_DRAW];
    for (unsigned card = 0; card < ALLEGRA_CARD_VALUES; card++) {
        struct allegra_table other = dealt;

        if (chances.counts[card] == 0)
            continue;
        redeal_place(&other, ALLEGRA_SEAT_NONE, 0, (int)card + ALLEGRA_CARD_MIN);
        other.pile[ALLEGRA_DECK_MAX - 1] = other.pile[--other.draw_count];
        other.discard_count = 1;
        value_of(&other, &chances.values[card]);
    }
    fill_event(event, &chances, (unsigned)(top - ALLEGRA_CARD_MIN), table->seats);
}

/* The end of a round, or what could have been one. */
static void add_show(struct luck_event *event, const struct allegra_table *before,
                     struct allegra_answer answer, const struct allegra_table *after, uint64_t seed)
{
    struct ahead_end end = {before, event->seat, answer};
    struct allegra_dice dice = allegra_dice_from(seed);
    struct ahead ahead;
    struct value mean;
    struct value real;

    ahead_start(&ahead, before, seed);
    ahead_sample_end(&ahead, &end, &dice, SHOW_SAMPLES, &mean);
    ahead_value_end(&ahead, &end, after, &real);
    for (unsigned seat = 0; seat < before->seats; seat++) {
        event->points[seat] = kinds[LUCK_SHOW].points * (real.points[seat] - mean.points[seat]);
        event->wins[seat] = kinds[LUCK_SHOW].wins * (real.wins[seat] - mean.wins[seat]);
    }
}

/* If a draw needs a new draw pile: the table as it is just before that draw. Its order does not
 * count, so nobody has to know it. */
static void renew_pile(struct allegra_table *table)
{
    unsigned count = table->discard_count - 1U;
    int8_t top = allegra_table_discarded(table, count);
    int8_t cards[ALLEGRA_DECK_MAX];

    for (unsigned i = 0; i < count; i++)
        cards[i] = allegra_table_discarded(table, i);
    memcpy(table->pile, cards, count);
    table->pile[ALLEGRA_DECK_MAX - 1] = top;
    table->draw_count = (uint8_t)count;
    table->discard_count = 1;
    table->reshuffles++;
}

/* Finds the down cell that is no longer down. Returns whether there is one. */
static bool find_cell(const struct allegra_table *before, const struct allegra_table *after,
                      struct place *place)
{
    for (unsigned seat = 0; seat < before->seats; seat++) {
        uint16_t turned = before->down[seat] & (uint16_t)~after->down[seat];

        if (turned != 0) {
            *place = (struct place){seat, allegra_cell_lowest(turned)};
            return true;
        }
    }
    return false;
}

/* Whether the answer ends the round if one of the cards that can be there lies at `place`: if it
 * makes no triple, say, which would have to be cleared first. */
static bool can_end(const struct allegra_table *before, unsigned seat, struct allegra_answer answer,
                    const struct place *place)
{
    struct allegra_dice dice = allegra_dice_from(SEED);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct redeal redeal;

    redeal_count(&redeal, before, ALLEGRA_SEAT_NONE);
    for (unsigned i = 0; i < ALLEGRA_CARD_VALUES; i++) {
        struct allegra_table table = *before;

        if (redeal.counts[REDEAL_DOWN][i] == 0)
            continue;
        redeal_place(&table, place->seat, place->cell, (int)i + ALLEGRA_CARD_MIN);
        allegra_table_apply(&table, seat, answer, &shuffler, NULL);
        if (ahead_is_over(before, &table))
            return true;
    }
    return false;
}

/* Which kind of event an answer was, and where the card was. */
static enum luck_kind find_event(const struct allegra_table *before, unsigned seat,
                                 struct allegra_answer answer, const struct allegra_table *after,
                                 struct place *place)
{
    if (ahead_is_over(before, after))
        return LUCK_SHOW;
    *place = (struct place){ALLEGRA_SEAT_NONE, 0};
    if (answer.verb == ALLEGRA_VERB_PILE)
        return LUCK_DRAW;
    if (!find_cell(before, after, place))
        return LUCK_NONE;
    if (can_end(before, seat, answer, place))
        return LUCK_SHOW;
    if (answer.verb == ALLEGRA_VERB_TURN)
        return LUCK_REVEAL;
    return answer.verb == ALLEGRA_VERB_DROP ? LUCK_TURN : LUCK_SWAP;
}

/* One card. */
static void add_card(struct luck_event *event, const struct allegra_table *before,
                     struct allegra_answer answer, const struct place *place, int card,
                     uint64_t seed)
{
    struct allegra_dice dice = allegra_dice_from(seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    enum redeal_pool pool = event->kind == LUCK_DRAW ? REDEAL_DRAW : REDEAL_DOWN;
    struct redeal redeal;
    struct chances chances;
    struct ahead ahead;

    redeal_count(&redeal, before, ALLEGRA_SEAT_NONE);
    chances.counts = redeal.counts[pool];
    chances.total = redeal.total[pool];
    ahead_start(&ahead, before, seed);
    for (unsigned i = 0; i < ALLEGRA_CARD_VALUES; i++) {
        struct allegra_table table = *before;

        if (chances.counts[i] == 0)
            continue;
        redeal_place(&table, place->seat, place->cell, (int)i + ALLEGRA_CARD_MIN);
        allegra_table_apply(&table, event->seat, answer, &shuffler, NULL);
        ahead_value(&ahead, &table, &chances.values[i]);
    }
    fill_event(event, &chances, (unsigned)(card - ALLEGRA_CARD_MIN), before->seats);
}

static void add_up(struct luck *luck, const struct luck_event *event)
{
    for (unsigned seat = 0; seat < luck->seats; seat++) {
        luck->of[seat].points += event->points[seat];
        luck->of[seat].wins += event->wins[seat];
    }
    if (event->is_choice) {
        luck->of[event->seat].choice += event->points[event->seat];
        luck->of[event->seat].choice_variance += event->variance;
        luck->of[event->seat].choice_squares +=
            event->points[event->seat] * event->points[event->seat];
    }
}

void luck_start(struct luck *luck, const struct allegra_table *table, struct luck_event *event)
{
    struct luck_event deal = {.kind = LUCK_DEAL};

    *luck = (struct luck){.seats = table->seats};
    add_deal(&deal, table);
    add_up(luck, &deal);
    if (event != NULL)
        *event = deal;
}

void luck_add(struct luck *luck, const struct allegra_table *before, unsigned seat,
              struct allegra_answer answer, const struct allegra_table *after,
              struct luck_event *event)
{
    struct place place;
    struct luck_event happened = {.kind = find_event(before, seat, answer, after, &place),
                                  .seat = (uint8_t)seat};
    uint64_t seed = SEED + luck->events++;

    if (happened.kind == LUCK_SHOW) {
        add_show(&happened, before, answer, after, seed);
        if (ahead_is_over(before, after) && !allegra_table_is_over(after)) {
            happened.kind = LUCK_DEAL;
            add_deal(&happened, after);
            happened.kind = LUCK_SHOW;
        }
    } else if (happened.kind != LUCK_NONE) {
        struct allegra_table ready = *before;
        bool is_draw = happened.kind == LUCK_DRAW;

        if (is_draw && before->draw_count == 0)
            renew_pile(&ready);
        happened.is_choice = answer.verb != ALLEGRA_VERB_ACCEPT;
        add_card(&happened, &ready, answer, &place,
                 is_draw ? after->drawn : allegra_table_card(before, place.seat, place.cell), seed);
    }
    add_up(luck, &happened);
    if (event != NULL)
        *event = happened;
}

const char *luck_kind_name(enum luck_kind kind)
{
    return kinds[kind].name;
}
