/* Makes a network of strong: `make value-strong`.
 *
 * Strong plays matches against itself, few deals per answer and no clock, judged by the network of
 * the value function, which is where the training starts, too: what is learnt is how much better
 * strong plays than the quick policy, and where. At times answers are random, so that worse tables
 * are also seen. When all matches have been played, they are learnt from some times over. One in
 * eight is kept back, and the errors there are reported.
 *
 * Usage: train_strong EDITION MATCHES > strong/weights_EDITION.c */

#include "strong/search.h"
#include "value/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 10      /* deals per answer */
#define NOISY_SHARE 4   /* one match in so many has random answers: */
#define NOISE 16        /* so many of 256 */
#define TIMES 2         /* that each match is learnt from */
#define EXAMPLE_SHARE 2 /* one state in so many is an example each time */
#define KEPT_BACK 8     /* one match in so many */
#define RATE 0.0006     /* of learning, at first */
#define RATE_END 0.00003
#define TRUST 0.85      /* how much the far end of a match counts from turn to turn */
#define STATES_MAX 2000 /* of a match; further ones are left out */

/* One match. */
struct played {
    unsigned count;                /* states before its end */
    struct training_state *states; /* one more than that */
};

static unsigned copy_discards(const struct allegra_table *table, int8_t *discards)
{
    for (unsigned i = 0; i < table->discard_count; i++)
        discards[i] = allegra_table_discarded(table, i);
    return table->discard_count;
}

static struct allegra_answer choose(const struct allegra_table *table, unsigned seat, bool is_noisy,
                                    struct allegra_dice *dice)
{
    struct search_limit limit = {.samples = SAMPLES,
                                 .network = network_of_edition[table->rules.edition]};
    struct allegra_view view = allegra_view_of(table, seat);
    int8_t discards[ALLEGRA_DECK_MAX];
    struct knowledge knowledge = {.view = &view, .discards = discards};
    struct allegra_legal legal;

    knowledge.discard_count = copy_discards(table, discards);
    allegra_legal_list(table, seat, &legal);
    if (is_noisy && allegra_dice_below(dice, 256) < NOISE)
        return allegra_simulate_choose(dice, &legal);
    return search_choose(&knowledge, &legal, dice, &limit);
}

static void keep(struct played *played, const struct training_state *states, unsigned count)
{
    played->count = count;
    played->states = malloc((count + 1UL) * sizeof *states);
    if (played->states == NULL)
        exit(1);
    memcpy(played->states, states, (count + 1UL) * sizeof *states);
}

/* Mostly four seats, and whole matches. */
static void play(struct played *played, enum allegra_edition edition, struct allegra_dice *dice)
{
    static const uint8_t sizes[] = {2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 6};
    static struct training_state states[STATES_MAX + 1];
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct allegra_rules rules = allegra_rules_of_edition(edition);
    unsigned seats = sizes[allegra_dice_below(dice, sizeof sizes)];
    bool is_noisy = allegra_dice_below(dice, NOISY_SHARE) == 0;
    struct allegra_table table;
    unsigned count = 0;

    if (allegra_dice_below(dice, 3) == 0)
        rules.rounds = (uint8_t)(1 + allegra_dice_below(dice, 4));
    allegra_table_start(&table, &rules, seats, allegra_dice_below(dice, seats), &shuffler, NULL);
    while (!allegra_table_is_over(&table)) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(&table));

        if (count < STATES_MAX &&
            (table.question == ALLEGRA_QUESTION_DRAW || table.question == ALLEGRA_QUESTION_REVEAL))
            states[count++].table = table;
        allegra_table_apply(&table, seat, choose(&table, seat, is_noisy, dice), &shuffler, NULL);
    }
    states[count].table = table;
    keep(played, states, count);
}

static void shuffle(struct played *played, unsigned count, struct allegra_dice *dice)
{
    for (unsigned i = count; i-- > 1;) {
        unsigned j = allegra_dice_below(dice, i + 1);
        struct played swapped = played[i];

        played[i] = played[j];
        played[j] = swapped;
    }
}

/* Learns from all matches once. */
static void learn(struct training *training, struct played *played, unsigned count, double rate,
                  double rate_end, struct allegra_dice *dice)
{
    for (unsigned i = 0; i < count; i++) {
        struct played *match = &played[i];
        double now = rate * pow(rate_end / rate, (double)i / count);

        training_set_targets(training->network, match->states, match->count, TRUST);
        for (unsigned k = allegra_dice_below(dice, EXAMPLE_SHARE); k < match->count;
             k += EXAMPLE_SHARE)
            training_learn(training, &match->states[k], now);
    }
}

static void judge(struct training *training, struct played *played, unsigned count, double part)
{
    for (unsigned i = 0; i < count; i++) {
        training_set_targets(training->network, played[i].states, played[i].count, 1);
        for (unsigned k = 0; k < played[i].count; k++)
            training_judge(training, &played[i].states[k]);
    }
    training_report(training, part, count);
}

static void train(struct training *training, struct played *played, unsigned count,
                  struct allegra_dice *dice)
{
    unsigned kept = count / KEPT_BACK;
    double step = pow(RATE_END / RATE, 1.0 / TIMES);
    double rate = RATE;

    judge(training, played, kept, 0);
    for (unsigned time = 1; time <= TIMES; time++, rate *= step) {
        shuffle(played + kept, count - kept, dice);
        learn(training, played + kept, count - kept, rate, rate * step, dice);
        training_report(training, (double)time / TIMES, count - kept);
        judge(training, played, kept, (double)time / TIMES);
    }
}

int main(int argc, char **argv)
{
    unsigned count = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    struct played *played = calloc(count + 1UL, sizeof *played);
    struct training training;
    struct allegra_rules rules;
    struct allegra_dice dice;
    char problem[200];
    char name[100];

    if (count < KEPT_BACK || played == NULL ||
        allegra_rules_read_edition(&rules, argv[1], problem, sizeof problem) != 0) {
        fprintf(stderr, "usage: train_strong EDITION MATCHES\n");
        return 2;
    }
    dice = allegra_dice_from(UINT64_C(20262026) + rules.edition);
    for (unsigned i = 0; i < count; i++)
        play(&played[i], (enum allegra_edition)rules.edition, &dice);
    training_start(&training, network_of_edition[rules.edition], &dice);
    train(&training, played, count, &dice);
    snprintf(name, sizeof name, "strong_%s", argv[1]);
    training_write(&training, name, "make value-strong");
    return 0;
}
