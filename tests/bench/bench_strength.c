/* Measures the strength of the bundled bots in real matches of four processes. Each deal is played
 * four times, so that the measured bot plays each seat with the same cards. The mean of the four is
 * one observation; an interval is 1.96 standard errors on either side.
 *
 * DEALS in the environment sets the number of deals per result. */

#include "base/memory.h"
#include "base/message.h"
#include "support/match_runner.h"
#include "support/bench_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SEATS 4
#define AT_ONCE 2

/* One bot against three others. */
struct contest {
    const char *name;
    const char *bot; /* with its arguments */
    const char *others;
    long move_ms;
    unsigned deals; /* by default */
    unsigned knock_rounds;
    bool is_binding;
};

static const struct contest contests[] = {
    {"strength.greedy_vs_random", "greedy", "random", 1000, 200, 1, false},
    {"strength.strong_vs_greedy", "strong", "greedy", 20, 200, 1, false},
    {"strength.strong_vs_old", "strong", "strong --full", 20, 60, 1, false},
    {"strength.strong_vs_greedy_200ms", "strong", "greedy", 200, 8, 1, false},
    {"strength.negotiator_vs_greedy", "negotiator", "greedy", 100, 50, 3, true},
};

/* Four copies of one bot. */
struct selfplay {
    const char *name;
    const char *bot;
    long move_ms;
    unsigned deals;
};

static const struct selfplay selfplays[] = {
    {"strength.random_selfplay_score", "random", 1000, 200},
    {"strength.greedy_selfplay_score", "greedy", 1000, 200},
    {"strength.strong_selfplay_score", "strong", 20, 20},
};

static char folder[256];

static unsigned deals_of(unsigned default_deals)
{
    const char *deals = getenv("DEALS");
    int number = deals != NULL ? atoi(deals) : 0;

    return number > 1 ? (unsigned)number : default_deals;
}

static char *path_of(const char *bot)
{
    char path[300];

    snprintf(path, sizeof path, "%s/../bots/%s", folder, bot);
    return xstrdup(path);
}

static unsigned dismissed;

/* Reports dismissed bots, because such a match says nothing about strength. */
static void check(const struct match_runner_setup *setup, const struct match_runner_result *match)
{
    if (match->is_void)
        fatal("a match is void");
    for (unsigned seat = 0; seat < SEATS; seat++) {
        if (match->faults[seat] == BOT_ANSWERED)
            continue;
        dismissed++;
        fprintf(stderr, "bench strength: %s was dismissed, move_ms %ld: %s\n", setup->bots[seat],
                setup->move_ms, bot_outcome_name(match->faults[seat]));
    }
}

/* A shared win counts in part. */
static double win_share(const struct match_runner_result *match, unsigned seat)
{
    unsigned winners = 0;

    for (unsigned i = 0; i < SEATS; i++)
        winners += match->places[i] == 1;
    return match->places[seat] == 1 ? 1.0 / winners : 0;
}

/* Plays some deals with the bot at one seat, and adds its wins to the blocks. */
static void play_rotation(struct match_runner *runner, const struct match_runner_setup *setup,
                          unsigned seat, double *blocks, unsigned deals)
{
    for (unsigned deal = 0; deal < deals; deal += AT_ONCE) {
        unsigned count = deals - deal < AT_ONCE ? deals - deal : AT_ONCE;
        struct match_runner_result matches[AT_ONCE];

        match_runner_play(runner, setup, count, deal, matches);
        for (unsigned i = 0; i < count; i++) {
            check(setup, &matches[i]);
            blocks[deal + i] += win_share(&matches[i], seat) / SEATS;
        }
    }
}

/* Returns the mean; `margin` is half the width of the interval. */
static double mean_of(const double *values, unsigned count, double *margin)
{
    double sum = 0;
    double squares = 0;

    for (unsigned i = 0; i < count; i++)
        sum += values[i];
    for (unsigned i = 0; i < count; i++)
        squares += (values[i] - sum / count) * (values[i] - sum / count);
    *margin = 1.96 * sqrt(squares / (count - 1) / count);
    return sum / count;
}

static void print_with_interval(const char *name, double value, double margin)
{
    char ends[100];

    bench_output_print(name, value, "share");
    snprintf(ends, sizeof ends, "%s_low", name);
    bench_output_print(ends, fmax(value - margin, 0), "share");
    snprintf(ends, sizeof ends, "%s_high", name);
    bench_output_print(ends, fmin(value + margin, 1), "share");
}

/* Whether a result of a contest is wanted. Its name may be a prefix of another name, so the names
 * of the interval decide. */
static bool is_wanted(const char *name)
{
    char low[100];
    char high[100];

    snprintf(low, sizeof low, "%s_low", name);
    snprintf(high, sizeof high, "%s_high", name);
    return bench_output_is_wanted(low) || bench_output_is_wanted(high);
}

static void run_contest(struct match_runner *runner, const struct contest *contest)
{
    struct match_runner_setup setup = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026),
                                       .seats = SEATS,
                                       .move_ms = contest->move_ms};
    unsigned deals = deals_of(contest->deals);
    double *blocks = xcalloc(deals, sizeof *blocks);
    char *bot = path_of(contest->bot);
    char *others = path_of(contest->others);
    double margin;
    double mean;

    setup.rules.knock_rounds = (uint8_t)contest->knock_rounds;
    setup.rules.knock_offers =
        contest->is_binding ? ALLEGRA_KNOCK_OFFERS_BINDING : ALLEGRA_KNOCK_OFFERS_TALK;
    for (unsigned seat = 0; seat < SEATS; seat++) {
        for (unsigned i = 0; i < SEATS; i++)
            setup.bots[i] = i == seat ? bot : others;
        play_rotation(runner, &setup, seat, blocks, deals);
    }
    mean = mean_of(blocks, deals, &margin);
    print_with_interval(contest->name, mean, margin);
    free(bot);
    free(others);
    free(blocks);
}

static void run_selfplay(struct match_runner *runner, const struct selfplay *selfplay)
{
    struct match_runner_setup setup = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026),
                                       .seats = SEATS,
                                       .move_ms = selfplay->move_ms};
    unsigned deals = deals_of(selfplay->deals);
    char *bot = path_of(selfplay->bot);
    double sum = 0;

    for (unsigned seat = 0; seat < SEATS; seat++)
        setup.bots[seat] = bot;
    for (unsigned deal = 0; deal < deals; deal++) {
        struct match_runner_result match;

        match_runner_play(runner, &setup, 1, deal, &match);
        check(&setup, &match);
        for (unsigned seat = 0; seat < SEATS; seat++)
            sum += match.total_halves[seat] / 2.0;
    }
    bench_output_print(selfplay->name, sum / deals / SEATS, "points");
    free(bot);
}

int main(int argc, char **argv)
{
    struct match_runner *runner;

    bench_output_init(argc, argv);
    if (!bench_output_folder(argv, folder, sizeof folder))
        return 1;
    if (!bench_output_is_wanted("strength."))
        return 0;
    runner = match_runner_new();
    for (size_t i = 0; i < ARRAY_LEN(contests); i++) {
        if (is_wanted(contests[i].name))
            run_contest(runner, &contests[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(selfplays); i++) {
        if (bench_output_is_wanted(selfplays[i].name))
            run_selfplay(runner, &selfplays[i]);
    }
    bench_output_print("strength.dismissed", dismissed, "bots");
    match_runner_free(runner);
    return 0;
}
