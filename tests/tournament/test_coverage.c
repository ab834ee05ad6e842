/* How often tables are right, over simulated tournaments. In `make check` there are so few that
 * the limits are wide: three standard deviations beyond what a long run may show. COVERAGE in the
 * environment sets how many of each design there are; `make bench ONLY=coverage` has the
 * figures. */

#include "support/coverage.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

TestSuite(coverage, .timeout = 7200);

static unsigned count_of(const struct coverage_design *design)
{
    const char *wanted = getenv("COVERAGE");

    return wanted != NULL ? (unsigned)strtoul(wanted, NULL, 10) : design->usual;
}

/* Percent that so many trials may be away from a true share, which may itself be off by 1.5. */
static double tolerance(double percent, double trials)
{
    return 1.5 + 3 * sqrt(percent * (100 - percent) / trials);
}

static void check_design(const struct coverage_design *design)
{
    double count = count_of(design);
    struct coverage coverage = coverage_measure(design, count_of(design), 2026);
    double margin = tolerance(95, count * design->bots);

    cr_expect(fabs(coverage.score - 95) <= margin, "%s: scores %.1f %%", design->name,
              coverage.score);
    cr_expect(fabs(coverage.rating - 95) <= margin, "%s: ratings %.1f %%", design->name,
              coverage.rating);
    cr_expect(coverage.ranks >= 95 - tolerance(95, count), "%s: ranks %.1f %%", design->name,
              coverage.ranks);
    cr_expect(coverage.apart <= 5 + tolerance(5, count), "%s: identical bots %.1f %%", design->name,
              coverage.apart);
    printf("count %s: %.0f tournaments, scores %.1f %%, ratings %.1f %%, errors %.2f of those "
           "claimed, "
           "ranks %.0f %%, identical bots told apart %.0f %%\n",
           design->name, count, coverage.score, coverage.rating, coverage.error, coverage.ranks,
           coverage.apart);
}

Test(coverage, of_every_design_is_95_percent_and_identical_bots_are_not_told_apart)
{
    for (size_t i = 0; i < coverage_design_count; i++)
        if (count_of(&coverage_designs[i]) > 0)
            check_design(&coverage_designs[i]);
}

/* Ten matches per bot, after which estimates are much too far apart. */
Test(coverage, ratings_of_a_short_swiss_are_off_by_what_their_intervals_claim)
{
    static const struct coverage_design design = {
        .format = SCHEDULE_SWISS,
        .seatings = SCHEDULE_SINGLE,
        .bots = 24,
        .seats = 4,
        .deals = 2,
        .rounds = 5,
    };
    struct coverage coverage = coverage_measure(&design, 16, 1);

    cr_assert(coverage.error > 0.84 && coverage.error < 1.12, "%.2f", coverage.error);
}
