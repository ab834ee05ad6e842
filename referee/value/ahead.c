/* A table between two turns is judged by what becomes of it: the quick policy answers until the
 * next turn starts. An answer that turns up a hidden card is followed for a few typical cards, and
 * the mean counts.
 *
 * The network errs most where somebody can end the round: whether he does so and pays for it hangs
 * on the next card. So if the next turn starts with such a table, that turn is followed too. */

#include "value/ahead.h"

#include "value/redeal.h"

#define TYPICAL_CARDS 3 /* followed when a hidden card appears, the first time */
#define DRAWN_CARDS 7   /* followed when the next turn starts with a draw from the pile */
#define END_SAMPLES 6   /* deals of the hidden cards at the end of a round */
#define ANSWERS_MAX 64  /* no turn has as many */

void ahead_start(struct ahead *ahead, const struct allegra_table *table, uint64_t seed)
{
    glance_start(&ahead->glance, table);
    network_forget(&ahead->memory);
    ahead->seed = seed;
}

/* A table whose value needs no look ahead. */
static bool is_settled(const struct allegra_table *table)
{
    return table->question == ALLEGRA_QUESTION_DRAW || table->question == ALLEGRA_QUESTION_REVEAL ||
           table->question == ALLEGRA_QUESTION_NONE ||
           (table->question == ALLEGRA_QUESTION_CLEAR && table->clear_step == ALLEGRA_CLEAR_START);
}

void ahead_add(struct value *sum, const struct value *value, double weight, unsigned seats)
{
    for (unsigned seat = 0; seat < seats; seat++) {
        sum->points[seat] += weight * value->points[seat];
        sum->wins[seat] += weight * value->wins[seat];
    }
}

bool ahead_is_over(const struct allegra_table *before, const struct allegra_table *after)
{
    return after->round != before->round || allegra_table_is_over(after);
}

/* The down cell that an answer of the quick policy turns up. Returns whether there is one. */
static bool finds_hidden(const struct allegra_table *table, unsigned seat,
                         struct allegra_answer answer, unsigned *owner, unsigned *cell)
{
    *owner = answer.verb == ALLEGRA_VERB_TAKE ? table->knocker : seat;
    if (answer.verb == ALLEGRA_VERB_ACCEPT &&
        table->rules.knock_offers == ALLEGRA_KNOCK_OFFERS_BINDING) {
        *owner = answer.seat;
        answer.cells = table->offer[answer.seat];
    } else if (answer.verb == ALLEGRA_VERB_CLEAR || answer.verb == ALLEGRA_VERB_KNOCK) {
        return false;
    }
    if (answer.cells == 0)
        return false;
    *cell = allegra_cell_lowest(answer.cells);
    return table->down[*owner] >> *cell & 1;
}

/* The card below which a share of the hidden cards lies: (2 i + 1) / (2 n) of them. */
static int typical_card(const struct redeal *redeal, enum redeal_pool pool, unsigned i, unsigned n)
{
    unsigned at = (2 * i + 1) * redeal->total[pool] / (2 * n);
    unsigned card = 0;

    while (at >= redeal->counts[pool][card])
        at -= redeal->counts[pool][card++];
    return (int)card + ALLEGRA_CARD_MIN;
}

/* How a table was reached. */
struct path {
    bool has_typical; /* with a typical card that was turned up, */
    bool has_turn;    /* and through the start of a turn */
};

static void follow(struct ahead *ahead, struct allegra_table *table, struct path path,
                   struct value *value);

void ahead_value_end(struct ahead *ahead, const struct ahead_end *end,
                     const struct allegra_table *after, struct value *value)
{
    struct allegra_table copy = *after;

    if (ahead_is_over(end->before, after))
        value_of_totals(after, value);
    else
        follow(ahead, &copy, (struct path){.has_typical = true, .has_turn = true}, value);
}

void ahead_sample_end(struct ahead *ahead, const struct ahead_end *end, struct allegra_dice *dice,
                      unsigned samples, struct value *value)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);

    *value = (struct value){0};
    for (unsigned i = 0; i < samples; i++) {
        struct allegra_table table = *end->before;
        struct value one;

        redeal_hidden(&table, ALLEGRA_SEAT_NONE, dice);
        allegra_table_apply(&table, end->seat, end->answer, &shuffler, NULL);
        ahead_value_end(ahead, end, &table, &one);
        ahead_add(value, &one, 1.0 / samples, table.seats);
    }
}

