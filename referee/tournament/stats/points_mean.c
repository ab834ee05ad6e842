/* Blocks are the independent units and differ in rounds, so a mean is a ratio of two sums over
 * blocks, and its error is that of a ratio estimator: with the mean m and the points x and rounds
 * r of each of n blocks, its variance is n / (n - 1) times the sum of (x - m r)^2 over the square
 * of the sum of r.
 *
 * That holds for Swiss too: who a bot meets depends on earlier results, but the deviation of a
 * block has mean 0 whatever happened before. */

#include "tournament/stats/points_mean.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The sums of one bot. */
struct tally {
    double points;
    double rounds;
    double seat_points[ALLEGRA_SEATS_MAX];
    double seat_rounds[ALLEGRA_SEATS_MAX];
    uint32_t block; /* the last one seen, and its sums so far */
    double block_points;
    double block_rounds;
    unsigned blocks; /* finished */
    double squares;  /* of their deviations */
};

double points_raw(const struct result *result, unsigned seat)
{
    return result_points(result, seat, false);
}

double points_adjusted(const struct result *result, unsigned seat)
{
    return result_points(result, seat, true);
}

static void add_up(struct tally *tallies, const struct result *result, points_fn *points)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        struct tally *tally = &tallies[result->bots[seat]];
        double of_seat = points(result, seat);

        tally->points += of_seat;
        tally->rounds += result->rounds;
        tally->seat_points[seat] += of_seat;
        tally->seat_rounds[seat] += result->rounds;
    }
}

static void end_block(struct tally *tally)
{
    double deviation = tally->block_points - tally->points / tally->rounds * tally->block_rounds;

    if (tally->block_rounds <= 0)
        return;
    tally->blocks++;
    tally->squares += deviation * deviation;
    tally->block_points = 0;
    tally->block_rounds = 0;
}

/* The second walk, when the means are known. */
static void add_deviations(struct tally *tallies, const struct result *result, points_fn *points)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        struct tally *tally = &tallies[result->bots[seat]];

        if (result->block != tally->block)
            end_block(tally);
        tally->block = result->block;
        tally->block_points += points(result, seat);
        tally->block_rounds += result->rounds;
    }
}

static double per_round(double points, double rounds)
{
    return rounds > 0 ? points / rounds : NAN;
}

static struct points_mean mean_of(const struct tally *tally)
{
    double blocks = tally->blocks;
    double error = sqrt(blocks / (blocks - 1) * tally->squares) / tally->rounds;
    struct points_mean mean = {.score = per_round(tally->points, tally->rounds)};

    mean.interval = student_t_interval(mean.score, error, blocks - 1);
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
        mean.seat_score[seat] = per_round(tally->seat_points[seat], tally->seat_rounds[seat]);
    return mean;
}

void points_means_find(const struct result *results, size_t count, unsigned bots, points_fn *points,
                       struct points_mean *means)
{
    struct tally *tallies = xcalloc((size_t)bots + 1, sizeof *tallies);

    for (size_t i = 0; i < count; i++)
        add_up(tallies, &results[i], points);
    for (size_t i = 0; i < count; i++)
        add_deviations(tallies, &results[i], points);
    for (unsigned bot = 0; bot < bots; bot++) {
        end_block(&tallies[bot]);
        means[bot] = mean_of(&tallies[bot]);
    }
    free(tallies);
}
