/* Everything is counted in whole numbers first (half points, rounds, matches) and divided once at
 * the end.
 *
 * The interval of a mean score: blocks are the independent units and differ in rounds, so the mean
 * is a ratio of two sums over blocks, and its error is that of a ratio estimator: with the mean m
 * and the points x and rounds r of each of n blocks, its variance is n / (n - 1) times the sum of
 * (x - m r)^2 over the square of the sum of r. */

#include "tournament/stats/standings.h"

#include "base/memory.h"
#include "tournament/stats/letter_groups.h"
#include "tournament/stats/rating.h"

#include <math.h>
#include <stdlib.h>

/* The counts of one bot. */
struct tally {
    int64_t halves;
    int64_t rounds;
    int64_t seat_halves[ALLEGRA_SEATS_MAX];
    int64_t seat_rounds[ALLEGRA_SEATS_MAX];
    int64_t win_sixtieths; /* 60 can be divided by any number of bots that share a win */
    uint32_t block;        /* the last one seen, and its sums so far */
    int64_t block_halves;
    int64_t block_rounds;
    unsigned blocks; /* finished */
    double squares;  /* of their deviations, in half points */
};

/* Results in the order of their blocks. */
struct sorted {
    struct result *list;
    size_t count;
};

static int compare_blocks(const void *left, const void *right)
{
    const struct result *a = left;
    const struct result *b = right;

    return (a->block > b->block) - (a->block < b->block);
}

static struct sorted sort_results(const struct standings_input *input)
{
    struct sorted sorted = {xcalloc(input->count + 1, sizeof *sorted.list), input->count};

    for (size_t i = 0; i < input->count; i++)
        sorted.list[i] = input->results[i];
    qsort(sorted.list, sorted.count, sizeof *sorted.list, compare_blocks);
    return sorted;
}

static int64_t win_sixtieths(const struct result *result, unsigned seat)
{
    int64_t first = 0;

    for (unsigned i = 0; i < result->seats; i++)
        first += result->places[i] == 1;
    return result->places[seat] == 1 ? 60 / first : 0;
}

static void count_seat(struct standing *row, struct tally *tally, const struct result *result,
                       unsigned seat)
{
    unsigned fault = result->faults[seat];

    row->matches++;
    row->rounds += result->rounds;
    row->places[result->places[seat] - 1]++;
    row->seat_matches[seat]++;
    row->faults[fault]++;
    row->fault_count += fault != BOT_ANSWERED;
    tally->win_sixtieths += win_sixtieths(result, seat);
    tally->halves += result->score_halves[seat];
    tally->rounds += result->rounds;
    tally->seat_halves[seat] += result->score_halves[seat];
    tally->seat_rounds[seat] += result->rounds;
}

static double per_round(double halves, double rounds)
{
    return rounds > 0 ? halves / 2 / rounds : NAN;
}

static void count_all(struct standing *rows, struct tally *tallies, struct sorted sorted,
                      struct standings *standings)
{
    for (size_t i = 0; i < sorted.count; i++) {
        const struct result *result = &sorted.list[i];

        standings->blocks += i == 0 || result->block != sorted.list[i - 1].block;
        if (result->seats > standings->seats)
            standings->seats = result->seats;
        for (unsigned seat = 0; seat < result->seats; seat++)
            count_seat(&rows[result->bots[seat]], &tallies[result->bots[seat]], result, seat);
    }
}

static void end_block(struct tally *tally)
{
    double mean = (double)tally->halves / (double)tally->rounds;
    double deviation = (double)tally->block_halves - mean * (double)tally->block_rounds;

    if (tally->block_rounds == 0)
        return;
    tally->blocks++;
    tally->squares += deviation * deviation;
    tally->block_halves = 0;
    tally->block_rounds = 0;
}