/* An answer that turns up a hidden card. */
static void follow_typical(struct ahead *ahead, const struct allegra_table *table, unsigned seat,
                           struct allegra_answer answer, const unsigned place[2], struct path path,
                           struct value *value)
{
    struct allegra_dice dice = allegra_dice_from(ahead->seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    unsigned cards = path.has_typical ? 1 : TYPICAL_CARDS;
    struct redeal redeal;

    *value = (struct value){0};
    path.has_typical = true;
    redeal_count(&redeal, table, ALLEGRA_SEAT_NONE);
    for (unsigned i = 0; i < cards; i++) {
        struct allegra_table next = *table;
        struct value end;

        redeal_place(&next, place[0], place[1], typical_card(&redeal, REDEAL_DOWN, i, cards));
        allegra_table_apply(&next, seat, answer, &shuffler, NULL);
        if (ahead_is_over(table, &next)) {
            ahead_sample_end(ahead, &(struct ahead_end){table, seat, answer}, &dice, END_SAMPLES,
                             value);
            return;
        }
        follow(ahead, &next, path, &end);
        ahead_add(value, &end, 1.0 / cards, table->seats);
    }
}

/* Whether a table is the start of a turn in which somebody can end the round, or of a last one. */
static bool is_delicate(const struct allegra_table *table)
{
    if (table->question != ALLEGRA_QUESTION_DRAW || table->draw_count == 0)
        return false;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (table->down[seat] == 0 || allegra_cell_is_single(table->down[seat]))
            return true;
    }
    return false;
}

/* The first answer of a turn, which is followed to its end. */
static void follow_turn(struct ahead *ahead, const struct allegra_table *table, struct path path,
                        struct value *value)
{
    struct allegra_dice dice = allegra_dice_from(ahead->seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));
    struct allegra_answer answer = swift_choose(&ahead->glance, table, seat);
    unsigned cards = answer.verb == ALLEGRA_VERB_PILE ? DRAWN_CARDS : 1;
    struct redeal redeal;

    *value = (struct value){0};
    path.has_turn = true;
    redeal_count(&redeal, table, ALLEGRA_SEAT_NONE);
    for (unsigned i = 0; i < cards; i++) {
        struct allegra_table next = *table;
        struct value end;

        if (answer.verb == ALLEGRA_VERB_PILE)
            redeal_place(&next, ALLEGRA_SEAT_NONE, 0, typical_card(&redeal, REDEAL_DRAW, i, cards));
        allegra_table_apply(&next, seat, answer, &shuffler, NULL);
        follow(ahead, &next, path, &end);
        ahead_add(value, &end, 1.0 / cards, table->seats);
    }
}

static void follow(struct ahead *ahead, struct allegra_table *table, struct path path,
                   struct value *value)
{
    struct allegra_dice dice = allegra_dice_from(ahead->seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);

    for (unsigned i = 0; i < ANSWERS_MAX && !is_settled(table); i++) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));
        struct allegra_answer answer = swift_choose(&ahead->glance, table, seat);
        struct allegra_table next = *table;
        unsigned place[2];

        if (finds_hidden(table, seat, answer, &place[0], &place[1])) {
            follow_typical(ahead, table, seat, answer, place, path, value);
            return;
        }
        if (allegra_table_apply(&next, seat, answer, &shuffler, NULL) != ALLEGRA_REFUSAL_NONE)
            break;
        if (ahead_is_over(table, &next)) {
            ahead_sample_end(ahead, &(struct ahead_end){table, seat, answer}, &dice, END_SAMPLES,
                             value);
            return;
        }
        *table = next;
    }
    if (!path.has_turn && is_delicate(table))
        follow_turn(ahead, table, path, value);
    else
        value_look(table, &ahead->glance, &ahead->memory, value);
}

void ahead_value(struct ahead *ahead, const struct allegra_table *table, struct value *value)
{
    struct allegra_table copy = *table;

    follow(ahead, &copy, (struct path){.has_turn = false}, value);
}

void value_ahead(const struct allegra_table *table, uint64_t seed, struct value *value)
{
    struct ahead ahead;

    ahead_start(&ahead, table, seed);
    ahead_value(&ahead, table, value);
}
