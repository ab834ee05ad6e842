/* Makes the weights of a network by self-play: `make value`.
 *
 * The quick policy plays matches, at times with random answers mixed in. Each table at the start of
 * a turn is an example: what each seat scored in the end, and whether it won. Early in training
 * that end is the target itself. Later the target is a mean of the end and of what the network
 * thinks of the turns in between, the nearest counting most: such targets vary less, and they make
 * the values of successive turns agree, which is what luck is measured by.
 *
 * Usage: train EDITION MATCHES [FROM_EDITION] > weights/weights_EDITION.c */

#include "value/network.h"
#include "value/swift.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES_MAX 40000
#define BATCH 128         /* tables per step */
#define EXAMPLE_SHARE 4   /* one state in so many is an example */
#define RATE 0.002        /* of learning, at first */
#define RATE_AGAIN 0.0006 /* … or of a network that has learnt before */
#define RATE_END 0.00003
#define END_ONLY 0.3   /* the share of the training in which only the end counts */
#define TRUST 0.85     /* how much the far end of a match counts from turn to turn, later */
#define WIN_WEIGHT 6.0 /* of a win in the loss, against 20 points */
#define POINTS_SCALE 20.0

struct training {
    struct network *network; /* in units of 1 / NETWORK_UNIT */
    struct network *gradient;
    float *mean; /* of gradients, and of their squares, by weight */
    float *square;
    unsigned long steps;
    unsigned in_batch;
    double loss[2];
    unsigned long losses;
};

/* A table of a match that was played, and what it has to be worth. */
struct state {
    struct allegra_table table;
    double points[ALLEGRA_SEATS_MAX];
    double wins[ALLEGRA_SEATS_MAX];
};

static struct state states[STATES_MAX];

/* Between -1 and 1. */
static float random_weight(struct allegra_dice *dice)
{
    return (float)((double)(allegra_dice_next(dice) >> 11) / 4503599627370496.0 - 1);
}

static void fill(float *weights, size_t count, double inputs, struct allegra_dice *dice)
{
    float scale = (float)(NETWORK_UNIT * sqrt(3 / inputs));

    for (size_t i = 0; i < count; i++)
        weights[i] = scale * random_weight(dice);
}

#define COUNT(member) (sizeof(member) / sizeof(float))

/* With random weights, or from a network. */
static void start(struct training *training, const struct network *from, struct allegra_dice *dice)
{
    struct network *network = calloc(1, sizeof *network);

    training->network = network;
    training->gradient = calloc(1, sizeof *network);
    training->mean = calloc(NETWORK_WEIGHTS, sizeof(float));
    training->square = calloc(NETWORK_WEIGHTS, sizeof(float));
    if (from != NULL) {
        *network = *from;
        return;
    }
    fill(&network->code[0][0], COUNT(network->code), 24, dice);
    fill(&network->own[0][0], COUNT(network->own), NETWORK_CODE, dice);
    fill(&network->left[0][0], COUNT(network->left), 4.0 * NETWORK_CODE, dice);
    fill(&network->right[0][0], COUNT(network->right), 4.0 * NETWORK_CODE, dice);
    fill(&network->all[0][0], COUNT(network->all), 16.0 * NETWORK_CODE, dice);
    fill(&network->common[0][0], COUNT(network->common), 16, dice);
    fill(network->points, NETWORK_HIDDEN, 30.0 * NETWORK_HIDDEN, dice);
    fill(&network->win_hidden[0][0], COUNT(network->win_hidden), 4.0 * NETWORK_HIDDEN, dice);
    fill(&network->win_standing[0][0], COUNT(network->win_standing), 4, dice);
    fill(network->win, NETWORK_WIN, 4.0 * NETWORK_WIN, dice);
}

static void evaluate(const struct network *network, const struct allegra_table *table,
                     struct network_inputs *inputs, struct network_memory *memory,
                     struct network_trace *trace)
{
    struct glance glance;

    glance_start(&glance, table);
    network_look(inputs, table, &glance);
    network_forget(memory);
    network_run(network, inputs, memory, trace);
}

/* --- Learning --- */

