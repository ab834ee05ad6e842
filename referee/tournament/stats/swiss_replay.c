/* Blocks of a Swiss tournament are not independent: who meets whom follows from earlier results. A
 * bot with good luck meets others with good luck, and a group of lucky bots hardly meets the
 * unlucky ones again. So little evidence links the two groups exactly where luck has driven them
 * apart, and the first results count for more than their share. Resampled blocks keep these
 * pairings and with them the luck that made them: they show too little error.
 *
 * A replay draws new results, lets them decide the pairings of the next round as in the
 * tournament, and estimates the strengths again. Places follow the Plackett-Luce model. The bots
 * of a replay have the estimated strengths, drawn together towards their mean: estimates differ
 * more than true strengths, by the variance of their errors. Some replays first find out how large
 * that is.
 *
 * Estimated strengths are too far from their mean, by a factor that a replay shows: 1.15 to 1.4
 * with 40 bots and 24 matches each, the more the less they differ. The same factor is in their
 * errors. So the middle of an interval is the estimate divided by it, and the errors of the replays
 * are made smaller, too. (With their mean taken off the estimate and their spread left as it was,
 * as usual, 95 % intervals held the truth in 98 %.) They are divided by less than the factor,
 * because the strengths of the replays are not the true ones: with the exponent, intervals of
 * identical bots and of very different ones are about equally good.
 *
 * In a replay all matches are independent. In the tournament matches of a block have the same
 * deal, and bots may be more or less regular than the model says. So the errors are multiplied by
 * the square root of the ratio of the dispersions: see estimate.h. */

#include "tournament/stats/swiss_replay.h"

#include "base/memory.h"
#include "tournament/stats/strength_fit.h"
#include "tournament/stats/swiss_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ESTIMATE_TOLERANCE 1e-8
#define REPLAY_TOLERANCE 1e-3
#define PILOT_ESTIMATES 400 /* how many strengths each trial estimates, in several replays */
#define PILOTS_LEAST 4
#define PILOT_TRIALS 3
#define SPREAD_EXPONENT 0.8
#define SCORE_SCALE -100
#define DISPERSION_LEAST 0.1

struct tournament {
    const struct swiss_replay *replay;
    unsigned bots;
    unsigned last_block;
    bool *is_counted;        /* by number of block */
    unsigned *last_block_of; /* by bot: the last that it played */
    const unsigned *part;    /* by bot, see components.h; those without a match are alone */
    double *strengths;       /* by bot: the truth of the replays */
    struct result *results;
    size_t count;
};

/* Sums over replays: of the dispersions, and of the squares of the estimated strengths. */
struct means {
    double dispersion;
    double spread;
    unsigned count;
};

static double square_sum(const double *values, unsigned count)
{
    double sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sum;
}

/* By bot, minus the mean of its part. */
static void centre(const struct tournament *tournament, double *strengths)
{
    double *sums = xcalloc((size_t)tournament->bots + 1, sizeof *sums);
    unsigned *counts = xcalloc((size_t)tournament->bots + 1, sizeof *counts);

    for (unsigned bot = 0; bot < tournament->bots; bot++) {
        sums[tournament->part[bot]] += strengths[bot];
        counts[tournament->part[bot]]++;
    }
    for (unsigned bot = 0; bot < tournament->bots; bot++)
        strengths[bot] -= sums[tournament->part[bot]] / counts[tournament->part[bot]];
    free(sums);
    free(counts);
}

static double draw_luck(struct allegra_dice *dice)
{
    return -log(-log(((double)(allegra_dice_next(dice) >> 11) + 0.5) * 0x1p-53));
}

static void play_match(struct tournament *tournament, const struct schedule *schedule,
                       const struct block *block, unsigned rotation, struct allegra_dice *dice)
{
    struct result *result = &tournament->results[tournament->count++];
    double form[ALLEGRA_SEATS_MAX];

    *result = (struct result){.block = block->number, .seats = (uint8_t)block->seats, .rounds = 1};
    schedule_seats(schedule, block, rotation, result->bots);
    for (unsigned seat = 0; seat < block->seats; seat++)
        form[seat] = tournament->strengths[result->bots[seat]] + draw_luck(dice);
    for (unsigned seat = 0; seat < block->seats; seat++) {
        unsigned place = 1;

        for (unsigned other = 0; other < block->seats; other++)
            place += form[other] > form[seat];
        result->places[seat] = (uint8_t)place;
        result->score_halves[seat] = (int32_t)(SCORE_SCALE * form[seat]);
    }
}

