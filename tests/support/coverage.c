/* A bot's form in a match is its log strength plus luck from the Gumbel distribution, and the best
 * form wins: that is the Plackett-Luce model. In some matches the luck is that which the deal gives
 * to the seat, in the others it is new. Ties and faults bend the model a little, so the true values
 * are those of one very long tournament. */

#include "support/coverage.h"

#include "base/memory.h"
#include "base/text.h"
#include "support/simulated_tournament.h"
#include "tournament/stats/standings.h"
#include "tournament/stats/swiss_order.h"

#include <math.h>
#include <stdlib.h>

#define DEAL_LUCK 0.4 /* the share of matches in which a seat has the luck of its deal */
#define DEAL_POINTS 5.0
#define POINTS_BASE 40.0
#define POINTS_SLOPE 8.0
#define TIE 0.02
#define FAULT 0.005
#define ROUNDS 3
#define STRENGTH_MOST 1.0 /* of log strengths, which go down to the negative of it */
#define TRUTH_MATCHES 60000
#define STANDARD_ERRORS 1.96 /* from the middle of an interval to each end */
#define RESAMPLES 249        /* fewer than for a real table, which changes nothing on average */

const struct coverage_design coverage_designs[] = {
    {"round_robin_single", SCHEDULE_ROUND_ROBIN, SCHEDULE_SINGLE, 8, 4, 2, 0, 0, 6},
    {"round_robin_rotations", SCHEDULE_ROUND_ROBIN, SCHEDULE_ROTATIONS, 8, 4, 1, 0, 160, 8},
    {"round_robin_few", SCHEDULE_ROUND_ROBIN, SCHEDULE_SINGLE, 8, 4, 1, 0, 12, 60},
    {"round_robin_40_single", SCHEDULE_ROUND_ROBIN, SCHEDULE_SINGLE, 40, 4, 1, 0, 300, 0},
    {"round_robin_40_rotations", SCHEDULE_ROUND_ROBIN, SCHEDULE_ROTATIONS, 40, 4, 1, 0, 600, 0},
    {"table_single", SCHEDULE_ROUND_ROBIN, SCHEDULE_SINGLE, 4, 4, 40, 0, 0, 40},
    {"gauntlet_single", SCHEDULE_GAUNTLET, SCHEDULE_SINGLE, 8, 4, 4, 0, 0, 6},
    {"gauntlet_rotations", SCHEDULE_GAUNTLET, SCHEDULE_ROTATIONS, 8, 4, 1, 0, 0, 12},
    {"swiss_single", SCHEDULE_SWISS, SCHEDULE_SINGLE, 8, 4, 6, 6, 0, 4},
    {"swiss_rotations", SCHEDULE_SWISS, SCHEDULE_ROTATIONS, 8, 4, 2, 6, 0, 5},
    {"swiss_40_single", SCHEDULE_SWISS, SCHEDULE_SINGLE, 40, 4, 4, 6, 0, 0},
    {"swiss_40_rotations", SCHEDULE_SWISS, SCHEDULE_ROTATIONS, 40, 4, 1, 6, 0, 0},
};
const size_t coverage_design_count = ARRAY_LEN(coverage_designs);

/* One field of bots in one design. */
struct field {
    const struct coverage_design *design;
    double *strengths;
    double *scores; /* the true ones, as the ratings */
    double *ratings;
    struct result *results;
    size_t count;
    size_t capacity;
};

static double draw_luck(struct allegra_dice *dice)
{
    return -log(simulated_tournament_exponential(dice));
}

struct deal {
    double luck[ALLEGRA_SEATS_MAX]; /* by seat */
    double points;
};

static void place(struct result *result, const double *form, struct allegra_dice *dice)
{
    double points[ALLEGRA_SEATS_MAX];

    for (unsigned seat = 0; seat < result->seats; seat++) {
        points[seat] = form[seat];
        for (unsigned other = 0; other < seat; other++)
            if (simulated_tournament_uniform(dice) < TIE)
                points[seat] = points[other];
    }
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if (result->faults[seat] != BOT_ANSWERED)
            for (unsigned other = 0; other < result->seats; other++)
                points[seat] = fmin(points[seat], points[other] - 0.01);
    }
    for (unsigned seat = 0; seat < result->seats; seat++) {
        unsigned ahead = 0;

        for (unsigned other = 0; other < result->seats; other++)
            ahead += points[other] > points[seat];
        result->places[seat] = (uint8_t)(ahead + 1);
        result->score_halves[seat] = (int32_t)lround(-2 * ROUNDS * POINTS_SLOPE * points[seat]);
    }
}

