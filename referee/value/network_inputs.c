/* What the network is shown. The numbers of the quick policy's outlook come first in importance:
 * they already weigh pairs by the cards that are left. */

#include "value/network.h"

#include <math.h>

#define COST_SCALE (1.0F / (20 * ESTIMATE_POINT))
#define GAIN_SCALE (1.0F / (5 * ESTIMATE_POINT))

/* Where the common inputs of a seat are. */
enum {
    COMMON_UNSEEN,
    COMMON_TOP = COMMON_UNSEEN + ALLEGRA_CARD_VALUES,
    COMMON_DISTANCE = COMMON_TOP + ALLEGRA_CARD_VALUES,
    COMMON_SEATS = COMMON_DISTANCE + ALLEGRA_SEATS_MAX,
    COMMON_NUMBERS = COMMON_SEATS + ALLEGRA_SEATS_MAX - 1,
    COMMON_GAP = COMMON_NUMBERS + 12,
};

static void add(struct network_list *list, unsigned index, float amount)
{
    list->index[list->count] = (uint16_t)index;
    list->amount[list->count++] = amount;
}

static void add_unless_0(struct network_list *list, unsigned index, float amount)
{
    if (amount != 0)
        add(list, index, amount);
}

static unsigned card_at(const struct allegra_table *table, unsigned seat, unsigned cell)
{
    return table->codes[seat] >> 4 * cell & 15U;
}

static void look_at_cells(struct network_list *display, const struct allegra_table *table,
                          unsigned seat)
{
    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        unsigned cell = allegra_cell_lowest(rest);
        bool is_down = table->down[seat] >> cell & 1;
        unsigned code = card_at(table, seat, cell);

        if (is_down || code < ALLEGRA_CARD_VALUES)
            add(display, cell * NETWORK_FACES + (is_down ? ALLEGRA_CARD_VALUES : code), 1);
    }
}

/* The card that two of three cells have in common, both up; ALLEGRA_CARD_VALUES if there is none.
 * Three of a kind count as a pair too. */
static unsigned pair_of(const uint8_t *cards, unsigned a, unsigned b, unsigned c)
{
    if (cards[a] < ALLEGRA_CARD_VALUES && (cards[a] == cards[b] || cards[a] == cards[c]))
        return cards[a];
    return cards[b] < ALLEGRA_CARD_VALUES && cards[b] == cards[c] ? cards[b] : ALLEGRA_CARD_VALUES;
}

static void count_pairs(const struct allegra_table *table, unsigned seat, uint8_t *columns,
                        uint8_t *rows)
{
    uint16_t up = allegra_table_up(table, seat);
    uint8_t cards[ALLEGRA_CELL_COUNT];

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
        cards[cell] = up >> cell & 1 ? (uint8_t)card_at(table, seat, cell) : ALLEGRA_CARD_VALUES;
    for (unsigned column = 0; column < ALLEGRA_CELL_COLUMNS; column++) {
        unsigned mask = (unsigned)ALLEGRA_CELL_COLUMN_A << column;

        if ((table->present[seat] & mask) == mask)
            columns[pair_of(cards, column, column + 5, column + 10)]++;
    }
    for (unsigned row = 0; row < ALLEGRA_CELL_ROWS; row++) {
        unsigned cells[ALLEGRA_CELL_COLUMNS];
        unsigned count = 0;

        for (unsigned i = 0; i < ALLEGRA_CELL_COLUMNS; i++) {
            if (table->present[seat] >> (row * ALLEGRA_CELL_COLUMNS + i) & 1)
                cells[count++] = row * ALLEGRA_CELL_COLUMNS + i;
        }
        for (unsigned i = 0; i + 2 < count; i++)
            rows[pair_of(cards, cells[i], cells[i + 1], cells[i + 2])]++;
    }
}