/* Adds what one seat's example says about the weights behind its win share. */
static void learn_win(struct training *training, const struct network_trace *trace, unsigned seat,
                      double slope, float *hidden_slope)
{
    const struct network *network = training->network;
    struct network *gradient = training->gradient;
    float back = (float)(slope / (double)NETWORK_UNIT);

    gradient->win_end_bias += back;
    for (unsigned i = 0; i < NETWORK_WIN; i++) {
        float inner = back * network->win[i] / NETWORK_UNIT;

        gradient->win[i] += back * trace->win_hidden[seat][i];
        if (trace->win_hidden[seat][i] <= 0)
            continue;
        gradient->win_bias[i] += inner;
        for (unsigned j = 0; j < NETWORK_STANDING; j++)
            gradient->win_standing[j][i] += inner * trace->standing[seat][j];
        for (unsigned j = 0; j < NETWORK_HIDDEN; j++) {
            gradient->win_hidden[j][i] += inner * trace->hidden[seat][j];
            hidden_slope[j] += inner * network->win_hidden[j][i];
        }
    }
}

/* Passes slopes of a seat's hidden numbers back to one code. */
static void learn_code(const float weights[][NETWORK_HIDDEN], float gradient[][NETWORK_HIDDEN],
                       const float *code, const float *slope, float *code_slope)
{
    for (unsigned i = 0; i < NETWORK_CODE; i++) {
        float sum = 0;

        if (code[i] == 0)
            continue;
        for (unsigned j = 0; j < NETWORK_HIDDEN; j++)
            sum += slope[j] * weights[i][j];
        code_slope[i] += sum;
        for (unsigned j = 0; j < NETWORK_HIDDEN; j++)
            gradient[i][j] += slope[j] * code[i];
    }
}

/* Passes the slopes of the codes back to the inputs of the displays. */
static void learn_displays(struct training *training, const struct network_inputs *inputs,
                           const struct network_memory *memory,
                           float code_slope[ALLEGRA_SEATS_MAX][NETWORK_CODE])
{
    for (unsigned seat = 0; seat < inputs->seats; seat++) {
        const struct network_list *display = &inputs->displays[seat];
        float *slope = code_slope[seat];

        for (unsigned i = 0; i < NETWORK_CODE; i++) {
            slope[i] = memory->seats[seat].code[i] > 0 ? slope[i] / NETWORK_UNIT : 0;
            training->gradient->code_bias[i] += slope[i];
        }
        for (unsigned k = 0; k < display->count; k++) {
            float *row = training->gradient->code[display->index[k]];

            for (unsigned i = 0; i < NETWORK_CODE; i++)
                row[i] += slope[i] * display->amount[k];
        }
    }
}

/* Passes slopes of hidden numbers back to common inputs. */
static void learn_common(struct network *gradient, const struct network_list *inputs,
                         const float *slope)
{
    for (unsigned k = 0; k < inputs->count; k++) {
        for (unsigned j = 0; j < NETWORK_HIDDEN; j++)
            gradient->common[inputs->index[k]][j] += slope[j] * inputs->amount[k];
    }
}

/* Passes slopes of the hidden numbers of all seats back. */
static void learn_hidden(struct training *training, const struct network_inputs *inputs,
                         const struct network_memory *memory, const struct network_trace *trace,
                         float slopes[ALLEGRA_SEATS_MAX][NETWORK_HIDDEN])
{
    const struct network *network = training->network;
    struct network *gradient = training->gradient;
    float code_slope[ALLEGRA_SEATS_MAX][NETWORK_CODE] = {{0}};
    float all_slope[NETWORK_HIDDEN] = {0};
    unsigned seats = inputs->seats;

    for (unsigned seat = 0; seat < seats; seat++) {
        unsigned left = (seat + 1) % seats;
        unsigned right = (seat + seats - 1) % seats;
        float *slope = slopes[seat];

        for (unsigned j = 0; j < NETWORK_HIDDEN; j++) {
            slope[j] = trace->hidden[seat][j] > 0 ? slope[j] / NETWORK_UNIT : 0;
            gradient->hidden_bias[j] += slope[j];
            all_slope[j] += slope[j];
        }
        learn_common(gradient, &inputs->views[seat], slope);
        learn_code(network->own, gradient->own, memory->seats[seat].code, slope, code_slope[seat]);
        learn_code(network->left, gradient->left, memory->seats[left].code, slope,
                   code_slope[left]);
        learn_code(network->right, gradient->right, memory->seats[right].code, slope,
                   code_slope[right]);
    }
    learn_common(gradient, &inputs->table, all_slope);
    for (unsigned seat = 0; seat < seats; seat++)
        learn_code(network->all, gradient->all, memory->seats[seat].code, all_slope,
                   code_slope[seat]);
    learn_displays(training, inputs, memory, code_slope);
}

