/* Makes the weights of a network by self-play: `make value`.
 *
 * The quick policy plays matches, at times with random answers mixed in. Each table at the start of
 * a turn is an example: what each seat scored in the end, and whether it won. Early in training
 * that end is the target itself. Later the target is a mean of the end and of what the network
 * thinks of the turns in between, the nearest counting most: such targets vary less, and they make
 * the values of successive turns agree, which is what luck is measured by.
 *
 * Usage: train EDITION MATCHES [FROM_EDITION] > weights/weights_EDITION.c */

#include "value/swift.h"
#include "value/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STATES_MAX 40000
#define EXAMPLE_SHARE 4   /* one state in so many is an example */
#define RATE 0.002        /* of learning, at first */
#define RATE_AGAIN 0.0006 /* … or of a network that has learnt before */
#define RATE_END 0.00003
#define END_ONLY 0.3 /* the share of the training in which only the end counts */
#define TRUST 0.85   /* how much the far end of a match counts from turn to turn, later */

static struct training_state states[STATES_MAX];

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

static void train(struct training *training, enum allegra_edition edition, unsigned long matches,
                  const struct network *from)
{
    double rate_start = from != NULL ? RATE_AGAIN : RATE;
    struct allegra_dice dice = allegra_dice_from(UINT64_C(20260000) + edition);
    unsigned reports = 0;

    training_start(training, from, &dice);
    for (unsigned long match = 1; match <= matches; match++) {
        unsigned count = play(edition, &dice);
        double part = (double)match / (double)matches;

        training_set_targets(training->network, states, count,
                             from == NULL && part < END_ONLY ? 1 : TRUST);
        for (unsigned i = allegra_dice_below(&dice, EXAMPLE_SHARE); i < count; i += EXAMPLE_SHARE)
            training_learn(training, &states[i], rate_start * pow(RATE_END / rate_start, part));
        if (part >= 0.05 * (reports + 1)) {
            reports++;
            training_report(training, part, match);
        }
    }
}

int main(int argc, char **argv)
{
    struct training training;
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
    training_write(&training, argv[1], "make value");
    return 0;
}