/* A bot that was withdrawn plays in the rounds in which it played in the tournament. */
static bool takes_part(const struct tournament *tournament, unsigned bot, unsigned round,
                       unsigned first_block)
{
    const struct swiss_replay *replay = tournament->replay;

    if (replay->setup->generation != NULL && replay->setup->generation[bot] > round)
        return false;
    return replay->is_withdrawn == NULL || !replay->is_withdrawn[bot] ||
           tournament->last_block_of[bot] >= first_block;
}

/* Returns false if the tournament has no further round. */
static bool add_round(const struct tournament *tournament, struct schedule *schedule,
                      unsigned round)
{
    uint16_t *order = xcalloc((size_t)tournament->bots + 1, sizeof *order);
    unsigned blocks = schedule_count(schedule);
    unsigned players = 0;

    swiss_order(tournament->results, tournament->count, tournament->bots, order);
    for (unsigned i = 0; i < tournament->bots; i++)
        if (takes_part(tournament, order[i], round, blocks + 1))
            order[players++] = order[i];
    (void)schedule_add_round(schedule, order, players);
    free(order);
    return schedule_count(schedule) > blocks;
}

static void play(struct tournament *tournament, struct allegra_dice *dice)
{
    struct schedule_setup setup = *tournament->replay->setup;
    struct schedule *schedule;
    unsigned number = 1;
    unsigned round = 1;

    setup.is_rough = true;
    schedule = schedule_new(&setup);
    tournament->count = 0;
    do {
        unsigned end = schedule_count(schedule);

        for (; number <= end && number <= tournament->last_block; number++) {
            const struct block *block = schedule_block(schedule, number);

            for (unsigned i = 0;
                 i < schedule_rotations(schedule, block) && tournament->is_counted[number]; i++)
                play_match(tournament, schedule, block, i, dice);
        }
    } while (number <= tournament->last_block && add_round(tournament, schedule, ++round));
    schedule_free(schedule);
}

/* Plays it once. Leaves the errors in `errors`, and adds to the means of all replays. */
static void play_and_estimate(struct tournament *tournament, struct allegra_dice *dice,
                              double *errors, struct means *means)
{
    struct strength_fit estimate;

    play(tournament, dice);
    estimate = strength_fit_make(tournament->results, tournament->count, tournament->bots,
                                 tournament->strengths, REPLAY_TOLERANCE);
    memcpy(errors, estimate.fit->strengths, tournament->bots * sizeof *errors);
    centre(tournament, errors);
    means->dispersion += strength_fit_dispersion(&estimate);
    means->spread += square_sum(errors, tournament->bots);
    means->count++;
    for (unsigned bot = 0; bot < tournament->bots; bot++)
        errors[bot] -= tournament->strengths[bot];
    strength_fit_free(&estimate);
}

/* Draws the estimated strengths together until those of the replays have the same spread. */
static void shrink(struct tournament *tournament, const double *estimated, double dispersion,
                   struct allegra_dice *dice)
{
    double *errors = xcalloc((size_t)tournament->bots + 1, sizeof *errors);
    double observed = square_sum(estimated, tournament->bots);
    unsigned pilots = PILOTS_LEAST + PILOT_ESTIMATES / tournament->bots;
    double share = 0; /* of the observed spread: that of the true strengths */

    for (unsigned trial = 0; trial < PILOT_TRIALS && observed > 0; trial++) {
        struct means means = {0};
        double noise;

        for (unsigned i = 0; i < pilots; i++)
            play_and_estimate(tournament, dice, errors, &means);
        noise = (means.spread / means.count / observed - share) * dispersion * means.count /
                means.dispersion;
        share = fmin(fmax(1 - noise, 0), 1);
        for (unsigned bot = 0; bot < tournament->bots; bot++)
            tournament->strengths[bot] = sqrt(share) * estimated[bot];
    }
    free(errors);
}

