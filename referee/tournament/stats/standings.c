/* Everything is counted in whole numbers first (rounds, matches, shares of wins) and divided once
 * at the end. Results are sorted before points are added up, so that their order does not
 * matter. */

#include "tournament/stats/standings.h"

#include "base/memory.h"
#include "tournament/stats/rating.h"
#include "tournament/stats/points_mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Results in the order of their blocks and matches. */
struct sorted {
    struct result *list;
    size_t count;
};

static int compare_blocks(const void *left, const void *right)
{
    const struct result *a = left;
    const struct result *b = right;

    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return (a->rotation > b->rotation) - (a->rotation < b->rotation);
}

static struct sorted sort_results(const struct standings_input *input)
{
    struct sorted sorted = {xcalloc(input->count + 1, sizeof *sorted.list), input->count};

    for (size_t i = 0; i < input->count; i++)
        sorted.list[i] = input->results[i];
    qsort(sorted.list, sorted.count, sizeof *sorted.list, compare_blocks);
    return sorted;
}

/* 60 can be divided by any number of bots that share a win. */
static int64_t win_sixtieths(const struct result *result, unsigned seat)
{
    int64_t first = 0;

    for (unsigned i = 0; i < result->seats; i++)
        first += result->places[i] == 1;
    return result->places[seat] == 1 ? 60 / first : 0;
}

static void count_seat(struct standing *row, int64_t *wins, const struct result *result,
                       unsigned seat)
{
    unsigned fault = result->faults[seat];

    row->matches++;
    row->rounds += result->rounds;
    row->places[result->places[seat] - 1]++;
    row->seat_matches[seat]++;
    row->faults[fault]++;
    row->fault_count += fault != BOT_ANSWERED;
    *wins += win_sixtieths(result, seat);
}

static void count_all(struct standings *standings, struct sorted sorted, int64_t *wins)
{
    for (size_t i = 0; i < sorted.count; i++) {
        const struct result *result = &sorted.list[i];

        standings->blocks += i == 0 || result->block != sorted.list[i - 1].block;
        if (result->seats > standings->seats)
            standings->seats = result->seats;
        for (unsigned seat = 0; seat < result->seats; seat++)
            count_seat(&standings->rows[result->bots[seat]], &wins[result->bots[seat]], result,
                       seat);
    }
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
            double score = points_raw(&sorted.list[i], seat) / sorted.list[i].rounds;

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
            double score = points_raw(&sorted.list[i], seat) / sorted.list[i].rounds;
            double bin = floor(score / step) - floor(least / step);

            rows[sorted.list[i].bots[seat]].score_bins[(unsigned)bin]++;
        }
}

static void describe_rows(struct standing *rows, const struct standings_input *input,
                          const struct ratings *ratings)
{
    struct rank_range *ranks = rank_ranges_new(ratings);

    for (unsigned bot = 0; bot < input->bots; bot++) {
        struct standing *row = &rows[bot];

        row->bot = bot;
        row->name = input->names[bot];
        row->is_withdrawn = input->is_withdrawn != NULL && input->is_withdrawn[bot];
        row->rating = ratings->of[bot].points;
        row->rating_interval = ratings->of[bot].interval;
        row->is_unbeaten = ratings->of[bot].is_unbeaten;
        row->ranks = ranks[bot];
        if (input->times != NULL) {
            row->median_us = histogram_quantile(&input->times[bot], 0.5);
            row->p99_us = histogram_quantile(&input->times[bot], 0.99);
        }
    }
    free(ranks);
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
    struct peek *peeks = xcalloc((size_t)standings->count + 1, sizeof *peeks);

    repeat_gain_measure(sorted.list, sorted.count, standings->count, gains);
    peek_measure(sorted.list, sorted.count, standings->count, peeks);
    for (unsigned bot = 0; bot < standings->count; bot++) {
        standings->rows[bot].repeat = gains[bot];
        standings->has_repeats = standings->has_repeats || gains[bot].blocks > 0;
        standings->rows[bot].peek = peeks[bot];
        standings->has_peeks = standings->has_peeks || peeks[bot].matches > 0;
    }
    free(gains);
    free(peeks);
}

static void measure_scores(struct standings *standings, struct sorted sorted)
{
    struct points_mean *means = xcalloc((size_t)standings->count + 1, sizeof *means);

    points_means_find(sorted.list, sorted.count, standings->count, points_raw, means);
    for (unsigned bot = 0; bot < standings->count; bot++) {
        struct standing *row = &standings->rows[bot];

        row->score = means[bot].score;
        row->score_interval = means[bot].interval;
        memcpy(row->seat_score, means[bot].seat_score, sizeof row->seat_score);
    }
    free(means);
}

/* Whether it is known for all matches, of which there is one. */
static bool has_luck(struct sorted sorted)
{
    for (size_t i = 0; i < sorted.count; i++) {
        if (!sorted.list[i].has_luck)
            return false;
    }
    return sorted.count > 0;
}

/* The sum of the adjusted shares of wins of each bot. Free it. */
static double *adjusted_wins(unsigned bots, struct sorted sorted)
{
    double *wins = xcalloc((size_t)bots + 1, sizeof *wins);

    for (size_t i = 0; i < sorted.count; i++)
        for (unsigned seat = 0; seat < sorted.list[i].seats; seat++)
            wins[sorted.list[i].bots[seat]] += result_win(&sorted.list[i], seat, true);
    return wins;
}

static void adjust_scores(struct standings *standings, struct sorted sorted)
{
    struct points_mean *means = xcalloc((size_t)standings->count + 1, sizeof *means);
    double *wins = adjusted_wins(standings->count, sorted);

    points_means_find(sorted.list, sorted.count, standings->count, points_adjusted, means);
    for (unsigned bot = 0; bot < standings->count; bot++) {
        struct standing *row = &standings->rows[bot];
        bool is_known = standings->is_adjusted && row->matches > 0;

        row->adjusted = is_known ? means[bot].score : NAN;
        row->adjusted_interval = is_known ? means[bot].interval : (struct interval){NAN, NAN};
        row->adjusted_win_share = is_known ? wins[bot] / row->matches : NAN;
    }
    free(wins);
    free(means);
}

static void count_rows(struct standings *standings, struct sorted sorted)
{
    int64_t *wins = xcalloc((size_t)standings->count + 1, sizeof *wins); /* in sixtieths */

    count_all(standings, sorted, wins);
    for (unsigned bot = 0; bot < standings->count; bot++) {
        struct standing *row = &standings->rows[bot];

        row->win_share = row->matches > 0 ? (double)wins[bot] / 60 / row->matches : NAN;
    }
    measure_scores(standings, sorted);
    adjust_scores(standings, sorted);
    fill_bins(standings->rows, standings->count, sorted);
    measure_gains(standings, sorted);
    free(wins);
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
        .swiss = input->swiss,
        .is_withdrawn = input->is_withdrawn,
    };
    struct ratings *ratings = ratings_new(&rating_input); /* also checks the results */
    struct sorted sorted = sort_results(input);

    standings->count = input->bots;
    standings->matches = input->count;
    standings->is_adjusted = !input->ignores_luck && has_luck(sorted);
    standings->rows = xcalloc((size_t)input->bots + 1, sizeof *standings->rows);
    count_rows(standings, sorted);
    describe_rows(standings->rows, input, ratings);
    qsort(standings->rows, standings->count, sizeof *standings->rows, compare_rows);
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