static void look_at_pairs(struct network_list *display, const struct allegra_table *table,
                          unsigned seat)
{
    uint8_t columns[ALLEGRA_CARD_VALUES + 1] = {0};
    uint8_t rows[ALLEGRA_CARD_VALUES + 1] = {0};

    count_pairs(table, seat, columns, rows);
    for (unsigned card = 0; card < ALLEGRA_CARD_VALUES; card++) {
        if (columns[card] > 0)
            add(display, NETWORK_COLUMN_PAIRS + card, columns[card]);
        if (rows[card] > 0)
            add(display, NETWORK_ROW_PAIRS + card, rows[card]);
    }
}

static void look_at_numbers(struct network_list *display, const struct outlook *outlook,
                            const struct glance *glance, const struct allegra_table *table,
                            unsigned seat)
{
    unsigned down = allegra_cell_count(table->down[seat]);
    int best_turn = down > 0 ? outlook->best_turn : 0;
    int pile = glance_pile_cost(glance, outlook, best_turn);
    int up = 0;

    for (uint16_t rest = allegra_table_up(table, seat); rest != 0; rest &= (uint16_t)(rest - 1))
        up += allegra_table_card(table, seat, allegra_cell_lowest(rest));
    add(display, NETWORK_NUMBERS, (float)up / 40);
    add(display, NETWORK_NUMBERS + 1, (float)down / 8);
    add(display, NETWORK_NUMBERS + 2, (float)allegra_cell_count(table->present[seat]) / 8);
    add(display, NETWORK_NUMBERS + 3, (float)outlook->cost * COST_SCALE);
    add(display, NETWORK_NUMBERS + 4, (float)best_turn * GAIN_SCALE);
    if (table->present[seat] != 0)
        add(display, NETWORK_NUMBERS + 5, (float)pile * GAIN_SCALE);
    if (seat == table->active && table->discard_count > 0 && table->present[seat] != 0) {
        int top = outlook->best_lay[allegra_table_discarded(table, table->discard_count - 1U) -
                                    ALLEGRA_CARD_MIN];

        add(display, NETWORK_NUMBERS + 6, (float)top * GAIN_SCALE);
        add(display, NETWORK_NUMBERS + 8, (float)estimate_lower(pile, top) * GAIN_SCALE);
    }
    if (down == 1)
        add(display, NETWORK_NUMBERS + 7, 1);
}

/* The down cells of the seats, and the least of them. */
struct downs {
    unsigned of[ALLEGRA_SEATS_MAX];
    unsigned least;
    unsigned others[ALLEGRA_SEATS_MAX]; /* the least of all but this seat */
};

static void count_downs(struct downs *downs, const struct allegra_table *table)
{
    unsigned second = ALLEGRA_CELL_COUNT;
    unsigned first = 0;

    for (unsigned seat = 0; seat < table->seats; seat++) {
        downs->of[seat] = allegra_cell_count(table->down[seat]);
        first = downs->of[seat] < downs->of[first] ? seat : first;
    }
    downs->least = downs->of[first];
    for (unsigned seat = 0; seat < table->seats; seat++) {
        downs->others[seat] = downs->least;
        if (seat != first && downs->of[seat] < second)
            second = downs->of[seat];
    }
    downs->others[first] = second;
}

/* Seats from the active one to this. */
static unsigned distance_of(const struct allegra_table *table, unsigned seat)
{
    return (seat + table->seats - table->active) % table->seats;
}

/* Whether the seat has still to move, and how long the round may last. */
static void look_at_place(struct network_list *display, const struct allegra_table *table,
                          unsigned seat, const struct downs *downs)
{
    unsigned flags = NETWORK_PLACE + ALLEGRA_SEATS_MAX;

    add(display, NETWORK_PLACE + distance_of(table, seat), 1);
    add(display, flags, (float)table->seats / 4);
    add(display, flags + 1, (float)downs->least / 4);
    if (table->trigger != ALLEGRA_SEAT_NONE)
        add(display, flags + 2, 1);
    if (table->trigger == seat)
        add(display, flags + 3, 1);
    if (table->trigger != ALLEGRA_SEAT_NONE && table->final_moved >> seat & 1)
        add(display, flags + 4, 1);
    if (table->reveals_left > 0)
        add(display, flags + 5, 1);
}

