/* What the review of one seat's round costs, in CPU time: matches of four seats that the quick
 * policy plays, with every choice of one seat judged. */

#include "base/clock.h"
#include "base/memory.h"
#include "match/review.h"
#include "support/bench_output.h"
#include "value/swift.h"

#include <stdlib.h>
#include <time.h>

#define SEATS 4
#define ROUNDS 5
#define ANSWERS_MAX 4096
#define PATIENCE_US INT64_C(3600000000)

static double cpu_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void add_answer(struct review *review, const struct allegra_table *table, unsigned seat,
                       struct allegra_answer answer)
{
    struct allegra_legal legal;

    allegra_legal_list(table, seat, &legal);
    if (review->answer_count == ANSWERS_MAX)
        return;
    review->answers[review->answer_count] = (struct review_answer){
        .number = review->answer_count + 1,
        .seat = seat,
        .kind = legal.count > 1 ? REVIEW_CHOICE : REVIEW_FORCED,
        .played = answer,
        .table = *table,
    };
    review->answer_count++;
}

/* Plays one round and keeps all questions and answers. */
static void play(struct review *review, uint64_t seed)
{
    struct allegra_dice dice = allegra_dice_from(seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct allegra_table table;
    struct glance glance;

    review->answer_count = 0;
    allegra_table_start(&table, &rules, SEATS, 0, &shuffler, NULL);
    glance_start(&glance, &table);
    while (!allegra_table_is_over(&table)) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(&table));
        struct allegra_answer answer = swift_choose(&glance, &table, seat);

        add_answer(review, &table, seat, answer);
        allegra_table_apply(&table, seat, answer, &shuffler, NULL);
    }
}

/* The time for one seat's round; `patience_us` is what whole deals may take. */
static double measure(struct review *review, int64_t patience_us)
{
    double start = cpu_s();

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct review_setup setup = {.seed = round, .deadline_us = clock_now_us() + patience_us};

        play(review, round);
        review_judge(review, round % SEATS, 1, &setup);
    }
    return (cpu_s() - start) / ROUNDS;
}

int main(int argc, char **argv)
{
    struct review review = {.seats = SEATS, .rounds = 1};

    bench_output_init(argc, argv);
    if (!bench_output_is_wanted("review."))
        return 0;
    review.answers = xcalloc(ANSWERS_MAX, sizeof *review.answers);
    bench_output_print("review.seconds_per_round_cut", measure(&review, 0), "s");
    if (bench_output_is_wanted("review.seconds_per_round_confirmed"))
        bench_output_print("review.seconds_per_round_confirmed", measure(&review, PATIENCE_US),
                           "s");
    free(review.answers);
    return 0;
}
