/* How strong the bundled players are, in real matches of four processes each. Each deal is played four
 * times, so that the one who is measured sits everywhere with the same cards; the mean of the four is
 * one observation, and an interval is 1.96 standard errors of them on either side.
 *
 * DEALS in the environment sets how many deals are played for each figure. */

#include "base/memory.h"
#include "base/message.h"
#include "support/arena.h"
#include "support/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SEATS 4
#define AT_ONCE 2

/* A comparison: one bot against three others. */
struct outcomes {
    const char *name;
    const char *bot;
    const char *others;
    long move_ms;
    unsigned deals; /* if nobody says otherwise */
    unsigned knock_rounds;
    bool is_binding;
};

static const struct outcomes contests[] = {
    {"strength.greedy_vs_random", "greedy", "random", 1000, 200, 1, false},
    {"strength.strong_vs_greedy", "strong", "greedy", 20, 200, 1, false},
    {"strength.strong_vs_greedy_200ms", "strong", "greedy", 200, 8, 1, false},
    {"strength.negotiator_vs_greedy", "negotiator", "greedy", 100, 50, 3, true},
};

/* A table of four equals. */
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

static unsigned deals_of(unsigned otherwise)
{
    const char *deals = getenv("DEALS");
    int number = deals != NULL ? atoi(deals) : 0;

    return number > 1 ? (unsigned)number : otherwise;
}

static char *path_of(const char *bot)
{
    char path[300];

    snprintf(path, sizeof path, "%s/../bots/%s", folder, bot);
    return xstrdup(path);
}

/* A match in which somebody is dismissed measures nothing else, so it is said. */
static void check(const struct arena_setup *setup, const struct arena_match *match)
{
    if (match->is_void)
        fatal("a match is void");
    for (unsigned seat = 0; seat < SEATS; seat++) {
        if (match->faults[seat] != BOT_ANSWERED)
            fprintf(stderr, "bench strength: %s was dismissed, move_ms %ld: %s\n",
                    setup->bots[seat], setup->move_ms, bot_outcome_name(match->faults[seat]));
    }
}

/* A win that is shared counts as a share. */
static double win_share(const struct arena_match *match, unsigned seat)
{
    unsigned winners = 0;

    for (unsigned i = 0; i < SEATS; i++)
        winners += match->places[i] == 1;
    return match->places[seat] == 1 ? 1.0 / winners : 0;
}

/* Plays some deals with the bot at one seat, and adds its wins to the blocks. */
static void play_rotation(struct arena *arena, const struct arena_setup *setup, unsigned seat,
                          double *blocks, unsigned deals)
{
    for (unsigned deal = 0; deal < deals; deal += AT_ONCE) {
        unsigned count = deals - deal < AT_ONCE ? deals - deal : AT_ONCE;
        struct arena_match matches[AT_ONCE];

        arena_play(arena, setup, count, deal, matches);
        for (unsigned i = 0; i < count; i++) {
            check(setup, &matches[i]);
            blocks[deal + i] += win_share(&matches[i], seat) / SEATS;
        }
    }
}

/* The mean, and how far from it the ends of the interval are. */
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

    figures_print(name, value, "share");
    snprintf(ends, sizeof ends, "%s_low", name);
    figures_print(ends, fmax(value - margin, 0), "share");
    snprintf(ends, sizeof ends, "%s_high", name);
    figures_print(ends, fmin(value + margin, 1), "share");
}

/* Whether a contest has a figure that is wanted. Its name may be the beginning of another's, so the
 * ends of the interval decide. */
static bool is_wanted(const char *name)
{
    char low[100];
    char high[100];

    snprintf(low, sizeof low, "%s_low", name);
    snprintf(high, sizeof high, "%s_high", name);
    return figures_are_wanted(low) || figures_are_wanted(high);
}

static void run_outcomes(struct arena *arena, const struct outcomes *outcomes)
{
    struct arena_setup setup = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026),
                                .seats = SEATS,
                                .move_ms = outcomes->move_ms};
    unsigned deals = deals_of(outcomes->deals);
    double *blocks = xcalloc(deals, sizeof *blocks);
    char *bot = path_of(outcomes->bot);
    char *others = path_of(outcomes->others);
    double margin;
    double mean;

    setup.rules.knock_rounds = (uint8_t)outcomes->knock_rounds;
    setup.rules.knock_offers =
        outcomes->is_binding ? ALLEGRA_KNOCK_OFFERS_BINDING : ALLEGRA_KNOCK_OFFERS_TALK;
    for (unsigned seat = 0; seat < SEATS; seat++) {
        for (unsigned i = 0; i < SEATS; i++)
            setup.bots[i] = i == seat ? bot : others;
        play_rotation(arena, &setup, seat, blocks, deals);
    }
    mean = mean_of(blocks, deals, &margin);
    print_with_interval(outcomes->name, mean, margin);
    free(bot);
    free(others);
    free(blocks);
}

static void run_selfplay(struct arena *arena, const struct selfplay *selfplay)
{
    struct arena_setup setup = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026),
                                .seats = SEATS,
                                .move_ms = selfplay->move_ms};
    unsigned deals = deals_of(selfplay->deals);
    char *bot = path_of(selfplay->bot);
    double sum = 0;

    for (unsigned seat = 0; seat < SEATS; seat++)
        setup.bots[seat] = bot;
    for (unsigned deal = 0; deal < deals; deal++) {
        struct arena_match match;

        arena_play(arena, &setup, 1, deal, &match);
        check(&setup, &match);
        for (unsigned seat = 0; seat < SEATS; seat++)
            sum += match.total_halves[seat] / 2.0;
    }
    figures_print(selfplay->name, sum / deals / SEATS, "points");
    free(bot);
}

int main(int argc, char **argv)
{
    struct arena *arena;

    figures_start(argc, argv);
    if (!figures_folder(argv, folder, sizeof folder))
        return 1;
    if (!figures_are_wanted("strength."))
        return 0;
    arena = arena_new();
    for (size_t i = 0; i < ARRAY_LEN(contests); i++) {
        if (is_wanted(contests[i].name))
            run_outcomes(arena, &contests[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(selfplays); i++) {
        if (figures_are_wanted(selfplays[i].name))
            run_selfplay(arena, &selfplays[i]);
    }
    arena_free(arena);
    return 0;
}
