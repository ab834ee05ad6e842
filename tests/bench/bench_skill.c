/* How much luck can be told from skill, what that costs, and that it moves no mean.
 *
 * All matches are played in this process. MATCHES in the environment sets how many are played for
 * the test of means; they are shared among the cores. The proof is MATCHES=500000, which takes
 * hours; FIRST sets the number of the first match, so that it can be done in parts. */

#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "support/bench_output.h"
#include "support/skill_bots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GAIN_MATCHES 1500
#define MEAN_MATCHES 20000
#define THINKING_US 20000
#define CORES_MAX 64

/* A sum of numbers and of their squares. */
struct tally {
    double count;
    double sum;
    double squares;
};

static void count(struct tally *tally, double number)
{
    tally->count++;
    tally->sum += number;
    tally->squares += number * number;
}

static double variance_of(const struct tally *tally)
{
    return tally->squares / tally->count - pow(tally->sum / tally->count, 2);
}

/* How far a sum of numbers whose mean should be 0 is from 0, in standard errors. */
static double off_by(const struct tally *tally)
{
    return tally->squares > 0 ? tally->sum / sqrt(tally->squares) : 0;
}

/* --- How many times fewer matches are enough --- */

static void print_gain(const char *edition, const char *of, double gain)
{
    char name[80];

    snprintf(name, sizeof name, "skill.times_fewer_matches_%s_%s", of, edition);
    bench_output_print(name, gain, "times");
}

static void measure_gain(enum allegra_edition edition)
{
    struct tally tallies[4] = {{.count = 0}};
    struct skill_match match = {.rules = allegra_rules_of_edition(edition), .seats = 4};
    struct skill_result result;

    for (unsigned seat = 0; seat < match.seats; seat++)
        match.players[seat] = skill_choose_greedy;
    for (match.seed = 1; match.seed <= GAIN_MATCHES; match.seed++) {
        skill_play(&match, &result);
        for (unsigned seat = 0; seat < match.seats; seat++) {
            count(&tallies[0], result.points[seat]);
            count(&tallies[1], result.points[seat] - result.luck.of[seat].points);
            count(&tallies[2], result.wins[seat]);
            count(&tallies[3], result.wins[seat] - result.luck.of[seat].wins);
        }
    }
    print_gain(allegra_edition_name(edition), "score",
               variance_of(&tallies[0]) / variance_of(&tallies[1]));
    print_gain(allegra_edition_name(edition), "win",
               variance_of(&tallies[2]) / variance_of(&tallies[3]));
}

/* --- What it costs --- */

static unsigned long questions;

static struct allegra_answer choose_counted(const struct allegra_table *table, unsigned seat,
                                            struct glance *glance, struct allegra_dice *dice)
{
    questions++;
    return skill_choose_greedy(table, seat, glance, dice);
}

static double cpu_us(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static double play_for_cost(bool is_without_luck, unsigned matches)
{
    struct skill_match match = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026),
                                .seats = 4,
                                .is_without_luck = is_without_luck};
    struct skill_result result;
    double start = cpu_us();

    for (unsigned seat = 0; seat < match.seats; seat++)
        match.players[seat] = choose_counted;
    for (match.seed = 1; match.seed <= matches; match.seed++)
        skill_play(&match, &result);
    return (cpu_us() - start) / matches;
}

static void measure_cost(void)
{
    unsigned matches = 200;
    double plain = play_for_cost(true, matches);
    double thinking = (double)questions / matches * THINKING_US;
    double luck = play_for_cost(false, matches) - plain;

    bench_output_print("skill.us_per_match", luck, "us");
    bench_output_print("skill.percent_of_match_at_20ms", 100 * luck / thinking, "percent");
}

/* --- That the mean of luck is zero --- */

enum { OF_POINTS, OF_WINS, MEASURES };

struct means {
    struct tally kinds[MEASURES][LUCK_KINDS];
    struct tally totals[MEASURES];
};

