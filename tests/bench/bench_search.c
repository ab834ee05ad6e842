/* How strong `strong` is, measured in one process: each question gets the same CPU time whatever
 * else the machine does, and the luck of the cards is taken out of the wins, so that few matches
 * tell much. One player sits against three others at four seats; equal players would each win 0.25.
 * An interval is 1.96 standard errors on either side.
 *
 * MATCHES in the environment sets the number of matches per result, FIRST the number of the first,
 * so that a long measurement can be done in parts. */

#include "support/bench_output.h"
#include "support/skill_bots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SEATS 4
#define MATCHES 60
#define SAMPLES_MAX 1000000

/* CPU time per question: about what `strong` uses if it has 20 ms of wall time. */
#define LIMIT_NS INT64_C(12000000)

static int64_t cpu_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool is_over(void *context)
{
    return cpu_ns() >= *(const int64_t *)context;
}

static struct allegra_answer search(const struct allegra_table *table, unsigned seat,
                                    struct allegra_dice *dice, bool is_full)
{
    int64_t end_ns = cpu_ns() + LIMIT_NS;
    struct search_limit limit = {
        .samples = SAMPLES_MAX, .is_over = is_over, .context = &end_ns, .is_full = is_full};

    return skill_search(table, seat, dice, &limit);
}

static struct allegra_answer choose_strong(const struct allegra_table *table, unsigned seat,
                                           struct glance *glance, struct allegra_dice *dice)
{
    (void)glance;
    return search(table, seat, dice, false);
}

/* `strong --full`: as it played before there was a value function. */
static struct allegra_answer choose_old(const struct allegra_table *table, unsigned seat,
                                        struct glance *glance, struct allegra_dice *dice)
{
    (void)glance;
    return search(table, seat, dice, true);
}

static const struct contest {
    const char *name;
    skill_choose_fn *one;
    skill_choose_fn *others;
} contests[] = {
    {"search.strong_vs_old", choose_strong, choose_old},
    {"search.strong_vs_greedy", choose_strong, skill_choose_greedy},
    {"search.old_vs_greedy", choose_old, skill_choose_greedy},
};

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    int number = text != NULL ? atoi(text) : 0;

    return number > 0 ? (unsigned)number : otherwise;
}

/* The wins of one match without its luck. */
static double play(const struct contest *contest, unsigned number)
{
    struct skill_match match = {
        .rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026), .seats = SEATS, .seed = number};
    unsigned me = number / SEATS % SEATS;
    struct skill_result result;

    for (unsigned seat = 0; seat < SEATS; seat++)
        match.players[seat] = seat == me ? contest->one : contest->others;
    skill_play(&match, &result);
    return result.wins[me] - result.luck.of[me].wins;
}

static void run(const struct contest *contest)
{
    unsigned count = setting("MATCHES", MATCHES);
    unsigned first = setting("FIRST", 1);
    double sum = 0;
    double squares = 0;
    double mean;
    double margin;
    char name[80];

    for (unsigned i = 0; i < count; i++) {
        double wins = play(contest, first + i);

        sum += wins;
        squares += wins * wins;
    }
    mean = sum / count;
    margin = 1.96 * sqrt((squares / count - mean * mean) / (count - 1));
    bench_output_print(contest->name, mean, "share");
    snprintf(name, sizeof name, "%s_margin", contest->name);
    bench_output_print(name, margin, "share");
}

int main(int argc, char **argv)
{
    bench_output_init(argc, argv);
    for (unsigned i = 0; i < sizeof contests / sizeof *contests; i++) {
        if (bench_output_is_wanted(contests[i].name))
            run(&contests[i]);
    }
    return 0;
}
