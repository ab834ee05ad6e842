/* Measures the verification of logs, compared with playing the same matches with instant bots,
 * without the start of processes, in turns on one core. */

#include "match/replay.h"
#include "support/match_runner.h"
#include "support/bench_output.h"

#include "base/clock.h"
#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TURNS 7
#define PASSES 3

/* Verifies a log and returns the number of its events. */
static unsigned long verify(const char *path)
{
    char message[1300];
    struct text problem;
    struct replay *replay;
    unsigned long events = 0;
    int result;

    text_start(&problem, message, sizeof message);
    replay = replay_load(path, NULL, NULL, &problem);
    if (replay == NULL)
        fatal("%s", message);
    do {
        events += replay_events(replay)->count;
        result = replay_next(replay, &problem);
    } while (result > 0);
    if (result < 0)
        fatal("%s", message);
    replay_free(replay);
    return events;
}

static void bench(const char *folder, const char *bot)
{
    struct match_runner *runner = match_runner_new();
    struct match_runner_setup setup = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020),
                                       .seats = 4,
                                       .move_ms = 1000,
                                       .folder = folder,
                                       .keeps_logs = true};
    double logs[TURNS];
    double events[TURNS];
    double ratios[TURNS];
    char path[300];

    for (unsigned seat = 0; seat < 4; seat++)
        setup.bots[seat] = bot;
    match_runner_pin(0);
    for (unsigned i = 0; i < TURNS; i++) {
        struct match_runner_result match;
        unsigned long count = 0;
        double seconds;
        int64_t start_us;

        match_runner_play(runner, &setup, 1, i, &match);
        snprintf(path, sizeof path, "%s/%u.ndjson", folder, i);
        start_us = clock_now_us();
        for (unsigned k = 0; k < PASSES; k++)
            count += verify(path);
        seconds = (double)(clock_now_us() - start_us) / 1e6 / PASSES;
        logs[i] = 1 / seconds;
        events[i] = (double)count / PASSES / seconds;
        ratios[i] = match.seconds / seconds;
        unlink(path);
    }
    bench_output_print("replay.verify_per_s", bench_output_median(logs, TURNS), "logs/s");
    bench_output_print("replay.events_per_s", bench_output_median(events, TURNS), "/s");
    bench_output_print("replay.times_as_fast_as_playing", bench_output_median(ratios, TURNS),
                       "times");
    match_runner_free(runner);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/bench_replay.XXXXXX";
    char build[256];
    char bot[300];

    bench_output_init(argc, argv);
    if (!bench_output_is_wanted("replay.")) {
        return 0;
    }
    if (!bench_output_folder(argv, build, sizeof build) || mkdtemp(folder) == NULL)
        return 1;
    snprintf(bot, sizeof bot, "%s/first_bot", build);
    bench(folder, bot);
    rmdir(folder);
    return 0;
}