/* A line-up for each match: one kind of player, or all kinds mixed. */
static skill_choose_fn *player_for(unsigned match, unsigned seat)
{
    static skill_choose_fn *const players[] = {skill_choose_random, skill_choose_swift,
                                               skill_choose_noisy, skill_choose_greedy,
                                               skill_choose_strong};
    unsigned count = sizeof players / sizeof *players;
    unsigned lineup = match % (2 * count);

    /* `strong` takes long, so it plays in one line-up in ten only. */
    return players[lineup < count - 1 ? lineup
                   : lineup == count  ? (match + seat) % count
                                      : seat % 4];
}

static void test_means(struct means *means, unsigned first, unsigned step, unsigned end)
{
    for (unsigned i = first; i < end; i += step) {
        unsigned which = i / 10;
        struct skill_match match = {
            .rules = allegra_rules_of_edition((enum allegra_edition)(which % 5)),
            .seats = 2 + which / 5 % 5,
            .seed = UINT64_C(1) << 40 | i,
        };
        struct skill_result result;
        unsigned seat;

        for (seat = 0; seat < match.seats; seat++)
            match.players[seat] = player_for(i, seat);
        skill_play(&match, &result);
        seat = which / 25 % match.seats;
        for (unsigned kind = 0; kind < LUCK_KINDS; kind++) {
            count(&means->kinds[OF_POINTS][kind], result.points_by_kind[kind][seat]);
            count(&means->kinds[OF_WINS][kind], result.wins_by_kind[kind][seat]);
        }
        count(&means->totals[OF_POINTS], result.luck.of[seat].points);
        count(&means->totals[OF_WINS], result.luck.of[seat].wins);
    }
}

static void add_tally(struct tally *sum, const struct tally *tally)
{
    sum->count += tally->count;
    sum->sum += tally->sum;
    sum->squares += tally->squares;
}

static void print_mean(const char *measure, const char *of, const struct tally *tally)
{
    char name[80];

    snprintf(name, sizeof name, "skill.z_%s_%s", measure, of);
    bench_output_print(name, off_by(tally), "standard_errors");
}

static void print_means(const struct means *parts, unsigned cores)
{
    static const char *const measures[MEASURES] = {[OF_POINTS] = "score", [OF_WINS] = "win"};
    struct means sum = parts[0];

    for (unsigned core = 1; core < cores; core++) {
        for (unsigned measure = 0; measure < MEASURES; measure++) {
            for (unsigned kind = 0; kind < LUCK_KINDS; kind++)
                add_tally(&sum.kinds[measure][kind], &parts[core].kinds[measure][kind]);
            add_tally(&sum.totals[measure], &parts[core].totals[measure]);
        }
    }
    for (unsigned measure = 0; measure < MEASURES; measure++) {
        for (unsigned kind = LUCK_NONE + 1; kind < LUCK_KINDS; kind++)
            print_mean(measures[measure], luck_kind_name((enum luck_kind)kind),
                       &sum.kinds[measure][kind]);
        print_mean(measures[measure], "total", &sum.totals[measure]);
    }
    bench_output_print("skill.z_matches", sum.totals[0].count, "matches");
}

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static void measure_means(void)
{
    unsigned first = setting("FIRST", 0);
    unsigned end = first + setting("MATCHES", MEAN_MATCHES);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned cores = online < 1 ? 1 : online > CORES_MAX ? CORES_MAX : (unsigned)online;
    struct means *means = mmap(NULL, cores * sizeof *means, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (means == MAP_FAILED)
        fatal("no memory");
    for (unsigned core = 0; core < cores; core++) {
        pid_t child = fork();

        if (child < 0)
            fatal("fork failed");
        if (child == 0) {
            test_means(&means[core], first + core, cores, end);
            _exit(0);
        }
    }
    for (unsigned core = 0; core < cores; core++) {
        int status;

        if (wait(&status) < 0 || status != 0)
            fatal("a child of the benchmark failed");
    }
    print_means(means, cores);
    munmap(means, cores * sizeof *means);
}

int main(int argc, char **argv)
{
    bench_output_init(argc, argv);
    if (bench_output_is_wanted("skill.times")) {
        measure_gain(ALLEGRA_EDITION_DE2026);
        measure_gain(ALLEGRA_EDITION_EN2020);
    }
    if (bench_output_is_wanted("skill.us") || bench_output_is_wanted("skill.percent"))
        measure_cost();
    if (bench_output_is_wanted("skill.z"))
        measure_means();
    return 0;
}