/* The second walk, when the means are known. */
static void count_deviations(struct tally *tallies, struct sorted sorted, unsigned bots)
{
    for (size_t i = 0; i < sorted.count; i++) {
        const struct result *result = &sorted.list[i];

        for (unsigned seat = 0; seat < result->seats; seat++) {
            struct tally *tally = &tallies[result->bots[seat]];

            if (result->block != tally->block)
                end_block(tally);
            tally->block = result->block;
            tally->block_halves += result->score_halves[seat];
            tally->block_rounds += result->rounds;
        }
    }
    for (unsigned bot = 0; bot < bots; bot++)
        end_block(&tallies[bot]);
}

static void finish_row(struct standing *row, const struct tally *tally)
{
    double blocks = tally->blocks;
    double error = sqrt(blocks / (blocks - 1) * tally->squares) / 2 / (double)tally->rounds;

    row->score = per_round((double)tally->halves, (double)tally->rounds);
    row->score_interval = student_t_interval(row->score, error, blocks - 1);
    row->win_share = row->matches > 0 ? (double)tally->win_sixtieths / 60 / row->matches : NAN;
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
        row->seat_score[seat] =
            per_round((double)tally->seat_halves[seat], (double)tally->seat_rounds[seat]);
}

/* The narrowest step of 1, 2 or 5 times a power of ten, from a tenth point on, with which all
 * scores fit in the bins. */
static double choose_step(double least, double most)
{
    const double steps[] = {1, 2, 5};

    for (double power = 0.1;; power *= 10)
        for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++)
            if (floor(most / (power * steps[i])) - floor(least / (power * steps[i])) <
                STANDINGS_BINS)
                return power * steps[i];
}

static void fill_bins(struct standing *rows, unsigned bots, struct sorted sorted)
{
    double least = INFINITY;
    double most = -INFINITY;
    double step;

    for (size_t i = 0; i < sorted.count; i++)
        for (unsigned seat = 0; seat < sorted.list[i].seats && sorted.list[i].rounds > 0; seat++) {
            double score = per_round(sorted.list[i].score_halves[seat], sorted.list[i].rounds);

            least = fmin(least, score);
            most = fmax(most, score);
        }
    if (!(least <= most))
        least = most = 0;
    step = choose_step(least, most);
    for (unsigned bot = 0; bot < bots; bot++) {
        rows[bot].score_step = step;
        rows[bot].score_least = floor(least / step) * step;
    }
    for (size_t i = 0; i < sorted.count; i++)
        for (unsigned seat = 0; seat < sorted.list[i].seats && sorted.list[i].rounds > 0; seat++) {
            double score = per_round(sorted.list[i].score_halves[seat], sorted.list[i].rounds);
            double bin = floor(score / step) - floor(least / step);

            rows[sorted.list[i].bots[seat]].score_bins[(unsigned)bin]++;
        }
}

static void describe_rows(struct standing *rows, const struct standings_input *input,
                          const struct ratings *ratings)
{
    for (unsigned bot = 0; bot < input->bots; bot++) {
        struct standing *row = &rows[bot];

        row->bot = bot;
        row->name = input->names[bot];
        row->is_withdrawn = input->is_withdrawn != NULL && input->is_withdrawn[bot];
        row->rating = ratings->of[bot].points;
        row->rating_interval = ratings->of[bot].interval;
        row->is_unbeaten = ratings->of[bot].is_unbeaten;
        if (input->times != NULL) {
            row->median_us = histogram_quantile(&input->times[bot], 0.5);
            row->p99_us = histogram_quantile(&input->times[bot], 0.99);
        }
    }
}

/* -1, 0 or 1; NaN comes last. */
static int compare_numbers(double left, double right)
{
    if (isnan(left) || isnan(right))
        return isnan(left) - isnan(right);
    return (left > right) - (left < right);
}

static int compare_rows(const void *left, const void *right)
{
    const struct standing *a = left;
    const struct standing *b = right;
    int by_rating = compare_numbers(-a->rating, -b->rating);
    int by_score = compare_numbers(a->score, b->score);

    if (by_rating != 0)
        return by_rating;
    if (by_score != 0)
        return by_score;
    return (a->bot > b->bot) - (a->bot < b->bot);
}

