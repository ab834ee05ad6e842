/* Sums run over whole rows of weights, so that the compiler can add four numbers at once without
 * changing their order: every machine gets the same value to the last bit. For the same reason the
 * squash at the end is a square root and nothing from a library of functions. */

#include "value/network.h"

#include <math.h>
#include <string.h>

#define POINTS_SCALE 20.0F /* points per unit of output */
#define GAP_SCALE 10.0

/* Four numbers, wherever they lie. */
typedef float quad __attribute__((vector_size(16), aligned(4), may_alias));

#define QUADS 4
#define BLOCK (4 * QUADS) /* all widths are multiples of it */

/* Rows of a matrix, and how much each counts. */
struct rows {
    unsigned count;
    uint16_t row[NETWORK_CODE];
    float amount[NETWORK_CODE];
};

_Static_assert(NETWORK_CODE >= NETWORK_ACTIVE_MAX && NETWORK_CODE >= NETWORK_COMMON &&
                   NETWORK_CODE >= NETWORK_HIDDEN && NETWORK_CODE >= NETWORK_STANDING,
               "room for all rows");
_Static_assert(NETWORK_CODE % BLOCK == 0 && NETWORK_HIDDEN % BLOCK == 0 && NETWORK_WIN % BLOCK == 0,
               "whole blocks");

/* Chooses the rows whose numbers are not 0. */
static void choose_rows(struct rows *rows, const float *amounts, unsigned count)
{
    rows->count = 0;
    for (unsigned i = 0; i < count; i++) {
        rows->row[rows->count] = (uint16_t)i;
        rows->amount[rows->count] = amounts[i];
        rows->count += amounts[i] != 0;
    }
}

/* Adds rows of a matrix of that width, a block of columns at a time, so that sums stay in
 * registers. */
static inline void add_rows(float *sum, const float *matrix, unsigned width,
                            const struct rows *rows)
{
    for (unsigned column = 0; column < width; column += BLOCK) {
        quad *out = (quad *)(sum + column);
        quad a = out[0];
        quad b = out[1];
        quad c = out[2];
        quad d = out[3];

        for (unsigned i = 0; i < rows->count; i++) {
            const quad *row = (const quad *)(matrix + rows->row[i] * width + column);
            float amount = rows->amount[i];

            a += amount * row[0];
            b += amount * row[1];
            c += amount * row[2];
            d += amount * row[3];
        }
        out[0] = a;
        out[1] = b;
        out[2] = c;
        out[3] = d;
    }
}

static inline void add(float *restrict sum, const float *restrict row)
{
    for (unsigned i = 0; i < NETWORK_HIDDEN; i++)
        sum[i] += row[i];
}

static inline void rectify(float *restrict out, const float *restrict bias, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        float value = (out[i] + bias[i]) * (1 / NETWORK_UNIT);

        out[i] = value > 0 ? value : 0;
    }
}

static void find_meaning(const struct network *network, const float *code,
                         struct network_meaning *meaning)
{
    struct rows rows;

    choose_rows(&rows, code, NETWORK_CODE);
    memset(meaning, 0, sizeof *meaning);
    add_rows(meaning->own, network->own[0], NETWORK_HIDDEN, &rows);
    add_rows(meaning->left, network->left[0], NETWORK_HIDDEN, &rows);
    add_rows(meaning->right, network->right[0], NETWORK_HIDDEN, &rows);
    add_rows(meaning->all, network->all[0], NETWORK_HIDDEN, &rows);
}

static bool is_same(const struct network_display *one, const struct network_display *other)
{
    return one->count == other->count &&
           memcmp(one->input, other->input, one->count * sizeof *one->input) == 0 &&
           memcmp(one->amount, other->amount, one->count * sizeof *one->amount) == 0;
}

static void encode(const struct network *network, const struct network_display *display,
                   struct network_memory *memory, unsigned seat)
{
    float *code = memory->seats[seat].code;
    struct rows rows;

    if (is_same(display, &memory->seats[seat].display))
        return;
    memory->seats[seat].display = *display;
    memset(code, 0, sizeof memory->seats[seat].code);
    rows.count = display->count;
    memcpy(rows.row, display->input, display->count * sizeof *rows.row);
    memcpy(rows.amount, display->amount, display->count * sizeof *rows.amount);
    add_rows(code, network->code[0], NETWORK_CODE, &rows);
    rectify(code, network->code_bias, NETWORK_CODE);
    find_meaning(network, code, &memory->seats[seat].meaning);
}