/* One example. */
static void learn(struct training *training, const struct state *state)
{
    struct network_inputs inputs;
    struct network_memory memory;
    struct network_trace trace;
    float slopes[ALLEGRA_SEATS_MAX][NETWORK_HIDDEN] = {{0}};
    double pull[ALLEGRA_SEATS_MAX];
    double mean_pull = 0;

    evaluate(training->network, &state->table, &inputs, &memory, &trace);
    for (unsigned seat = 0; seat < inputs.seats; seat++) {
        pull[seat] = 2 * WIN_WEIGHT * (trace.wins[seat] - state->wins[seat]);
        mean_pull += trace.wins[seat] * pull[seat];
        training->loss[1] += pow(trace.wins[seat] - state->wins[seat], 2) / inputs.seats;
    }
    for (unsigned seat = 0; seat < inputs.seats; seat++) {
        double off = (trace.points[seat] - state->points[seat]) / POINTS_SCALE;
        double ahead = (double)trace.ahead[seat];
        float slope = (float)(2 * off / (double)NETWORK_UNIT);

        training->loss[0] += POINTS_SCALE * POINTS_SCALE * off * off / inputs.seats;
        training->gradient->points_bias += slope;
        for (unsigned j = 0; j < NETWORK_HIDDEN; j++) {
            training->gradient->points[j] += slope * trace.hidden[seat][j];
            slopes[seat][j] += slope * training->network->points[j];
        }
        learn_win(training, &trace, seat,
                  trace.wins[seat] * (pull[seat] - mean_pull) * 2 / sqrt(ahead * ahead + 1),
                  slopes[seat]);
    }
    learn_hidden(training, &inputs, &memory, &trace, slopes);
    training->losses++;
}

/* Adam: each weight moves against its mean gradient, in steps of about the same size. */
static void step(struct training *training, double rate)
{
    float *weights = (float *)training->network;
    float *gradient = (float *)training->gradient;
    double steps = (double)++training->steps;
    double warm_mean = 1 - pow(0.9, steps);
    double warm_square = 1 - pow(0.999, steps);
    float size = (float)(rate * (double)NETWORK_UNIT / warm_mean);
    float limit = 8 * NETWORK_UNIT;

    for (size_t i = 0; i < NETWORK_WEIGHTS; i++) {
        float slope = gradient[i] * (NETWORK_UNIT / BATCH);

        gradient[i] = 0;
        training->mean[i] += 0.1F * (slope - training->mean[i]);
        training->square[i] += 0.001F * (slope * slope - training->square[i]);
        weights[i] -=
            size * training->mean[i] / (sqrtf(training->square[i] / (float)warm_square) + 1e-6F);
        weights[i] = fminf(fmaxf(weights[i], -limit), limit);
    }
}

/* --- Playing --- */

static bool is_example(const struct allegra_table *table)
{
    return table->question == ALLEGRA_QUESTION_DRAW || table->question == ALLEGRA_QUESTION_REVEAL;
}

/* How often each seat answers at random, in 256ths: mostly never. */
static void choose_noise(unsigned *noise, struct allegra_dice *dice)
{
    bool is_pure = allegra_dice_below(dice, 10) < 8;

    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
        noise[seat] =
            is_pure || allegra_dice_below(dice, 2) ? 0 : 8U << allegra_dice_below(dice, 4);
}

