/* Measures whether bots lose on time on a busy machine: eight matches at once with 10 ms per answer
 * and four bots each that compute for 5 ms per answer, bids included. A bot that computes for 30
 * ms, and one that sleeps as long, must be late under the same load. */

#include "support/match_runner.h"
#include "support/bench_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATCHES 8

/* How many of the bots at these seats were dismissed. */
static unsigned count_faults(const struct match_runner_result *matches, unsigned from, unsigned to)
{
    unsigned faults = 0;

    for (unsigned i = 0; i < MATCHES; i++) {
        for (unsigned seat = from; seat < to; seat++)
            faults += matches[i].faults[seat] != BOT_ANSWERED;
    }
    return faults;
}

int main(int argc, char **argv)
{
    struct match_runner *runner;
    struct match_runner_result matches[MATCHES];
    struct match_runner_setup setup = {
        .rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020), .seats = 4, .move_ms = 10};
    char build[256];
    char working[300];
    char burning[300];
    char sleeping[300];
    double answers = 0;

    bench_output_init(argc, argv);
    if (!bench_output_folder(argv, build, sizeof build))
        return 1;
    if (!bench_output_is_wanted("clock."))
        return 0;
    snprintf(working, sizeof working, "%s/slow_bot burn 5", build);
    snprintf(burning, sizeof burning, "%s/slow_bot burn 30", build);
    snprintf(sleeping, sizeof sleeping, "%s/slow_bot sleep 30", build);
    setup.rules.rounds = 1;
    setup.rules.turn_limit = 5;
    for (unsigned seat = 0; seat < 4; seat++)
        setup.bots[seat] = working;
    runner = match_runner_new();
    match_runner_play(runner, &setup, MATCHES, 0, matches);
    for (unsigned i = 0; i < MATCHES; i++)
        answers += (double)matches[i].answers;
    bench_output_print("clock.answers", answers, "answers");
    bench_output_print("clock.false_forfeits", count_faults(matches, 0, 4), "bots");
    setup.seats = 6;
    setup.bots[4] = burning;
    setup.bots[5] = sleeping;
    match_runner_play(runner, &setup, MATCHES, MATCHES, matches);
    bench_output_print("clock.false_forfeits_among_late", count_faults(matches, 0, 4), "bots");
    bench_output_print("clock.burners_late_of_8", count_faults(matches, 4, 5), "bots");
    bench_output_print("clock.sleepers_late_of_8", count_faults(matches, 5, 6), "bots");
    match_runner_free(runner);
    return 0;
}
