/* Many tables at once. A program in a slow language calls once for all of them, so that its calls
 * cost nothing beside the matches.
 *
 * The cards of a match depend on the seed and on its number alone, whatever is answered before: so
 * two policies can be compared on the same deals. */

#include "game/allegra.h"

#include <string.h>

#define CELLS ALLEGRA_CELL_COUNT
#define NUMBER_MAX 127
#define ROW_THREES 10U

/* The first action of each verb. */
static const uint8_t first_action[ALLEGRA_VERB_COUNT + 1] = {
    [ALLEGRA_VERB_TURN] = 0,     [ALLEGRA_VERB_PILE] = 15,   [ALLEGRA_VERB_DISCARD] = 16,
    [ALLEGRA_VERB_PASS] = 17,    [ALLEGRA_VERB_KNOCK] = 18,  [ALLEGRA_VERB_ACCEPT] = 34,
    [ALLEGRA_VERB_DECLINE] = 40, [ALLEGRA_VERB_AGAIN] = 41,  [ALLEGRA_VERB_KEEP] = 42,
    [ALLEGRA_VERB_DROP] = 57,    [ALLEGRA_VERB_PLACE] = 72,  [ALLEGRA_VERB_TAKE] = 87,
    [ALLEGRA_VERB_PUT] = 102,    [ALLEGRA_VERB_TOSS] = 117,  [ALLEGRA_VERB_CLEAR] = 118,
    [ALLEGRA_VERB_NONE] = 153,   [ALLEGRA_VERB_COUNT] = 154,
};

/* Three of the five cells of a row, as a mask. */
static const uint8_t row_three[ROW_THREES] = {7, 11, 19, 13, 21, 25, 14, 22, 26, 28};
static const uint8_t row_three_number[32] = {
    [7] = 0,  [11] = 1, [19] = 2, [13] = 3, [21] = 4,
    [25] = 5, [14] = 6, [22] = 7, [26] = 8, [28] = 9,
};

/* Actions. */

static unsigned triple_number(uint16_t cells)
{
    unsigned lowest = allegra_cell_lowest(cells);
    unsigned row = lowest / ALLEGRA_CELL_COLUMNS;
    unsigned in_row = cells >> row * ALLEGRA_CELL_COLUMNS;

    return in_row <= ALLEGRA_CELL_ROW_1
               ? ALLEGRA_CELL_COLUMNS + row * ROW_THREES + row_three_number[in_row]
               : lowest;
}

static uint16_t triple_of_number(unsigned number)
{
    if (number < ALLEGRA_CELL_COLUMNS)
        return (uint16_t)(ALLEGRA_CELL_COLUMN_A << number);
    number -= ALLEGRA_CELL_COLUMNS;
    return (uint16_t)(row_three[number % ROW_THREES] << number / ROW_THREES * ALLEGRA_CELL_COLUMNS);
}

static unsigned action_of(struct allegra_answer answer)
{
    unsigned first = first_action[answer.verb];

    if (answer.verb == ALLEGRA_VERB_ACCEPT)
        return first + answer.seat;
    if (answer.verb == ALLEGRA_VERB_CLEAR)
        return first + triple_number(answer.cells);
    if (answer.cells == 0)
        return first;
    return first + allegra_cell_lowest(answer.cells) + (answer.verb == ALLEGRA_VERB_KNOCK);
}

static struct allegra_answer answer_of(const struct allegra_table *table, unsigned action)
{
    struct allegra_answer answer = {.verb = 0};
    unsigned number;

    while (answer.verb + 1 < ALLEGRA_VERB_COUNT && first_action[answer.verb + 1] <= action)
        answer.verb++;
    number = action - first_action[answer.verb];
    if (answer.verb == ALLEGRA_VERB_ACCEPT)
        answer.seat = (uint8_t)number;
    else if (answer.verb == ALLEGRA_VERB_CLEAR)
        answer.cells = triple_of_number(number);
    else if (answer.verb == ALLEGRA_VERB_KNOCK)
        answer.cells = (uint16_t)(1U << number >> 1);
    else if (first_action[answer.verb + 1] - first_action[answer.verb] == CELLS)
        answer.cells = ALLEGRA_CELL_BIT(number);
    if (answer.verb == ALLEGRA_VERB_TAKE)
        answer.seat = table->knocker;
    return answer;
}

/* Matches. */

static unsigned asked_seat(const struct allegra_table *table)
{
    return (unsigned)__builtin_ctz(allegra_table_asked(table));
}

