/* How fast logs are proved: against how fast they were played with instant bots, process start excluded,
 * in turns on one core. */

#include "match/replay.h"
#include "support/arena.h"
#include "support/figures.h"

#include "base/clock.h"
#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TURNS 7
#define PASSES 3

/* Proves a log and returns how many events it has. */
static unsigned long verify(const char *path)
{
    char words[1300];
    struct text problem;
    struct replay *replay;
    unsigned long events = 0;
    int result;

    text_start(&problem, words, sizeof words);
    replay = replay_load(path, NULL, NULL, &problem);
    if (replay == NULL)
        fatal("%s", words);
    do {
        events += replay_events(replay)->count;
        result = replay_next(replay, &problem);
    } while (result > 0);
    if (result < 0)
        fatal("%s", words);
    replay_free(replay);
    return events;
}

static void bench(const char *folder, const char *bot)
{
    struct arena *arena = arena_new();
    struct arena_setup setup = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020),
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
    arena_pin(0);
    for (unsigned i = 0; i < TURNS; i++) {
        struct arena_match match;
        unsigned long count = 0;
        double seconds;
        int64_t start_us;

        arena_play(arena, &setup, 1, i, &match);
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
    figures_print("replay.verify_per_s", figures_median(logs, TURNS), "logs/s");
    figures_print("replay.events_per_s", figures_median(events, TURNS), "/s");
    figures_print("replay.times_as_fast_as_playing", figures_median(ratios, TURNS), "times");
    arena_free(arena);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/bench_replay.XXXXXX";
    char build[256];
    char bot[300];

    figures_start(argc, argv);
    if (!figures_are_wanted("replay.")) {
        return 0;
    }
    if (!figures_folder(argv, build, sizeof build) || mkdtemp(folder) == NULL)
        return 1;
    snprintf(bot, sizeof bot, "%s/first_bot", build);
    bench(folder, bot);
    rmdir(folder);
    return 0;
}
