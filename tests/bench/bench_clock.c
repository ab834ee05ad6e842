/* Measures whether the clock is just on a busy machine: who loses on time without being slow, and
 * who gets more than its time.
 *
 * False forfeits: eight matches at once with 10 ms per answer and four bots each that compute for
 * 5 ms per answer, bids included; once with bots of one thread, once with three of four that have
 * several. A bot that computes for 30 ms, and one that sleeps as long, must be late under the same
 * load. Starved: bots that need 30 of 100 ms, beside one with a hundred busy children. Cheats: the
 * most that any of the cheats in tests/hostile uses for an answer that is accepted. */

#include "sandbox/sandbox.h"
#include "support/match_runner.h"
#include "support/bench_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MATCHES 8
#define PATH_BYTES 300
#define CHEAT_MS 100

static const char *const cheats[] = {"cheats_in_threads_that_end", "cheats_in_many_threads",
                                     "cheats_in_many_processes", "cheats_in_ended_children",
                                     "cheats_before_saying"};

struct bench {
    struct match_runner *runner;
    struct sandbox *guarded; /* or none, where that is not available */
    char build[256];
    char working[PATH_BYTES];
    char threaded[PATH_BYTES];
};

/* How many of the bots at these seats were dismissed. In a void match all of them count. */
static unsigned count_faults(const struct match_runner_result *matches, unsigned from, unsigned to)
{
    unsigned faults = 0;

    for (unsigned i = 0; i < MATCHES; i++) {
        for (unsigned seat = from; seat < to; seat++)
            faults += matches[i].is_void || matches[i].faults[seat] != BOT_ANSWERED;
    }
    return faults;
}

static struct match_runner_setup setup_of(const struct bench *bench, long move_ms)
{
    struct match_runner_setup setup = {
        .rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020), .seats = 4, .move_ms = move_ms};

    setup.rules.rounds = 1;
    setup.rules.turn_limit = 5;
    for (unsigned seat = 0; seat < 4; seat++)
        setup.bots[seat] = bench->working;
    return setup;
}

static void measure_forfeits(const struct bench *bench)
{
    struct match_runner_setup setup = setup_of(bench, 10);
    struct match_runner_result matches[MATCHES];
    char burning[PATH_BYTES];
    char sleeping[PATH_BYTES];
    double answers = 0;

    match_runner_play(bench->runner, &setup, MATCHES, 0, matches);
    for (unsigned i = 0; i < MATCHES; i++)
        answers += (double)matches[i].answers;
    bench_output_print("clock.answers", answers, "answers");
    bench_output_print("clock.false_forfeits", count_faults(matches, 0, 4), "bots");
    for (unsigned seat = 1; seat < 4; seat++)
        setup.bots[seat] = bench->threaded;
    match_runner_pin(0);
    match_runner_play(bench->runner, &setup, MATCHES, 0, matches);
    bench_output_print("clock.false_forfeits_threads", count_faults(matches, 0, 4), "bots");
    snprintf(burning, sizeof burning, "%s/slow_bot burn 30", bench->build);
    snprintf(sleeping, sizeof sleeping, "%s/slow_bot sleep 30", bench->build);
    setup.seats = 6;
    setup.bots[4] = burning;
    setup.bots[5] = sleeping;
    match_runner_play(bench->runner, &setup, MATCHES, MATCHES, matches);
    bench_output_print("clock.false_forfeits_among_late", count_faults(matches, 0, 4), "bots");
    bench_output_print("clock.burners_late_of_8", count_faults(matches, 4, 5), "bots");
    bench_output_print("clock.sleepers_late_of_8", count_faults(matches, 5, 6), "bots");
}

static void measure_starved(const struct bench *bench)
{
    struct match_runner_setup setup = setup_of(bench, 100);
    struct match_runner_result matches[MATCHES];
    char needy[PATH_BYTES];
    char starver[PATH_BYTES];

    snprintf(needy, sizeof needy, "%s/slow_bot burn 30", bench->build);
    snprintf(starver, sizeof starver, "%s/../tests/hostile/starves_others", bench->build);
    setup.sandbox = bench->guarded;
    setup.bots[0] = starver;
    for (unsigned seat = 1; seat < 4; seat++)
        setup.bots[seat] = needy;
    match_runner_play(bench->runner, &setup, MATCHES, 0, matches);
    bench_output_print("clock.starved_forfeits", count_faults(matches, 1, 4), "bots");
}

/* What the cheat said of its last answer that was accepted, as a part of its limit. */
static double factor_of(const char *path, bool was_dismissed)
{
    FILE *file = fopen(path, "re");
    double last = 0;
    double before = 0;
    long percent;

    while (file != NULL && fscanf(file, "used %ld percent\n", &percent) == 1) {
        before = last;
        last = (double)percent / 100;
    }
    if (file != NULL)
        fclose(file);
    (void)unlink(path);
    return was_dismissed ? before : last;
}

static double measure_cheat(const struct bench *bench, const char *name, unsigned number,
                            const char *folder)
{
    struct match_runner_setup setup = setup_of(bench, CHEAT_MS);
    struct match_runner_result match;
    char cheat[PATH_BYTES + 80];
    char honest[PATH_BYTES];
    char path[PATH_BYTES];

    snprintf(cheat, sizeof cheat, "%s/../tests/hostile/%s ramp", bench->build, name);
    snprintf(honest, sizeof honest, "%s/first_bot", bench->build);
    setup.seats = 2;
    setup.bots[0] = cheat;
    setup.bots[1] = honest;
    setup.rules.turn_limit = 30;
    setup.folder = folder;
    setup.sandbox = bench->guarded;
    match_runner_play(bench->runner, &setup, 1, number, &match);
    snprintf(path, sizeof path, "%s/%u.ndjson.stderr.0", folder, number);
    return factor_of(path, match.faults[0] != BOT_ANSWERED);
}

static void measure_cheats(const struct bench *bench)
{
    char folder[] = "/tmp/bench_clock.XXXXXX";
    double worst = 0;

    if (mkdtemp(folder) == NULL)
        return;
    for (unsigned i = 0; i < ARRAY_LEN(cheats); i++) {
        char name[80];
        double factor = measure_cheat(bench, cheats[i], i, folder);

        snprintf(name, sizeof name, "clock.cheat_factor_%s", cheats[i] + strlen("cheats_"));
        bench_output_print(name, factor, "limits");
        worst = factor > worst ? factor : worst;
    }
    bench_output_print("clock.cheat_factor", worst, "limits");
    (void)rmdir(folder);
}

static void measure(struct bench *bench)
{
    char message[400];
    struct text problem;

    snprintf(bench->working, sizeof bench->working, "%s/slow_bot burn 5", bench->build);
    snprintf(bench->threaded, sizeof bench->threaded, "%s/slow_bot threads 5", bench->build);
    text_start(&problem, message, sizeof message);
    bench->guarded = sandbox_new(SANDBOX_GUARDED, &problem);
    bench->runner = match_runner_new();
    measure_forfeits(bench);
    measure_cheats(bench);
    if (bench->guarded != NULL)
        measure_starved(bench);
    else
        fprintf(stderr, "clock.starved_forfeits is left out: %s\n", message);
    match_runner_free(bench->runner);
    sandbox_free(bench->guarded);
}

int main(int argc, char **argv)
{
    struct bench bench = {0};

    bench_output_init(argc, argv);
    if (!bench_output_folder(argv, bench.build, sizeof bench.build))
        return 1;
    if (bench_output_is_wanted("clock."))
        measure(&bench);
    return 0;
}