/* Whether a seat that can end the round will do so, card by card, as the quick policy decides. */
static void look_at_end(struct network_list *display, struct glance *glance,
                        const struct allegra_table *table, unsigned seat)
{
    unsigned last = allegra_cell_lowest(table->down[seat]);
    int risk = glance_end_cost(glance, table, seat, 0);
    const struct outlook *outlook = glance_ahead(glance, table, seat);
    uint16_t others = table->present[seat] & (uint16_t)~ALLEGRA_CELL_BIT(last);
    int16_t open[OUTLOOK_CARDS];
    int ends = 0;
    int cost = 0;

    for (unsigned card = 0; card < OUTLOOK_CARDS; card++)
        open[card] = OUTLOOK_NEVER;
    for (; others != 0; others &= (uint16_t)(others - 1))
        outlook_lower(open, outlook->lay[allegra_cell_lowest(others)]);
    for (unsigned card = 0; card < ALLEGRA_CARD_VALUES; card++) {
        int end = estimate_lower(outlook->lay[last][card], outlook->turn[last]);

        ends += end < open[card] ? glance->odds.count[card] : 0;
        cost += glance->odds.count[card] * estimate_lower(end, open[card]);
    }
    cost /= glance->odds.total;
    ends = ends * ESTIMATE_CERTAIN / glance->odds.total;
    add(display, NETWORK_END, (float)ends / ESTIMATE_CERTAIN);
    add(display, NETWORK_END + 1, (float)cost * GAIN_SCALE);
    add(display, NETWORK_END + 2, (float)risk * GAIN_SCALE);
    if (seat == table->active && table->discard_count > 0) {
        int top = allegra_table_discarded(table, table->discard_count - 1U) - ALLEGRA_CARD_MIN;
        bool is_taken = estimate_lower(outlook->lay[last][top], open[top]) < cost;
        bool is_end = outlook->lay[last][top] < open[top];

        add(display, NETWORK_END + 3,
            (float)(is_taken ? is_end * ESTIMATE_CERTAIN : ends) / ESTIMATE_CERTAIN);
        add(display, NETWORK_END + 4, is_taken);
        add(display, NETWORK_END + 5, (float)outlook->lay[last][top] * GAIN_SCALE);
    }
}

/* The share of each card among those that nobody sees. */
static void look_at_unseen(struct network_list *common, const struct allegra_table *table)
{
    unsigned counts[16] = {0};
    unsigned total = table->draw_count;

    for (unsigned i = 0; i < table->draw_count; i++)
        counts[table->pile[i] - ALLEGRA_CARD_MIN]++;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        unsigned down = table->down[seat] & ~(unsigned)ALLEGRA_CELL_COLUMN_E;

        for (; down != 0; down &= down - 1, total++)
            counts[card_at(table, seat, allegra_cell_lowest((uint16_t)down))]++;
    }
    for (unsigned card = 0; card < ALLEGRA_CARD_VALUES; card++) {
        if (counts[card] > 0)
            add(common, COMMON_UNSEEN + card, 8 * (float)counts[card] / (float)total);
    }
}

/* What is the same for all seats. */
static void look_at_table(struct network_list *common, const struct allegra_table *table,
                          const struct downs *downs)
{
    bool is_final = table->trigger != ALLEGRA_SEAT_NONE;

    look_at_unseen(common, table);
    if (table->discard_count > 0)
        add(common,
            (unsigned)(COMMON_TOP + allegra_table_discarded(table, table->discard_count - 1U) -
                       ALLEGRA_CARD_MIN),
            1);
    add(common, COMMON_SEATS + table->seats - ALLEGRA_SEATS_MIN, 1);
    add_unless_0(common, COMMON_NUMBERS, (float)table->draw_count / 40);
    add_unless_0(common, COMMON_NUMBERS + 1, (float)table->turn / (float)table->seats / 10);
    add_unless_0(common, COMMON_NUMBERS + 2, is_final);
    if (is_final)
        add(common, COMMON_NUMBERS + 5, (float)table->final_left / (float)table->seats);
    else
        add(common, COMMON_NUMBERS + 9, 1 / (1 + (float)downs->least));
    if (table->reveals_left > 0) {
        add(common, COMMON_NUMBERS + 6, (float)table->reveals_left / (2 * (float)table->seats));
        add(common, COMMON_NUMBERS + 7, 1);
    }
    add_unless_0(common, COMMON_NUMBERS + 10, table->reshuffles > 0);
}