static void choose_rules(struct allegra_rules *rules, enum allegra_edition edition,
                         struct allegra_dice *dice)
{
    *rules = allegra_rules_of_edition(edition);
    if (allegra_dice_below(dice, 3) == 0)
        rules->rounds = (uint8_t)(1 + allegra_dice_below(dice, 4));
}

static struct allegra_answer choose(struct glance *glance, const struct allegra_table *table,
                                    unsigned seat, const unsigned *noise, struct allegra_dice *dice)
{
    struct allegra_legal legal;

    if (noise[seat] == 0 || allegra_dice_below(dice, 256) >= noise[seat])
        return swift_choose(glance, table, seat);
    allegra_legal_list(table, seat, &legal);
    return allegra_simulate_choose(dice, &legal);
}

/* Plays a match and keeps its states, and as the last one the table at the end. */
static unsigned play(enum allegra_edition edition, struct allegra_dice *dice)
{
    static const uint8_t sizes[] = {2, 3, 4, 4, 4, 4, 5, 6};
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct allegra_rules rules;
    struct allegra_table table;
    unsigned noise[ALLEGRA_SEATS_MAX];
    unsigned seats = sizes[allegra_dice_below(dice, sizeof sizes)];
    unsigned count = 0;
    unsigned round = 0;
    struct glance glance;

    choose_rules(&rules, edition, dice);
    choose_noise(noise, dice);
    allegra_table_start(&table, &rules, seats, allegra_dice_below(dice, seats), &shuffler, NULL);
    while (!allegra_table_is_over(&table) && count < STATES_MAX - 1) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(&table));

        if (table.round != round)
            glance_start(&glance, &table);
        round = table.round;
        if (is_example(&table))
            states[count++].table = table;
        allegra_table_apply(&table, seat, choose(&glance, &table, seat, noise, dice), &shuffler,
                            NULL);
    }
    states[count].table = table;
    return count;
}

/* The targets of all states, from the last to the first. */
static void set_targets(const struct network *network, unsigned count, double trust)
{
    struct state *end = &states[count];
    unsigned winners = allegra_table_winners(&end->table);

    for (unsigned seat = 0; seat < end->table.seats; seat++)
        end->wins[seat] = winners >> seat & 1 ? 1.0 / allegra_cell_count((uint16_t)winners) : 0;
    for (unsigned i = count; i-- > 0;) {
        struct state *state = &states[i];
        const struct state *next = &states[i + 1];
        bool is_last = i + 1 == count || next->table.round != state->table.round;
        struct network_inputs inputs;
        struct network_memory memory;
        struct network_trace trace;

        if (!is_last && trust < 1) {
            evaluate(network, &next->table, &inputs, &memory, &trace);
        }
        for (unsigned seat = 0; seat < state->table.seats; seat++) {
            if (is_last) {
                state->points[seat] =
                    (next->table.total_halves[seat] - state->table.total_halves[seat]) / 2.0;
                state->wins[seat] = next->wins[seat];
            } else if (trust < 1) {
                state->points[seat] = trust * next->points[seat] + (1 - trust) * trace.points[seat];
                state->wins[seat] = trust * next->wins[seat] + (1 - trust) * trace.wins[seat];
            } else {
                state->points[seat] = next->points[seat];
                state->wins[seat] = next->wins[seat];
            }
        }
    }
}

static void report(struct training *training, double part, unsigned long matches)
{
    fprintf(stderr, "%3.0f %%: %lu matches, %lu steps, squared error %.2f points, %.5f wins\n",
            100 * part, matches, training->steps, training->loss[0] / (double)training->losses,
            training->loss[1] / (double)training->losses);
    training->loss[0] = training->loss[1] = 0;
    training->losses = 0;
}

