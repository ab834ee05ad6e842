/* The cards are counted once per circle of turns, and a display is evaluated again only when it has
 * changed. A player with one down cell left can end the round; the outlook then includes what that
 * costs, given the expected scores of the others. */

#include "value/glance.h"

#define NEVER_LOOKED UINT16_MAX

static void count(struct glance *glance, const struct allegra_table *table)
{
    outlook_count(&glance->odds, table);
    glance->counted_turn = table->turn;
    for (unsigned seat = 0; seat < table->seats; seat++)
        glance->seen[seat].turns = NEVER_LOOKED;
}

void glance_start(struct glance *glance, const struct allegra_table *table)
{
    count(glance, table);
}

void glance_keep_up(struct glance *glance, const struct allegra_table *table)
{
    if (table->turn >= glance->counted_turn + table->seats)
        count(glance, table);
}

/* How many turns each player still has after this one: the smallest number of down cells. */
static unsigned turns_left(const struct allegra_table *table)
{
    unsigned least = ESTIMATE_TURNS_MAX;

    if (table->trigger != ALLEGRA_SEAT_NONE)
        return 0;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        unsigned down = allegra_cell_count(table->down[seat]);

        least = down < least ? down : least;
    }
    return least;
}

const struct outlook *glance_at(struct glance *glance, const struct allegra_table *table,
                                unsigned seat)
{
    unsigned turns = turns_left(table);

    if (glance->seen[seat].turns != turns || glance->seen[seat].codes != table->codes[seat] ||
        glance->seen[seat].down != table->down[seat]) {
        outlook_make(&glance->seen[seat].outlook, table, seat, &glance->odds, turns);
        glance->seen[seat].codes = table->codes[seat];
        glance->seen[seat].down = table->down[seat];
        glance->seen[seat].turns = (uint16_t)turns;
    }
    return &glance->seen[seat].outlook;
}

/* The others' scores if the round ends now, and how far they may be from that. */
struct rivals {
    unsigned count;
    int score[ALLEGRA_SEATS_MAX];
    int spread[ALLEGRA_SEATS_MAX];
    int patience;
};

static void meet_rivals(struct rivals *rivals, struct glance *glance,
                        const struct allegra_table *table, unsigned me)
{
    rivals->count = 0;
    rivals->patience = estimate_patience(table->turn / table->seats);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        unsigned down = allegra_cell_count(table->down[seat]);

        if (seat == me)
            continue;
        rivals->score[rivals->count] = glance_at(glance, table, seat)->cost - ESTIMATE_USUAL_GAIN;
        rivals->spread[rivals->count++] = estimate_spread(down);
    }
}

/* What it costs to end the round with that score. */
static int end_cost(const struct rivals *rivals, int score)
{
    int success = ESTIMATE_CERTAIN;

    for (unsigned i = 0; i < rivals->count; i++) {
        int below = estimate_chance_below(score, rivals->score[i], rivals->spread[i]);

        success = estimate_share(success, ESTIMATE_CERTAIN - below);
    }
    return estimate_risk(score, success, rivals->patience);
}

int glance_end_cost(struct glance *glance, const struct allegra_table *table, unsigned seat,
                    int change)
{
    struct rivals rivals;

    meet_rivals(&rivals, glance, table, seat);
    return end_cost(&rivals, glance_at(glance, table, seat)->cost + change);
}

bool glance_can_end(const struct allegra_table *table, unsigned seat)
{
    return allegra_cell_is_single(table->down[seat]) && table->trigger == ALLEGRA_SEAT_NONE;
}

/* The same outlook, but whoever fills the last down cell ends the round. */
static const struct outlook *look_at_end(struct glance *glance, const struct allegra_table *table,
                                         unsigned seat)
{
    unsigned last = allegra_cell_lowest(table->down[seat]);
    int own_share =
        (ALLEGRA_CELL_COLUMN_A | ALLEGRA_CELL_COLUMN_E) >> last & 1 ? ESTIMATE_NEIGHBOUR_SHARE : 0;
    struct outlook *ending = &glance->ending;
    struct rivals rivals;

    meet_rivals(&rivals, glance, table, seat);
    *ending = *glance_at(glance, table, seat);
    for (unsigned card = 0; card < ALLEGRA_CARD_VALUES; card++) {
        int points = ((int)card + ALLEGRA_CARD_MIN) * ESTIMATE_POINT;
        int change =
            ending->lay[last][card] + estimate_share(points - glance->odds.mean, own_share);

        int cost = ending->lay[last][card] + end_cost(&rivals, ending->cost + change);

        ending->lay[last][card] = (int16_t)estimate_lower(cost, OUTLOOK_NEVER);
        ending->best_lay[card] = OUTLOOK_NEVER;
    }
    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1))
        outlook_lower(ending->best_lay, ending->lay[allegra_cell_lowest(rest)]);
    ending->turn[last] = outlook_mean(&glance->odds, ending->lay[last]);
    ending->best_turn = ending->turn[last];
    return ending;
}

const struct outlook *glance_ahead(struct glance *glance, const struct allegra_table *table,
                                   unsigned seat)
{
    return glance_can_end(table, seat) ? look_at_end(glance, table, seat)
                                       : glance_at(glance, table, seat);
}

int glance_pile_cost(const struct glance *glance, const struct outlook *outlook, int otherwise)
{
    int sum = 0;

    for (unsigned card = 0; card < ALLEGRA_CARD_VALUES; card++)
        sum += glance->odds.count[card] * estimate_lower(otherwise, outlook->best_lay[card]);
    return sum / glance->odds.total;
}