static void play_match(struct field *field, const uint16_t *bots, const struct deal *deal,
                       struct allegra_dice *dice)
{
    struct result *result;
    bool has_deal_luck = simulated_tournament_uniform(dice) < DEAL_LUCK;
    double form[ALLEGRA_SEATS_MAX];

    if (field->count == field->capacity) {
        field->capacity = 2 * field->capacity + 64;
        field->results = xrealloc(field->results, field->capacity * sizeof *field->results);
    }
    result = &field->results[field->count++];
    *result = (struct result){.seats = (uint8_t)field->design->seats, .rounds = ROUNDS};
    for (unsigned seat = 0; seat < result->seats; seat++) {
        result->bots[seat] = bots[seat];
        result->faults[seat] = simulated_tournament_uniform(dice) < FAULT ? BOT_LATE : BOT_ANSWERED;
        form[seat] =
            field->strengths[bots[seat]] + (has_deal_luck ? deal->luck[seat] : draw_luck(dice));
    }
    place(result, form, dice);
    for (unsigned seat = 0; seat < result->seats; seat++)
        result->score_halves[seat] += (int32_t)lround(2 * ROUNDS * (POINTS_BASE + deal->points));
}

static void play_block(struct field *field, const struct schedule *schedule, unsigned number,
                       struct allegra_dice *dice)
{
    const struct block *block = schedule_block(schedule, number);
    struct deal deal = {.points = DEAL_POINTS * simulated_tournament_normal(dice)};

    for (unsigned seat = 0; seat < block->seats; seat++)
        deal.luck[seat] = draw_luck(dice);
    for (unsigned i = 0; i < schedule_rotations(schedule, block); i++) {
        uint16_t bots[ALLEGRA_SEATS_MAX];

        schedule_seats(schedule, block, i, bots);
        play_match(field, bots, &deal, dice);
        field->results[field->count - 1].block = number;
        field->results[field->count - 1].rotation = (uint16_t)i;
    }
}

static struct schedule_setup setup_of(const struct coverage_design *design, uint64_t seed)
{
    return (struct schedule_setup){
        .format = design->format,
        .seatings = design->seatings,
        .seats = design->seats,
        .bots = design->bots,
        .deals = design->deals,
        .rounds = design->rounds,
        .matches = design->matches,
        .seed = seed,
    };
}

static void play(struct field *field, const struct schedule_setup *setup, struct allegra_dice *dice)
{
    struct schedule *schedule = schedule_new(setup);
    uint16_t *order = xcalloc(setup->bots, sizeof *order);
    unsigned number = 1;

    field->count = 0;
    do {
        for (; number <= schedule_count(schedule); number++)
            play_block(field, schedule, number, dice);
        swiss_order(field->results, field->count, setup->bots, order);
    } while (setup->format == SCHEDULE_SWISS && schedule_add_round(schedule, order, setup->bots));
    free(order);
    schedule_free(schedule);
}

static struct standings *make_standings(const struct field *field,
                                        const struct schedule_setup *setup, unsigned bootstraps)
{
    const char **names = xcalloc(setup->bots, sizeof *names);
    struct standings_input input = {
        .results = field->results,
        .count = field->count,
        .bots = setup->bots,
        .names = names,
        .bootstraps = bootstraps,
        .seed = setup->seed,
        .swiss = setup->format == SCHEDULE_SWISS ? setup : NULL,
    };
    struct standings *standings = standings_new(&input);

    free((void *)names);
    return standings;
}

