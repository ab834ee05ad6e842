/* Sums run over whole rows of weights, so that eight numbers are added at once without changing the
 * order of any sum: every machine gets the same value to the last bit, whether its registers hold
 * eight numbers or four. For the same reason nothing is multiplied and added in one step, and the
 * squash at the end is a square root and nothing from a library of functions.
 *
 * Everything is inlined into network_run(), which is compiled twice: for machines with AVX2, and
 * for all. */

#include "value/network.h"

#include <math.h>
#include <string.h>

#define POINTS_SCALE 20.0F /* points per unit of output */
#define GAP_SCALE 10.0

/* Eight numbers, wherever they lie, and eight truths about them. */
#define OCTET 8
typedef float octet __attribute__((vector_size(4 * OCTET), aligned(4), may_alias));
typedef int32_t octet_mask __attribute__((vector_size(4 * OCTET), aligned(4), may_alias));

/* How many octets of a row are summed up at a time, so that the sums stay in registers. */
#define CODE_OCTETS 5
#define HIDDEN_OCTETS 4
#define WIN_OCTETS 2
#define OCTETS_MAX 5

_Static_assert(NETWORK_CODE % (CODE_OCTETS * OCTET) == 0 &&
                   NETWORK_HIDDEN % (HIDDEN_OCTETS * OCTET) == 0 &&
                   NETWORK_WIN % (WIN_OCTETS * OCTET) == 0,
               "whole blocks");
_Static_assert(NETWORK_LIST_MAX >= NETWORK_COMMON && NETWORK_LIST_MAX >= NETWORK_HIDDEN,
               "room for all rows");

#define INLINE static inline __attribute__((always_inline))

/* Chooses the rows whose numbers are not 0. */
INLINE void choose_rows(struct network_list *rows, const float *amounts, unsigned count)
{
    rows->count = 0;
    for (unsigned i = 0; i < count; i++) {
        rows->index[rows->count] = (uint16_t)i;
        rows->amount[rows->count] = amounts[i];
        rows->count += amounts[i] != 0;
    }
}

/* Adds rows of a matrix of that width. `width` and `octets` are constants wherever it is called. */
INLINE void add_rows(float *sum, const float *matrix, unsigned width, unsigned octets,
                     const struct network_list *rows)
{
    for (unsigned column = 0; column < width; column += octets * OCTET) {
        octet *out = (octet *)(sum + column);
        octet sums[OCTETS_MAX];

#pragma GCC unroll 5
        for (unsigned k = 0; k < octets; k++)
            sums[k] = out[k];
        for (unsigned i = 0; i < rows->count; i++) {
            const octet *row = (const octet *)(matrix + rows->index[i] * width + column);
            float amount = rows->amount[i];

#pragma GCC unroll 5
            for (unsigned k = 0; k < octets; k++)
                sums[k] += amount * row[k];
        }
#pragma GCC unroll 5
        for (unsigned k = 0; k < octets; k++)
            out[k] = sums[k];
    }
}

INLINE void add(float *sum, const float *row)
{
    for (unsigned i = 0; i < NETWORK_HIDDEN; i += OCTET)
        *(octet *)(sum + i) += *(const octet *)(row + i);
}

/* Adds the bias, and makes 0 of what is below. */
INLINE void rectify(float *out, const float *bias, unsigned count)
{
    for (unsigned i = 0; i < count; i += OCTET) {
        octet value = (*(octet *)(out + i) + *(const octet *)(bias + i)) * (1 / NETWORK_UNIT);

        *(octet_mask *)(out + i) = (octet_mask)value & (value > 0);
    }
}

/* The sum of products, of every eighth first. */
INLINE float multiply(const float *one, const float *other, unsigned count)
{
    octet sums = {0};
    float sum = 0;

    for (unsigned i = 0; i < count; i += OCTET)
        sums += *(const octet *)(one + i) * *(const octet *)(other + i);
    for (unsigned k = 0; k < OCTET; k++)
        sum += sums[k];
    return sum;
}

INLINE void find_meaning(const struct network *network, const float *code,
                         struct network_meaning *meaning)
{
    struct network_list rows;

    choose_rows(&rows, code, NETWORK_CODE);
    memset(meaning, 0, sizeof *meaning);
    add_rows(meaning->own, network->own[0], NETWORK_HIDDEN, HIDDEN_OCTETS, &rows);
    add_rows(meaning->left, network->left[0], NETWORK_HIDDEN, HIDDEN_OCTETS, &rows);
    add_rows(meaning->right, network->right[0], NETWORK_HIDDEN, HIDDEN_OCTETS, &rows);
    add_rows(meaning->all, network->all[0], NETWORK_HIDDEN, HIDDEN_OCTETS, &rows);
}

