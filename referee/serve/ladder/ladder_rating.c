/* Ratings come from all results, those of older versions too: they say how strong the opponents of
 * the active ones were. Ranks are only given to active versions. A version is a bot of its own for
 * the model, so it inherits nothing from the one before it.
 *
 * Opponents are chosen by results, so bots that were lucky against each other tend to meet again,
 * and the resamples do not know that. In simulated ladders of two seats (`make bench ONLY=ladder`)
 * 92 % of the intervals were right instead of 95, and one of eight ladders of identical bots told
 * two of them apart; with four seats it does not matter. WIDENING makes up for it. */

#include "serve/ladder/ladder_rating.h"

#include "base/memory.h"
#include "tournament/stats/rank_range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 1
#define NOTHING "-"
#define WIDENING 1.15

static bool is_listed(const char *const *list, const char *version)
{
    while (*list != NULL && strcmp(*list, version) != 0)
        list++;
    return *list != NULL;
}

static void add_points(struct text *text, double points)
{
    text_add_char(text, ' ');
    if (isfinite(points))
        text_add_decimal(text, points, 1);
    else
        text_add(text, NOTHING);
}

void ladder_rating_write(struct text *text, const struct ladder_rating *rating)
{
    text_add(text, rating->version);
    add_points(text, rating->points);
    add_points(text, rating->low);
    add_points(text, rating->high);
    text_printf(text, " %u %u %d", rating->best, rating->worst, rating->is_unbeaten);
}

static void print_version(FILE *file, const char *version, const struct rating *rating,
                          struct rank_range range)
{
    struct ladder_rating row = {.points = rating->points,
                                .low = rating->interval.low,
                                .high = rating->interval.high,
                                .best = range.best,
                                .worst = range.worst,
                                .is_unbeaten = rating->is_unbeaten};
    char line[200];
    struct text text;

    memcpy(row.version, version, strlen(version));
    text_start(&text, line, sizeof line);
    ladder_rating_write(&text, &row);
    fprintf(file, "%s\n", line);
}

static double widen(double value, double from)
{
    return from + WIDENING * (value - from);
}

void ladder_rating_widen(struct ratings *ratings)
{
    for (unsigned i = 0; i < ratings->bots; i++) {
        struct rating *rating = &ratings->of[i];
        double *samples = ratings->samples + (size_t)i * ratings->bootstraps;

        rating->interval.low = widen(rating->interval.low, rating->points);
        rating->interval.high = widen(rating->interval.high, rating->points);
        for (unsigned k = 0; k < ratings->bootstraps; k++)
            samples[k] = widen(samples[k], rating->points);
    }
}

void ladder_rating_print(FILE *file, const struct ladder_results *results,
                         const char *const *active)
{
    struct rating_input input = {.bots = ladder_results_version_count(results), .seed = SEED};
    struct ratings *ratings;
    struct rank_range *ranges;
    double *points = xcalloc(input.bots + 1U, sizeof *points);

    input.results = ladder_results_list(results, &input.count);
    if (input.count == 0) {
        free(points);
        return;
    }
    ratings = ratings_new(&input);
    ladder_rating_widen(ratings);
    for (unsigned i = 0; i < input.bots; i++) {
        points[i] = ratings->of[i].points;
        if (!is_listed(active, ladder_results_version(results, i)))
            ratings->of[i].points = NAN; /* which leaves it out of the ranks */
    }
    ranges = rank_ranges_new(ratings);
    for (unsigned i = 0; i < input.bots; i++) {
        ratings->of[i].points = points[i];
        if (!isnan(points[i]))
            print_version(file, ladder_results_version(results, i), &ratings->of[i], ranges[i]);
    }
    free(points);
    free(ranges);
    ratings_free(ratings);
}

static bool take_points(struct span *rest, double *points)
{
    struct span word = span_cut_word(rest);
    char bytes[40];
    char *end;

    *points = NAN;
    if (span_is(word, NOTHING))
        return true;
    if (word.length == 0 || word.length >= sizeof bytes)
        return false;
    memcpy(bytes, word.start, word.length);
    bytes[word.length] = '\0';
    *points = strtod(bytes, &end);
    return *end == '\0';
}

static bool take_number(struct span *rest, unsigned *number)
{
    long value = 0;
    bool is_fine = span_read_number(span_cut_word(rest), 0, UINT16_MAX, &value) == 0;

    *number = (unsigned)value;
    return is_fine;
}

int ladder_rating_read(struct ladder_rating *rating, const char *line)
{
    struct span rest = span_of(line);
    struct span version = span_cut_word(&rest);
    unsigned is_unbeaten = 0;

    *rating = (struct ladder_rating){.best = 0};
    if (version.length == 0 || version.length >= sizeof rating->version)
        return -1;
    memcpy(rating->version, version.start, version.length);
    if (!take_points(&rest, &rating->points) || !take_points(&rest, &rating->low) ||
        !take_points(&rest, &rating->high) || !take_number(&rest, &rating->best) ||
        !take_number(&rest, &rating->worst) || !take_number(&rest, &is_unbeaten))
        return -1;
    rating->is_unbeaten = is_unbeaten != 0;
    return 0;
}
