/* How often the tables of a ladder are right, although its opponents are chosen by results:
 * simulated ladders of bots whose strengths are known, played until every bot has played enough.
 * The places follow the Plackett-Luce model; a part of the luck belongs to the deal, which is
 * played in all rotations.
 *
 * Printed are the shares of 95 % intervals that have the true rating, of ladders in which all rank
 * ranges are right at once, and of ladders of identical bots in which two are told apart. The same
 * with random opponents says what the choice costs. COVERAGE in the environment says how many
 * ladders, FIRST the number of the first. */

#include "base/memory.h"
#include "serve/ladder/ladder_choose.h"
#include "serve/ladder/ladder_rating.h"
#include "support/bench_output.h"
#include "support/simulated_tournament.h"
#include "tournament/stats/rank_range.h"
#include "tournament/stats/strength_fit.h"

#include <stdio.h>
#include <stdlib.h>

#define LADDERS 200
#define DEALS 6 /* per table, as by default */
#define COMMON_LUCK 0.4
#define RESAMPLES 249
#define STRENGTH_MOST 1.0 /* of log strengths, which go down to the negative of it */

struct design {
    const char *name;
    unsigned bots, seats;
    unsigned enough; /* deals of each bot */
    bool is_random;
};

static const struct design designs[] = {
    {"8_seats_2", 8, 2, 120, false},         {"8_seats_4", 8, 4, 48, false},
    {"20_seats_2", 20, 2, 120, false},       {"20_seats_4", 20, 4, 48, false},
    {"8_seats_2_random", 8, 2, 120, true},   {"8_seats_4_random", 8, 4, 48, true},
    {"20_seats_2_random", 20, 2, 120, true}, {"20_seats_4_random", 20, 4, 48, true},
};

struct simulation {
    const struct design *design;
    double *truth;
    unsigned *deals; /* by bot */
    struct result *results;
    size_t count, capacity;
    uint32_t blocks;
    struct allegra_dice dice;
};

static struct simulation simulation_new(const struct design *design, double most, uint64_t seed)
{
    struct simulation simulation = {
        .design = design,
        .truth = xcalloc(design->bots, sizeof *simulation.truth),
        .deals = xcalloc(design->bots, sizeof *simulation.deals),
        .dice = allegra_dice_from(seed),
    };

    for (unsigned i = 0; i < design->bots; i++)
        simulation.truth[i] = most * (1 - 2.0 * i / (design->bots - 1));
    return simulation;
}

static void simulation_free(struct simulation *simulation)
{
    free(simulation->truth);
    free(simulation->deals);
    free(simulation->results);
}

static void play(struct simulation *simulation, const unsigned *table)
{
    const struct design *design = simulation->design;
    double strengths[ALLEGRA_SEATS_MAX];
    struct simulated_tournament setup = {
        .bots = design->seats,
        .strengths = strengths,
        .seats = design->seats,
        .blocks = DEALS,
        .rotations = design->seats,
        .common_luck = COMMON_LUCK,
    };
    size_t count = simulated_tournament_matches(&setup);
    struct result *results;

    for (unsigned i = 0; i < design->seats; i++) {
        strengths[i] = simulation->truth[table[i]];
        simulation->deals[table[i]] += DEALS;
    }
    results = simulated_tournament_play(&setup, &simulation->dice);
    if (simulation->count + count > simulation->capacity) {
        simulation->capacity = 2 * simulation->capacity + count;
        simulation->results = xrealloc(simulation->results, simulation->capacity * sizeof *results);
    }
    for (size_t i = 0; i < count; i++) {
        for (unsigned seat = 0; seat < design->seats; seat++)
            results[i].bots[seat] = (uint16_t)table[results[i].bots[seat]];
        results[i].block += simulation->blocks;
        simulation->results[simulation->count++] = results[i];
    }
    simulation->blocks += DEALS;
    free(results);
}

static bool is_due(const struct simulation *simulation, unsigned bot)
{
    return simulation->deals[bot] < simulation->design->enough;
}

/* What the ladder knows, as ladder_submit.c has it. */
static struct ladder_choice *learn(const struct simulation *simulation)
{
    const struct design *design = simulation->design;
    struct ladder_choice *choice = ladder_choice_new(design->bots);
    struct strength_fit fit =
        strength_fit_make(simulation->results, simulation->count, design->bots, NULL, 1e-3);