/* Two generators of a match that have nothing in common with each other or with other matches. */
static void set_dice(struct allegra_batch_table *place, uint64_t seed, uint64_t match)
{
    struct allegra_dice mixer = allegra_dice_from(seed ^ match * UINT64_C(0xd1342543de82ef95));

    place->match = match;
    place->cards = allegra_dice_from(allegra_dice_next(&mixer));
    place->choices = allegra_dice_from(allegra_dice_next(&mixer));
}

static int start_match(struct allegra_batch_table *place, const struct allegra_rules *rules,
                       unsigned seats)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&place->cards);

    return allegra_table_start(&place->table, rules, seats, (unsigned)(place->match % seats),
                               &shuffler, NULL);
}

static struct allegra_answer policy_answer(const struct allegra_policy *policy,
                                           const struct allegra_table *table, unsigned seat)
{
    struct allegra_legal legal;
    struct allegra_view view;
    uint8_t unseen[ALLEGRA_CARD_VALUES];

    allegra_legal_list(table, seat, &legal);
    if (legal.count == 1)
        return legal.list[0];
    view = allegra_view_of(table, seat);
    allegra_table_unseen(table, seat, unseen);
    return legal.list[allegra_policy_choose(policy, &view, unseen, &legal)];
}

static struct allegra_answer random_answer(struct allegra_batch_table *place, unsigned seat)
{
    struct allegra_legal legal;

    allegra_legal_list(&place->table, seat, &legal);
    return allegra_simulate_choose(&place->choices, &legal);
}

int allegra_batch_start(struct allegra_batch *batch, const struct allegra_rules *rules,
                        unsigned seats, uint64_t seed, struct allegra_batch_table *tables,
                        unsigned count)
{
    *batch = (struct allegra_batch){
        .rules = *rules, .tables = tables, .seed = seed, .count = count, .seats = seats};
    if (count == 0 || seats == 0)
        return -1;
    for (unsigned i = 0; i < count; i++) {
        set_dice(&tables[i], seed, i);
        if (start_match(&tables[i], rules, seats) != 0)
            return -1;
    }
    return 0;
}

/* Looking. */

static int8_t seat_after(const struct allegra_table *table, unsigned me, unsigned seat)
{
    return (int8_t)(seat >= table->seats ? -1 : (int)((seat + table->seats - me) % table->seats));
}

/* The display of a seat, with faces as in a view. */
static void see_display(const struct allegra_table *table, unsigned seat, int8_t *faces)
{
    static const int8_t face_of_code[16] = {
        -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, ALLEGRA_VIEW_HOLE, ALLEGRA_VIEW_GAP,
    };
    uint64_t codes = table->codes[seat];
    unsigned down = table->down[seat];

    /* Without a branch: which cells are down cannot be predicted. */
    for (unsigned cell = 0; cell < CELLS; cell++) {
        unsigned hidden = 0U - (down >> cell & 1U);
        unsigned face = (unsigned)face_of_code[codes >> 4 * cell & 15U];

        faces[cell] = (int8_t)((face & ~hidden) | (ALLEGRA_VIEW_DOWN & hidden));
    }
}

static int8_t hand_seen(const struct allegra_table *table, unsigned seat)
{
    return table->is_hand_private && table->knocker != seat ? (int8_t)ALLEGRA_VIEW_UNKNOWN
                                                            : table->hand;
}

static int8_t at_most(unsigned number)
{
    return (int8_t)(number < NUMBER_MAX ? number : NUMBER_MAX);
}

static void see(const struct allegra_table *table, unsigned seat, int8_t *inputs)
{
    int8_t *rest = inputs + (size_t)ALLEGRA_SEATS_MAX * CELLS;
    unsigned owner = seat;

    for (unsigned i = 0; i < table->seats; i++, owner = allegra_table_left(table, owner))
        see_display(table, owner, inputs + (size_t)i * CELLS);
    memset(inputs + (size_t)table->seats * CELLS, ALLEGRA_VIEW_GAP,
           (size_t)(ALLEGRA_SEATS_MAX - table->seats) * CELLS);
    *rest++ = table->discard_count > 0 ? allegra_table_discarded(table, table->discard_count - 1U)
                                       : (int8_t)ALLEGRA_CARD_NONE;
    *rest++ = table->drawn;
    *rest++ = table->taken;
    *rest++ = hand_seen(table, seat);
    *rest++ = at_most(table->draw_count);
    *rest++ = at_most(table->discard_count);
    *rest++ = (int8_t)table->question;
    *rest++ = (int8_t)seat;
    *rest++ = seat_after(table, seat, table->active);
    *rest++ = seat_after(table, seat, table->trigger);
    *rest++ = seat_after(table, seat, table->knocker);
    *rest++ = (int8_t)table->round;
    *rest = at_most(table->turn);
}