/* Every match of the long tournament has a deal of its own, and opponents do not matter. */
static void find_truth(struct field *field, struct allegra_dice *dice)
{
    const struct coverage_design *design = field->design;
    struct coverage_design longer = {.format = SCHEDULE_ROUND_ROBIN,
                                     .seatings = SCHEDULE_SINGLE,
                                     .bots = design->bots,
                                     .seats = design->seats,
                                     .deals = 100000,
                                     .matches = TRUTH_MATCHES};
    struct schedule_setup setup = setup_of(&longer, 1);
    struct standings *standings;

    play(field, &setup, dice);
    standings = make_standings(field, &setup, 1);
    for (unsigned row = 0; row < standings->count; row++) {
        unsigned bot = standings->rows[row].bot;

        field->scores[bot] = standings->rows[row].score;
        field->ratings[bot] = standings->rows[row].rating;
    }
    standings_free(standings);
}

static struct field field_new(const struct coverage_design *design, double most)
{
    struct field field = {
        .design = design,
        .strengths = xcalloc(design->bots, sizeof *field.strengths),
        .scores = xcalloc(design->bots, sizeof *field.scores),
        .ratings = xcalloc(design->bots, sizeof *field.ratings),
    };

    for (unsigned bot = 0; bot < design->bots; bot++)
        field.strengths[bot] = most * (2.0 * bot / (design->bots - 1) - 1);
    return field;
}

static void field_free(struct field *field)
{
    free(field->strengths);
    free(field->scores);
    free(field->ratings);
    free(field->results);
}

static bool has(struct interval interval, double value)
{
    return interval.low <= value && value <= interval.high;
}

/* The square of how far the truth is from the middle of an interval, in standard errors. */
static double squared_error(struct interval interval, double truth)
{
    double error = (interval.high - interval.low) / (2 * STANDARD_ERRORS);

    return pow((truth - (interval.low + interval.high) / 2) / error, 2);
}

/* The true rank of a bot is N minus its number, because strengths rise with it. */
static void count_hits(const struct field *field, const struct standings *standings,
                       struct coverage *hits)
{
    bool are_ranks_right = true;

    for (unsigned row = 0; row < standings->count; row++) {
        const struct standing *standing = &standings->rows[row];
        unsigned rank = standings->count - standing->bot;

        hits->score += has(standing->score_interval, field->scores[standing->bot]);
        hits->rating += has(standing->rating_interval, field->ratings[standing->bot]);
        hits->error += squared_error(standing->rating_interval, field->ratings[standing->bot]);
        hits->width += (standing->ranks.worst - standing->ranks.best + 1.0) / standings->count;
        are_ranks_right &= standing->ranks.best <= rank && rank <= standing->ranks.worst;
    }
    hits->ranks += are_ranks_right;
}

static bool tells_apart(const struct standings *standings)
{
    for (unsigned row = 0; row < standings->count; row++)
        if (standings->rows[row].ranks.best != 1 ||
            standings->rows[row].ranks.worst != standings->count)
            return true;
    return false;
}

struct coverage coverage_measure(const struct coverage_design *design, unsigned tournaments,
                                 uint64_t seed)
{
    struct allegra_dice dice = allegra_dice_from(seed);
    struct field unequal = field_new(design, STRENGTH_MOST);
    struct field identical = field_new(design, 0);
    struct coverage hits = {0};

    find_truth(&unequal, &dice);
    for (unsigned i = 0; i < tournaments; i++) {
        struct schedule_setup setup = setup_of(design, i);
        struct standings *standings;

        play(&unequal, &setup, &dice);
        standings = make_standings(&unequal, &setup, RESAMPLES);
        count_hits(&unequal, standings, &hits);
        standings_free(standings);
        play(&identical, &setup, &dice);
        standings = make_standings(&identical, &setup, RESAMPLES);
        hits.apart += tells_apart(standings);
        standings_free(standings);
    }
    hits.score *= 100.0 / tournaments / design->bots;
    hits.rating *= 100.0 / tournaments / design->bots;
    hits.error = sqrt(hits.error / tournaments / design->bots);
    hits.width *= 100.0 / tournaments / design->bots;
    hits.ranks *= 100.0 / tournaments;
    hits.apart *= 100.0 / tournaments;
    field_free(&unequal);
    field_free(&identical);
    return hits;
}
