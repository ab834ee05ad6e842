/* Measures random play of four seats by the rules of en2020, with knocking.
 *
 * One decision is what a simulation does per answer: list the legal answers, choose one at random,
 * and apply it. A bid is a decision. Each result is the median of three runs. */

#include "base/clock.h"
#include "game/allegra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN_US 5000000
#define RUNS 3
#define SEATS 4

/* Decisions or copies between two readings of the clock. */
#define BATCH 100000

static struct allegra_dice dice;
static struct allegra_table table;
static struct allegra_events events;

static void start_match(void)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);

    allegra_table_start(&table, &rules, SEATS, 0, &shuffler, NULL);
}

static void decide(const struct allegra_shuffler *shuffler, struct allegra_events *reported)
{
    unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(&table));
    struct allegra_legal legal;

    allegra_legal_list(&table, seat, &legal);
    allegra_table_apply(&table, seat, allegra_simulate_choose(&dice, &legal), shuffler, reported);
}

static void play(struct allegra_events *reported)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);

    for (long i = 0; i < BATCH; i++) {
        if (allegra_table_is_over(&table))
            start_match();
        decide(&shuffler, reported);
    }
}

static void play_without_events(void)
{
    play(NULL);
}

static void play_with_events(void)
{
    play(&events);
}

/* Copies to and fro, so that the compiler cannot skip anything. */
static void copy(void)
{
    static struct allegra_table other;

    for (long i = 0; i < BATCH; i += 2) {
        other = table;
        __asm__ volatile("" : : : "memory");
        table = other;
        __asm__ volatile("" : : : "memory");
    }
}

typedef void batch_fn(void);

static double run_per_s(batch_fn *batch)
{
    int64_t start_us = clock_now_us();
    int64_t now_us = start_us;
    double done = 0;

    dice = allegra_dice_from(1);
    start_match();
    while (now_us < start_us + RUN_US) {
        batch();
        done += BATCH;
        now_us = clock_now_us();
    }
    return done * 1e6 / (double)(now_us - start_us);
}

static int compare(const void *one, const void *other)
{
    double first = *(const double *)one;
    double second = *(const double *)other;

    return (first > second) - (first < second);
}

static double median_per_s(batch_fn *batch)
{
    double runs[RUNS];

    for (unsigned i = 0; i < RUNS; i++)
        runs[i] = run_per_s(batch);
    qsort(runs, RUNS, sizeof runs[0], compare);
    return runs[RUNS / 2];
}

static bool is_wanted(const char *name, const char *only)
{
    return strncmp(name, only, strlen(only)) == 0;
}

static void bench(const char *name, batch_fn *batch, const char *only)
{
    if (!is_wanted(name, only))
        return;
    printf("bench %s %.0f /s\n", name, median_per_s(batch));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";

    bench("game.decisions_per_s", play_without_events, only);
    if (is_wanted("game.state_bytes", only))
        printf("bench game.state_bytes %zu bytes\n", sizeof(struct allegra_table));
    bench("game.copies_per_s", copy, only);
    bench("game.decisions_with_events_per_s", play_with_events, only);
    return 0;
}