static void mark_legal(const struct allegra_table *table, unsigned seat, uint8_t *flags)
{
    struct allegra_legal legal;

    memset(flags, 0, ALLEGRA_ACTION_COUNT);
    allegra_legal_list(table, seat, &legal);
    for (unsigned i = 0; i < legal.count; i++)
        flags[action_of(legal.list[i])] = 1;
}

void allegra_batch_look(const struct allegra_batch *batch, int8_t *inputs, uint8_t *legal,
                        uint8_t *seats)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct allegra_table *table = &batch->tables[i].table;
        unsigned seat = asked_seat(table);

        if (inputs != NULL)
            see(table, seat, inputs + i * ALLEGRA_INPUT_COUNT);
        if (legal != NULL)
            mark_legal(table, seat, legal + i * ALLEGRA_ACTION_COUNT);
        if (seats != NULL)
            seats[i] = (uint8_t)seat;
    }
}

/* Steps. */

static void end_match(const struct allegra_batch *batch, struct allegra_batch_table *place,
                      struct allegra_batch_result *result)
{
    if (result != NULL) {
        result->is_over = 1;
        result->winners = (uint8_t)allegra_table_winners(&place->table);
        memcpy(result->total_halves, place->table.total_halves, sizeof result->total_halves);
    }
    set_dice(place, batch->seed, place->match + batch->count);
    (void)start_match(place, &batch->rules, batch->seats);
}

unsigned allegra_batch_step(struct allegra_batch *batch, const uint8_t *actions,
                            struct allegra_batch_result *results)
{
    unsigned ended = 0;

    for (unsigned i = 0; i < batch->count; i++) {
        struct allegra_batch_table *place = &batch->tables[i];
        struct allegra_batch_result *result = results != NULL ? &results[i] : NULL;
        struct allegra_shuffler shuffler = allegra_simulate_shuffler(&place->cards);
        unsigned seat = asked_seat(&place->table);
        struct allegra_answer answer = actions[i] == ALLEGRA_ACTION_RANDOM
                                           ? random_answer(place, seat)
                                           : answer_of(&place->table, actions[i]);
        enum allegra_refusal refusal =
            allegra_table_apply(&place->table, seat, answer, &shuffler, NULL);

        if (result != NULL)
            *result = (struct allegra_batch_result){.refusal = (uint8_t)refusal};
        if (allegra_table_is_over(&place->table)) {
            end_match(batch, place, result);
            ended++;
        }
    }
    return ended;
}

void allegra_batch_choose(const struct allegra_batch *batch,
                          const struct allegra_policy *const *policies, uint8_t *actions)
{
    for (unsigned i = 0; i < batch->count; i++) {
        const struct allegra_table *table = &batch->tables[i].table;
        unsigned seat = asked_seat(table);

        if (policies[seat] != NULL)
            actions[i] = (uint8_t)action_of(policy_answer(policies[seat], table, seat));
    }
}

/* Whole matches. */

static uint64_t play_match(struct allegra_batch_table *place,
                           const struct allegra_policy *const *policies)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&place->cards);
    uint64_t answers = 0;

    for (; !allegra_table_is_over(&place->table); answers++) {
        unsigned seat = asked_seat(&place->table);
        struct allegra_answer answer = policies[seat] != NULL
                                           ? policy_answer(policies[seat], &place->table, seat)
                                           : random_answer(place, seat);

        (void)allegra_table_apply(&place->table, seat, answer, &shuffler, NULL);
    }
    return answers;
}

static void add_score(const struct allegra_table *table, struct allegra_batch_score *scores)
{
    unsigned winners = allegra_table_winners(table);
    unsigned count = allegra_cell_count((uint16_t)winners);

    for (unsigned seat = 0; seat < table->seats; seat++) {
        scores[seat].points += table->total_halves[seat] / 2.0;
        if (winners >> seat & 1)
            scores[seat].win_share += 1.0 / count;
    }
}

uint64_t allegra_batch_play(const struct allegra_rules *rules, unsigned seats, uint64_t seed,
                            uint64_t first, uint64_t count,
                            const struct allegra_policy *const *policies,
                            struct allegra_batch_score *scores)
{
    struct allegra_batch_table place;
    uint64_t answers = 0;

    for (unsigned seat = 0; seat < seats && seat < ALLEGRA_SEATS_MAX; seat++)
        scores[seat] = (struct allegra_batch_score){.points = 0};
    for (uint64_t match = first; match - first < count; match++) {
        set_dice(&place, seed, match);
        if (seats == 0 || start_match(&place, rules, seats) != 0)
            return 0;
        answers += play_match(&place, policies);
        add_score(&place.table, scores);
    }
    return answers;
}