INLINE bool is_same(const struct network_list *one, const struct network_list *other)
{
    return one->count == other->count &&
           memcmp(one->index, other->index, one->count * sizeof *one->index) == 0 &&
           memcmp(one->amount, other->amount, one->count * sizeof *one->amount) == 0;
}

INLINE void encode(const struct network *network, const struct network_list *display,
                   struct network_memory *memory, unsigned seat)
{
    float *code = memory->seats[seat].code;

    if (is_same(display, &memory->seats[seat].display))
        return;
    memory->seats[seat].display = *display;
    memset(code, 0, sizeof memory->seats[seat].code);
    add_rows(code, network->code[0], NETWORK_CODE, CODE_OCTETS, display);
    rectify(code, network->code_bias, NETWORK_CODE);
    find_meaning(network, code, &memory->seats[seat].meaning);
}

/* What is the same for all seats. */
INLINE void share(const struct network *network, const struct network_inputs *inputs,
                  const struct network_memory *memory, float *shared)
{
    memset(shared, 0, NETWORK_HIDDEN * sizeof *shared);
    for (unsigned seat = 0; seat < inputs->seats; seat++)
        add(shared, memory->seats[seat].meaning.all);
    add_rows(shared, network->common[0], NETWORK_HIDDEN, HIDDEN_OCTETS, &inputs->table);
}

INLINE void combine(const struct network *network, const struct network_inputs *inputs,
                    const struct network_memory *memory, unsigned seat, float *hidden)
{
    unsigned left = seat + 1 == inputs->seats ? 0 : seat + 1;
    unsigned right = seat == 0 ? inputs->seats - 1 : seat - 1;

    add(hidden, memory->seats[seat].meaning.own);
    add(hidden, memory->seats[left].meaning.left);
    add(hidden, memory->seats[right].meaning.right);
    add_rows(hidden, network->common[0], NETWORK_HIDDEN, HIDDEN_OCTETS, &inputs->views[seat]);
    rectify(hidden, network->hidden_bias, NETWORK_HIDDEN);
}

INLINE double expect_points(const struct network *network, float cost, const float *hidden)
{
    float sum = network->points_bias + multiply(hidden, network->points, NETWORK_HIDDEN);

    return cost + POINTS_SCALE * sum * (1 / NETWORK_UNIT);
}

/* How far a seat is behind the best of the others in the end, as far as can be told now. */
INLINE double gap_of(const struct network_inputs *inputs, const struct network_trace *trace,
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

INLINE void find_standing(const struct network_inputs *inputs, struct network_trace *trace,
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

INLINE void find_chances(const struct network *network, const struct network_inputs *inputs,
                         struct network_trace *trace, unsigned seat)
{
    float *hidden = trace->win_hidden[seat];
    struct network_list rows;

    find_standing(inputs, trace, seat);
    memset(hidden, 0, NETWORK_WIN * sizeof *hidden);
    choose_rows(&rows, trace->hidden[seat], NETWORK_HIDDEN);
    add_rows(hidden, network->win_hidden[0], NETWORK_WIN, WIN_OCTETS, &rows);
    choose_rows(&rows, trace->standing[seat], NETWORK_STANDING);
    add_rows(hidden, network->win_standing[0], NETWORK_WIN, WIN_OCTETS, &rows);
    rectify(hidden, network->win_bias, NETWORK_WIN);
    trace->ahead[seat] =
        (multiply(hidden, network->win, NETWORK_WIN) + network->win_end_bias) * (1 / NETWORK_UNIT);
}

INLINE void run(const struct network *network, const struct network_inputs *inputs,
                struct network_memory *memory, struct network_trace *trace)
{
    float shared[NETWORK_HIDDEN];
    double sum = 0;

    for (unsigned seat = 0; seat < inputs->seats; seat++)
        encode(network, &inputs->displays[seat], memory, seat);
    share(network, inputs, memory, shared);
    for (unsigned seat = 0; seat < inputs->seats; seat++) {
        memcpy(trace->hidden[seat], shared, sizeof shared);
        combine(network, inputs, memory, seat, trace->hidden[seat]);
        trace->points[seat] = expect_points(network, inputs->costs[seat], trace->hidden[seat]);
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

#ifdef __x86_64__
__attribute__((target("avx2"))) static void run_wide(const struct network *network,
                                                     const struct network_inputs *inputs,
                                                     struct network_memory *memory,
                                                     struct network_trace *trace)
{
    run(network, inputs, memory, trace);
}
#endif

void network_run_narrow(const struct network *network, const struct network_inputs *inputs,
                        struct network_memory *memory, struct network_trace *trace)
{
    run(network, inputs, memory, trace);
}

void network_run(const struct network *network, const struct network_inputs *inputs,
                 struct network_memory *memory, struct network_trace *trace)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        run_wide(network, inputs, memory, trace);
        return;
    }
#endif
    network_run_narrow(network, inputs, memory, trace);
}