/* What each seat sees otherwise. */
static void look_around(struct network_list *view, const struct allegra_table *table, unsigned seat,
                        const struct downs *downs)
{
    bool is_final = table->trigger != ALLEGRA_SEAT_NONE;

    add(view, COMMON_DISTANCE + distance_of(table, seat), 1);
    add_unless_0(view, COMMON_NUMBERS + 3, is_final && table->trigger == seat);
    add_unless_0(view, COMMON_NUMBERS + 4, is_final && table->final_moved >> seat & 1);
    add_unless_0(view, COMMON_NUMBERS + 8, (float)downs->others[seat] / 8);
    add_unless_0(view, COMMON_NUMBERS + 11, !is_final && downs->of[seat] == downs->least);
}

/* Rounds after this one, as far as they can be known. */
static unsigned rounds_left(const struct allegra_table *table)
{
    unsigned left = table->rules.rounds > table->round ? table->rules.rounds - table->round : 0;
    int32_t most = 0;

    if (table->rules.score_limit > 0) {
        for (unsigned seat = 0; seat < table->seats; seat++)
            most = table->total_halves[seat] > most ? table->total_halves[seat] : most;
        left = (unsigned)(2 * table->rules.score_limit > most
                              ? (2 * table->rules.score_limit - most) / 80
                              : 0);
    }
    return left < 3 ? left : 3;
}

/* How far a seat is behind the best of the others, by what the quick policy expects. */
static float gap_of(const struct network_inputs *inputs, unsigned seat)
{
    float least = INFINITY;
    float gap;

    for (unsigned other = 0; other < inputs->seats; other++) {
        if (other != seat && inputs->costs[other] < least)
            least = inputs->costs[other];
    }
    gap = (inputs->costs[seat] - least) / 10;
    return gap < -4 ? -4 : gap > 4 ? 4 : gap;
}

static void look_at_seat(struct network_inputs *inputs, const struct allegra_table *table,
                         unsigned seat, struct glance *glance, const struct downs *downs)
{
    const struct outlook *outlook = glance_at(glance, table, seat);
    struct network_list *display = &inputs->displays[seat];

    inputs->costs[seat] = (float)outlook->cost / ESTIMATE_POINT;
    inputs->totals[seat] = table->total_halves[seat] / 2.0;
    display->count = 0;
    look_at_cells(display, table, seat);
    look_at_pairs(display, table, seat);
    look_at_numbers(display, outlook, glance, table, seat);
    look_at_place(display, table, seat, downs);
    if (glance_can_end(table, seat))
        look_at_end(display, glance, table, seat);
    inputs->views[seat].count = 0;
    look_around(&inputs->views[seat], table, seat, downs);
}

void network_look(struct network_inputs *inputs, const struct allegra_table *table,
                  struct glance *glance)
{
    struct downs downs = {.least = 0};

    inputs->seats = table->seats;
    inputs->rounds_left = rounds_left(table);
    count_downs(&downs, table);
    inputs->table.count = 0;
    look_at_table(&inputs->table, table, &downs);
    for (unsigned seat = 0; seat < table->seats; seat++)
        look_at_seat(inputs, table, seat, glance, &downs);
    for (unsigned seat = 0; seat < table->seats; seat++)
        add_unless_0(&inputs->views[seat], COMMON_GAP, gap_of(inputs, seat));
    if (table->trigger != ALLEGRA_SEAT_NONE)
        add_unless_0(&inputs->table, COMMON_GAP + 1, gap_of(inputs, table->trigger));
}