static void combine(const struct network *network, const struct network_inputs *inputs,
                    const struct network_memory *memory, unsigned seat, float *hidden)
{
    unsigned left = seat + 1 == inputs->seats ? 0 : seat + 1;
    unsigned right = seat == 0 ? inputs->seats - 1 : seat - 1;
    struct rows rows;

    choose_rows(&rows, inputs->common[seat], NETWORK_COMMON);
    memset(hidden, 0, NETWORK_HIDDEN * sizeof *hidden);
    add(hidden, memory->seats[seat].meaning.own);
    add(hidden, memory->seats[left].meaning.left);
    add(hidden, memory->seats[right].meaning.right);
    for (unsigned other = 0; other < inputs->seats; other++)
        add(hidden, memory->seats[other].meaning.all);
    add_rows(hidden, network->common[0], NETWORK_HIDDEN, &rows);
    rectify(hidden, network->hidden_bias, NETWORK_HIDDEN);
}

static double expect_points(const struct network *network, const struct network_display *display,
                            const float *hidden)
{
    float sum = network->points_bias;

    for (unsigned i = 0; i < NETWORK_HIDDEN; i++)
        sum += hidden[i] * network->points[i];
    return display->cost + POINTS_SCALE * sum * (1 / NETWORK_UNIT);
}

/* How far a seat is behind the best of the others in the end, as far as can be told now. */
static double gap_of(const struct network_inputs *inputs, const struct network_trace *trace,
                     unsigned seat)
{
    double least = INFINITY;

    for (unsigned other = 0; other < inputs->seats; other++) {
        double total = inputs->totals[other] + trace->points[other];

        if (other != seat && total < least)
            least = total;
    }
    return inputs->totals[seat] + trace->points[seat] - least;
}

static void find_standing(const struct network_inputs *inputs, struct network_trace *trace,
                          unsigned seat)
{
    double gap = gap_of(inputs, trace, seat) / GAP_SCALE;
    float *standing = trace->standing[seat];

    gap = gap > 6 ? 6 : gap < -6 ? -6 : gap;
    memset(standing, 0, sizeof trace->standing[seat]);
    standing[inputs->rounds_left] = 1;
    standing[4 + inputs->rounds_left] = (float)gap;
    standing[8 + inputs->rounds_left] = (float)(gap > 0 ? gap : 0);
}

static void find_chances(const struct network *network, const struct network_inputs *inputs,
                         struct network_trace *trace, unsigned seat)
{
    float *hidden = trace->win_hidden[seat];
    struct rows rows;
    float sum = 0;

    find_standing(inputs, trace, seat);
    memset(hidden, 0, NETWORK_WIN * sizeof *hidden);
    choose_rows(&rows, trace->hidden[seat], NETWORK_HIDDEN);
    add_rows(hidden, network->win_hidden[0], NETWORK_WIN, &rows);
    choose_rows(&rows, trace->standing[seat], NETWORK_STANDING);
    add_rows(hidden, network->win_standing[0], NETWORK_WIN, &rows);
    rectify(hidden, network->win_bias, NETWORK_WIN);
    for (unsigned i = 0; i < NETWORK_WIN; i++)
        sum += hidden[i] * network->win[i];
    trace->ahead[seat] = (sum + network->win_end_bias) * (1 / NETWORK_UNIT);
}

void network_run(const struct network *network, const struct network_inputs *inputs,
                 struct network_memory *memory, struct network_trace *trace)
{
    double sum = 0;

    for (unsigned seat = 0; seat < inputs->seats; seat++)
        encode(network, &inputs->displays[seat], memory, seat);
    for (unsigned seat = 0; seat < inputs->seats; seat++) {
        combine(network, inputs, memory, seat, trace->hidden[seat]);
        trace->points[seat] = expect_points(network, &inputs->displays[seat], trace->hidden[seat]);
    }
    for (unsigned seat = 0; seat < inputs->seats; seat++) {
        double ahead;

        find_chances(network, inputs, trace, seat);
        ahead = (double)trace->ahead[seat];
        ahead += sqrt(ahead * ahead + 1);
        trace->wins[seat] = ahead * ahead;
        sum += trace->wins[seat];
    }
    for (unsigned seat = 0; seat < inputs->seats; seat++)
        trace->wins[seat] /= sum;
}
