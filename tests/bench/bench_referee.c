/* Measures answers of real processes per second, compared with the limit that pipes allow. Matches
 * and the limit are measured in turns on one core, so that both see the same machine. */

#include "sandbox/sandbox.h"
#include "support/match_runner.h"
#include "support/bench_output.h"
#include "support/pipe_benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TURNS 7
#define LOG_MATCHES 100
#define OPEN_MATCHES 200

static struct match_runner_setup four_seats(const char *bot, const char *folder)
{
    struct match_runner_setup setup = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020),
                                       .seats = 4,
                                       .move_ms = 1000,
                                       .folder = folder};

    for (unsigned seat = 0; seat < 4; seat++)
        setup.bots[seat] = bot;
    return setup;
}

/* The level guarded, or NULL if this machine does not support it. */
static struct sandbox *sandbox_or_none(void)
{
    char message[400];
    struct text problem;
    struct sandbox *sandbox;

    text_start(&problem, message, sizeof message);
    sandbox = sandbox_new(SANDBOX_GUARDED, &problem);
    if (sandbox == NULL)
        fprintf(stderr, "referee.ratio_guarded is left out: %s\n", message);
    return sandbox;
}

static void bench_speed(const char *folder, const char *bot)
{
    struct match_runner *runner = match_runner_new();
    struct match_runner_setup setup = four_seats(bot, folder);
    double limits[TURNS];
    double speeds[TURNS];
    double ratios[TURNS];
    double costs[TURNS];
    double guarded[TURNS];
    struct sandbox *sandbox = sandbox_or_none();
    struct pipe_benchmark limit;

    if (pipe_benchmark_start(&limit, 0) != 0) {
        perror("bench referee");
        exit(1);
    }
    for (unsigned i = 0; i < TURNS; i++) {
        struct match_runner_result match;

        limits[i] = pipe_benchmark_measure(&limit, 500000);
        match_runner_play(runner, &setup, 1, i, &match);
        speeds[i] = (double)match.answers / match.seconds;
        ratios[i] = speeds[i] / limits[i];
        costs[i] = 1e6 * match.cpu_seconds / (double)match.answers;
        setup.sandbox = sandbox;
        match_runner_play(runner, &setup, 1, i, &match);
        guarded[i] = (double)match.answers / match.seconds / limits[i];
        setup.sandbox = NULL;
    }
    pipe_benchmark_stop(&limit);
    match_runner_pin(-1);
    bench_output_print("pipe.limit_per_s", bench_output_median(limits, TURNS), "/s");
    bench_output_print("referee.answers_per_s", bench_output_median(speeds, TURNS), "/s");
    bench_output_print("referee.ratio", bench_output_median(ratios, TURNS), "of_the_limit");
    if (sandbox != NULL)
        bench_output_print("referee.ratio_guarded", bench_output_median(guarded, TURNS),
                           "of_the_limit");
    sandbox_free(sandbox);
    bench_output_print("referee.cpu_us_per_answer", bench_output_median(costs, TURNS), "us");
    match_runner_free(runner);
}

static void bench_log(const char *folder, const char *bot)
{
    static const char *const names[] = {"log.bytes_per_match", "log.bytes_per_match_compressed"};
    struct match_runner *runner = match_runner_new();
    struct match_runner_setup setup = four_seats(bot, folder);
    double bytes[LOG_MATCHES];

    for (unsigned packs = 0; packs < 2; packs++) {
        setup.packs_logs = packs;
        for (unsigned i = 0; i < LOG_MATCHES; i++) {
            struct match_runner_result match;

            match_runner_play(runner, &setup, 1, i, &match);
            bytes[i] = (double)match.log_bytes;
        }
        bench_output_print(names[packs], bench_output_median(bytes, LOG_MATCHES), "bytes");
    }
    match_runner_free(runner);
}

/* Uses slow bots, so that all matches are open at once. */
static void bench_memory(const char *bot)
{
    struct match_runner *runner = match_runner_new();
    struct match_runner_setup setup = four_seats(bot, NULL);
    long before;
    long after;

    setup.move_ms = 60000;
    before = match_runner_resident_kb(runner, &setup, 0);
    after = match_runner_resident_kb(runner, &setup, OPEN_MATCHES);
    bench_output_print("referee.rss_kb_per_match", (double)(after - before) / OPEN_MATCHES, "kB");
    match_runner_free(runner);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/bench_referee.XXXXXX";
    char build[256];
    char first[300];
    char slow[300];
    char greedy[300];

    bench_output_init(argc, argv);
    if (!bench_output_folder(argv, build, sizeof build) || mkdtemp(folder) == NULL)
        return 1;
    snprintf(first, sizeof first, "%s/first_bot", build);
    snprintf(slow, sizeof slow, "%s/slow_bot sleep 20", build);
    snprintf(greedy, sizeof greedy, "%s/../bots/greedy", build);
    if (bench_output_is_wanted("pipe.limit_per_s") ||
        bench_output_is_wanted("referee.answers_per_s") ||
        bench_output_is_wanted("referee.ratio") ||
        bench_output_is_wanted("referee.cpu_us_per_answer"))
        bench_speed(folder, first);
    if (bench_output_is_wanted("log.bytes_per_match"))
        bench_log(folder, greedy);
    if (bench_output_is_wanted("referee.rss_kb_per_match"))
        bench_memory(slow);
    rmdir(folder);
    return 0;
}
