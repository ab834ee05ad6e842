/* How fast the referee is: answers of real processes, against what two pipes can do at all. The
 * matches and the limit are measured in turns on one core, so that both see the same machine. */

#include "sandbox/sandbox.h"
#include "support/arena.h"
#include "support/figures.h"
#include "support/pipe_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TURNS 7
#define LOG_MATCHES 100
#define OPEN_MATCHES 200

static struct arena_setup four_seats(const char *bot, const char *folder)
{
    struct arena_setup setup = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020),
                                .seats = 4,
                                .move_ms = 1000,
                                .folder = folder};

    for (unsigned seat = 0; seat < 4; seat++)
        setup.bots[seat] = bot;
    return setup;
}

/* The level guarded; NULL where this machine does not have it. */
static struct sandbox *sandbox_or_none(void)
{
    char words[400];
    struct text problem;
    struct sandbox *sandbox;

    text_start(&problem, words, sizeof words);
    sandbox = sandbox_new(SANDBOX_GUARDED, &problem);
    if (sandbox == NULL)
        fprintf(stderr, "referee.ratio_guarded is left out: %s\n", words);
    return sandbox;
}

static void bench_speed(const char *folder, const char *bot)
{
    struct arena *arena = arena_new();
    struct arena_setup setup = four_seats(bot, folder);
    double limits[TURNS];
    double speeds[TURNS];
    double ratios[TURNS];
    double costs[TURNS];
    double guarded[TURNS];
    struct sandbox *sandbox = sandbox_or_none();
    struct pipe_limit limit;

    if (pipe_limit_start(&limit, 0) != 0) {
        perror("bench referee");
        exit(1);
    }
    for (unsigned i = 0; i < TURNS; i++) {
        struct arena_match match;

        limits[i] = pipe_limit_measure(&limit, 500000);
        arena_play(arena, &setup, 1, i, &match);
        speeds[i] = (double)match.answers / match.seconds;
        ratios[i] = speeds[i] / limits[i];
        costs[i] = 1e6 * match.cpu_seconds / (double)match.answers;
        setup.sandbox = sandbox;
        arena_play(arena, &setup, 1, i, &match);
        guarded[i] = (double)match.answers / match.seconds / limits[i];
        setup.sandbox = NULL;
    }
    pipe_limit_stop(&limit);
    arena_pin(-1);
    figures_print("pipe.limit_per_s", figures_median(limits, TURNS), "/s");
    figures_print("referee.answers_per_s", figures_median(speeds, TURNS), "/s");
    figures_print("referee.ratio", figures_median(ratios, TURNS), "of_the_limit");
    if (sandbox != NULL)
        figures_print("referee.ratio_guarded", figures_median(guarded, TURNS), "of_the_limit");
    sandbox_free(sandbox);
    figures_print("referee.cpu_us_per_answer", figures_median(costs, TURNS), "us");
    arena_free(arena);
}

static void bench_log(const char *folder, const char *bot)
{
    struct arena *arena = arena_new();
    struct arena_setup setup = four_seats(bot, folder);
    double bytes[LOG_MATCHES];

    for (unsigned i = 0; i < LOG_MATCHES; i++) {
        struct arena_match match;

        arena_play(arena, &setup, 1, i, &match);
        bytes[i] = (double)match.log_bytes;
    }
    figures_print("log.bytes_per_match", figures_median(bytes, LOG_MATCHES), "bytes");
    arena_free(arena);
}

/* Bots that take their time, so that all matches are open at once. */
static void bench_memory(const char *bot)
{
    struct arena *arena = arena_new();
    struct arena_setup setup = four_seats(bot, NULL);
    long before;
    long after;

    setup.move_ms = 60000;
    before = arena_resident_kb(arena, &setup, 0);
    after = arena_resident_kb(arena, &setup, OPEN_MATCHES);
    figures_print("referee.rss_kb_per_match", (double)(after - before) / OPEN_MATCHES, "kB");
    arena_free(arena);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/bench_referee.XXXXXX";
    char build[256];
    char first[300];
    char slow[300];
    char greedy[300];

    figures_start(argc, argv);
    if (!figures_folder(argv, build, sizeof build) || mkdtemp(folder) == NULL)
        return 1;
    snprintf(first, sizeof first, "%s/first_bot", build);
    snprintf(slow, sizeof slow, "%s/slow_bot sleep 20", build);
    snprintf(greedy, sizeof greedy, "%s/../bots/greedy", build);
    if (figures_are_wanted("pipe.limit_per_s") || figures_are_wanted("referee.answers_per_s") ||
        figures_are_wanted("referee.ratio") || figures_are_wanted("referee.cpu_us_per_answer"))
        bench_speed(folder, first);
    if (figures_are_wanted("log.bytes_per_match"))
        bench_log(folder, greedy);
    if (figures_are_wanted("referee.rss_kb_per_match"))
        bench_memory(slow);
    rmdir(folder);
    return 0;
}