    for (unsigned i = 0; i < design->bots; i++)
        choice->entrants[i] = (struct ladder_entrant){
            .strength = fit.outcomes->blocks_of[i] > 0 ? fit.fit->strengths[i] : 0,
            .may_play = true,
            .is_due = is_due(simulation, i)};
    strength_fit_free(&fit);
    for (size_t i = 0; i < simulation->count; i++) {
        unsigned table[ALLEGRA_SEATS_MAX];

        for (unsigned seat = 0; seat < design->seats; seat++)
            table[seat] = simulation->results[i].bots[seat];
        ladder_choice_learn(choice, table, design->seats, 1);
    }
    return choice;
}

/* One that is due, with random opponents. Returns false if none is. */
static bool choose_at_random(struct simulation *simulation, unsigned *table)
{
    const struct design *design = simulation->design;
    unsigned due = 0;

    while (due < design->bots && !is_due(simulation, due))
        due++;
    table[0] = due;
    for (unsigned seat = 1; seat < design->seats && due < design->bots;) {
        unsigned seated = 0;

        table[seat] = allegra_dice_below(&simulation->dice, design->bots);
        while (table[seated] != table[seat])
            seated++;
        seat += seated == seat;
    }
    return due < design->bots;
}

static void run(struct simulation *simulation)
{
    const struct design *design = simulation->design;
    unsigned table[ALLEGRA_SEATS_MAX];
    bool is_any = true;

    while (is_any) {
        if (design->is_random || simulation->count == 0) {
            is_any = choose_at_random(simulation, table);
        } else {
            struct ladder_choice *choice = learn(simulation);

            is_any = ladder_choice_make(choice, design->seats, DEALS * design->seats, table);
            ladder_choice_free(choice);
        }
        if (is_any)
            play(simulation, table);
    }
}

struct hits {
    double rating, ranks, width, apart;
};

/* Bots are numbered by strength, the best first. */
static void count_hits(const struct simulation *simulation, bool is_identical, struct hits *hits)
{
    const struct design *design = simulation->design;
    struct rating_input input = {.results = simulation->results,
                                 .count = simulation->count,
                                 .bots = design->bots,
                                 .bootstraps = RESAMPLES,
                                 .seed = 1};
    struct simulated_tournament truth = {.bots = design->bots, .strengths = simulation->truth};
    struct ratings *ratings = ratings_new(&input);
    struct rank_range *ranges;
    bool are_right = true, is_apart = false;

    if (!design->is_random)
        ladder_rating_widen(ratings);
    ranges = rank_ranges_new(ratings);
    for (unsigned i = 0; i < design->bots; i++) {
        double rating = simulated_tournament_rating(&truth, i);
        struct interval interval = ratings->of[i].interval;

        is_apart |= ranges[i].best != 1 || ranges[i].worst != design->bots;
        are_right &= ranges[i].best <= i + 1 && i + 1 <= ranges[i].worst;
        if (!is_identical) {
            hits->rating += interval.low <= rating && rating <= interval.high;
            hits->width += (ranges[i].worst - ranges[i].best + 1.0) / design->bots;
        }
    }
    hits->ranks += !is_identical && are_right;
    hits->apart += is_identical && is_apart;
    free(ranges);
    ratings_free(ratings);
}

static void print(const struct design *design, const char *what, double value)
{
    char name[100];

    snprintf(name, sizeof name, "ladder.coverage_%s_%s", design->name, what);
    bench_output_print(name, value, "percent");
}

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static void measure(const struct design *design)
{
    unsigned ladders = setting("COVERAGE", LADDERS);
    unsigned first = setting("FIRST", 1000);
    struct hits hits = {0};

    for (unsigned i = 0; i < 2 * ladders; i++) {
        bool is_identical = i % 2 == 1;
        struct simulation simulation =
            simulation_new(design, is_identical ? 0 : STRENGTH_MOST, first + i);

        run(&simulation);
        count_hits(&simulation, is_identical, &hits);
        simulation_free(&simulation);
    }
    print(design, "rating", hits.rating * 100 / ladders / design->bots);
    print(design, "ranks", hits.ranks * 100 / ladders);
    print(design, "rank_width", hits.width * 100 / ladders / design->bots);
    print(design, "identical_told_apart", hits.apart * 100 / ladders);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    bench_output_init(argc, argv);
    for (size_t i = 0; i < ARRAY_LEN(designs); i++) {
        char name[100];

        snprintf(name, sizeof name, "ladder.coverage_%s", designs[i].name);
        if (bench_output_is_wanted(name))
            measure(&designs[i]);
    }
    return 0;
}