/* Bots without a match get no letter. */
static void find_groups(struct standings *standings, const struct ratings *ratings)
{
    struct standing *rows = standings->rows;
    struct bit_matrix *alike;
    unsigned rated = 0;

    while (rated < standings->count && !isnan(rows[rated].rating))
        rated++;
    alike = bit_matrix_new(rated);
    for (unsigned i = 0; i < rated; i++)
        for (unsigned j = 0; j < i; j++)
            if (!rating_can_tell(ratings, rows[i].bot, rows[j].bot)) {
                bit_matrix_add(alike, i, j);
                bit_matrix_add(alike, j, i);
            }
    if (rated > 0)
        letter_groups_write(alike, rows[0].groups, sizeof *rows, sizeof rows[0].groups);
    bit_matrix_free(alike);
}

static void cross_match(struct standings *standings, const struct result *result,
                        const unsigned *row_of)
{
    for (unsigned a = 0; a < result->seats; a++)
        for (unsigned b = 0; b < result->seats; b++) {
            size_t at =
                (size_t)row_of[result->bots[a]] * standings->count + row_of[result->bots[b]];

            if (result->bots[a] == result->bots[b])
                continue;
            standings->met[at]++;
            if (result->places[a] == result->places[b])
                standings->cross[at] += 0.5;
            else if (result->places[a] < result->places[b])
                standings->cross[at] += 1;
        }
}

static void fill_cross(struct standings *standings, struct sorted sorted)
{
    size_t cells = (size_t)standings->count * standings->count;
    unsigned *row_of = xcalloc((size_t)standings->count + 1, sizeof *row_of);

    standings->cross = xcalloc(cells + 1, sizeof *standings->cross);
    standings->met = xcalloc(cells + 1, sizeof *standings->met);
    for (unsigned row = 0; row < standings->count; row++)
        row_of[standings->rows[row].bot] = row;
    for (size_t i = 0; i < sorted.count; i++)
        cross_match(standings, &sorted.list[i], row_of);
    for (size_t at = 0; at < cells; at++)
        standings->cross[at] =
            standings->met[at] > 0 ? standings->cross[at] / standings->met[at] : NAN;
    free(row_of);
}

static void measure_gains(struct standings *standings, struct sorted sorted)
{
    struct repeat_gain *gains = xcalloc((size_t)standings->count + 1, sizeof *gains);

    repeat_gain_measure(sorted.list, sorted.count, standings->count, gains);
    for (unsigned bot = 0; bot < standings->count; bot++) {
        standings->rows[bot].repeat = gains[bot];
        standings->has_repeats = standings->has_repeats || gains[bot].blocks > 0;
    }
    free(gains);
}

static void count_rows(struct standings *standings, struct sorted sorted)
{
    struct tally *tallies = xcalloc((size_t)standings->count + 1, sizeof *tallies);

    count_all(standings->rows, tallies, sorted, standings);
    count_deviations(tallies, sorted, standings->count);
    for (unsigned bot = 0; bot < standings->count; bot++)
        finish_row(&standings->rows[bot], &tallies[bot]);
    fill_bins(standings->rows, standings->count, sorted);
    measure_gains(standings, sorted);
    free(tallies);
}

struct standings *standings_new(const struct standings_input *input)
{
    struct standings *standings = xcalloc(1, sizeof *standings);
    struct rating_input rating_input = {
        .results = input->results,
        .count = input->count,
        .bots = input->bots,
        .bootstraps = input->bootstraps,
        .seed = input->seed,
    };
    struct ratings *ratings = ratings_new(&rating_input); /* also checks the results */
    struct sorted sorted = sort_results(input);

    standings->count = input->bots;
    standings->matches = input->count;
    standings->rows = xcalloc((size_t)input->bots + 1, sizeof *standings->rows);
    count_rows(standings, sorted);
    describe_rows(standings->rows, input, ratings);
    qsort(standings->rows, standings->count, sizeof *standings->rows, compare_rows);
    find_groups(standings, ratings);
    fill_cross(standings, sorted);
    free(sorted.list);
    ratings_free(ratings);
    return standings;
}

void standings_free(struct standings *standings)
{
    if (standings == NULL)
        return;
    free(standings->rows);
    free(standings->cross);
    free(standings->met);
    free(standings);
}