static void find_course(struct tournament *tournament)
{
    const struct swiss_replay *replay = tournament->replay;

    for (size_t i = 0; i < replay->count; i++)
        if (replay->results[i].block > tournament->last_block)
            tournament->last_block = replay->results[i].block;
    tournament->is_counted = xcalloc((size_t)tournament->last_block + 1, sizeof(bool));
    tournament->results = xcalloc((size_t)tournament->last_block * SCHEDULE_SEATINGS_MAX + 1,
                                  sizeof *tournament->results);
    for (size_t i = 0; i < replay->count; i++) {
        const struct result *result = &replay->results[i];

        tournament->is_counted[result->block] = true;
        for (unsigned seat = 0; seat < result->seats; seat++)
            if (tournament->last_block_of[result->bots[seat]] < result->block)
                tournament->last_block_of[result->bots[seat]] = result->block;
    }
}

/* How many times too far from their mean estimates are, from their errors in all replays. Where the
 * strengths hardly differ, this cannot be seen, and is 1. */
static double find_excess(const struct tournament *tournament, const double *errors)
{
    unsigned replays = tournament->replay->replays;
    double product = 0;
    double noise = 0;

    for (unsigned bot = 0; bot < tournament->bots; bot++) {
        const double *of_one = errors + (size_t)bot * replays;
        double sum = 0;

        for (unsigned i = 0; i < replays; i++)
            sum += of_one[i];
        product += sum / replays * tournament->strengths[bot];
        noise += square_sum(of_one, replays) / replays / replays;
    }
    noise += square_sum(tournament->strengths, tournament->bots);
    return noise > 0 ? fmax(1 + product / noise, 1) : 1;
}

/* From the errors of the replays to those of the tournament, whose blocks scatter `scale` times as
 * much; see above. */
static void transfer(const struct tournament *tournament, const double *estimated, double scale,
                     double *errors)
{
    unsigned replays = tournament->replay->replays;
    double excess = find_excess(tournament, errors);
    double spread = scale / pow(excess, SPREAD_EXPONENT);

    for (unsigned bot = 0; bot < tournament->bots; bot++) {
        double expected = (excess - 1) * tournament->strengths[bot];

        for (unsigned i = 0; i < replays; i++) {
            double *error = &errors[(size_t)bot * replays + i];

            *error = (1 - 1 / excess) * estimated[bot] + spread * (*error - expected);
        }
    }
}

void swiss_replay_errors(const struct swiss_replay *replay, double *errors)
{
    unsigned bots = replay->setup->bots;
    struct strength_fit estimate =
        strength_fit_make(replay->results, replay->count, bots, NULL, ESTIMATE_TOLERANCE);
    struct tournament tournament = {
        .replay = replay,
        .bots = bots,
        .last_block_of = xcalloc((size_t)bots + 1, sizeof *tournament.last_block_of),
        .part = estimate.components->part,
        .strengths = xcalloc((size_t)bots + 1, sizeof *tournament.strengths),
    };
    struct allegra_dice dice = allegra_dice_from(replay->seed);
    double dispersion = fmax(strength_fit_dispersion(&estimate), DISPERSION_LEAST);
    double *of_one = xcalloc((size_t)bots + 1, sizeof *of_one);
    struct means means = {0};

    find_course(&tournament);
    centre(&tournament, estimate.fit->strengths);
    shrink(&tournament, estimate.fit->strengths, dispersion, &dice);
    for (unsigned i = 0; i < replay->replays; i++) {
        play_and_estimate(&tournament, &dice, of_one, &means);
        for (unsigned bot = 0; bot < bots; bot++)
            errors[(size_t)bot * replay->replays + i] = of_one[bot];
    }
    transfer(&tournament, estimate.fit->strengths,
             sqrt(dispersion * means.count / means.dispersion), errors);
    free(of_one);
    free(tournament.is_counted);
    free(tournament.last_block_of);
    free(tournament.strengths);
    free(tournament.results);
    strength_fit_free(&estimate);
}