static void train(struct training *training, enum allegra_edition edition, unsigned long matches,
                  const struct network *from)
{
    double rate_start = from != NULL ? RATE_AGAIN : RATE;
    struct allegra_dice dice = allegra_dice_from(UINT64_C(20260000) + edition);
    unsigned reports = 0;

    start(training, from, &dice);
    for (unsigned long match = 1; match <= matches; match++) {
        unsigned count = play(edition, &dice);
        double part = (double)match / (double)matches;

        set_targets(training->network, count, from == NULL && part < END_ONLY ? 1 : TRUST);
        for (unsigned i = allegra_dice_below(&dice, EXAMPLE_SHARE); i < count; i += EXAMPLE_SHARE) {
            learn(training, &states[i]);
            if (++training->in_batch < BATCH)
                continue;
            training->in_batch = 0;
            step(training, rate_start * pow(RATE_END / rate_start, part));
        }
        if (part >= 0.05 * (reports + 1)) {
            reports++;
            report(training, part, match);
        }
    }
}

/* --- Writing --- */

#define MEMBER(name, rows, columns)                                                                \
    {                                                                                              \
#name, offsetof(struct network, name), rows, columns                                       \
    }

static const struct {
    const char *name;
    size_t offset;
    unsigned rows; /* 0: a single number */
    unsigned columns;
} members[] = {
    MEMBER(code, NETWORK_INPUTS, NETWORK_CODE),
    MEMBER(code_bias, 1, NETWORK_CODE),
    MEMBER(own, NETWORK_CODE, NETWORK_HIDDEN),
    MEMBER(left, NETWORK_CODE, NETWORK_HIDDEN),
    MEMBER(right, NETWORK_CODE, NETWORK_HIDDEN),
    MEMBER(all, NETWORK_CODE, NETWORK_HIDDEN),
    MEMBER(common, NETWORK_COMMON, NETWORK_HIDDEN),
    MEMBER(hidden_bias, 1, NETWORK_HIDDEN),
    MEMBER(points, 1, NETWORK_HIDDEN),
    MEMBER(win_hidden, NETWORK_HIDDEN, NETWORK_WIN),
    MEMBER(win_standing, NETWORK_STANDING, NETWORK_WIN),
    MEMBER(win_bias, 1, NETWORK_WIN),
    MEMBER(win, 1, NETWORK_WIN),
    MEMBER(points_bias, 0, 1),
    MEMBER(win_end_bias, 0, 1),
};

/* Numbers in lines of at most 100 columns. */
static void write_numbers(const float *weights, unsigned count)
{
    int column = 0;

    for (unsigned i = 0; i < count; i++) {
        column += printf("%ld,", lroundf(weights[i]));
        if (column > 92 && i + 1 < count)
            column = 0 * printf("\n");
    }
}

static void write_weights(const struct training *training, const char *edition)
{
    printf("/* Made by train.c: `make value`. */\n/* clang-format off */\n\n#include "
           "\"value/network.h\"\n\n"
           "extern const struct network network_%s;\n\nconst struct network network_%s = {\n",
           edition, edition);
    for (unsigned i = 0; i < sizeof members / sizeof *members; i++) {
        const float *weights = (const float *)((const char *)training->network + members[i].offset);

        printf(".%s = ", members[i].name);
        if (members[i].rows > 0)
            printf("{\n");
        for (unsigned row = 0; row < members[i].rows || row == 0; row++) {
            if (members[i].rows > 1)
                printf("{");
            write_numbers(weights + row * members[i].columns, members[i].columns);
            printf(members[i].rows > 1 ? "},\n" : "\n");
        }
        if (members[i].rows > 0)
            printf("},\n");
    }
    printf("};\n");
}

int main(int argc, char **argv)
{
    struct training training = {.steps = 0};
    struct allegra_rules rules;
    struct allegra_rules from;
    char problem[200];

    if (argc < 3 || argc > 4 ||
        allegra_rules_read_edition(&rules, argv[1], problem, sizeof problem) != 0 ||
        atol(argv[2]) <= 0) {
        fprintf(stderr, "usage: train EDITION MATCHES [FROM_EDITION]\n");
        return 2;
    }
    train(&training, (enum allegra_edition)rules.edition, (unsigned long)atol(argv[2]),
          argc == 4 && allegra_rules_read_edition(&from, argv[3], problem, sizeof problem) == 0
              ? network_of_edition[from.edition]
              : NULL);
    write_weights(&training, argv[1]);
    return 0;
}
