/* How often the tables are right, over simulated tournaments of each design: see
 * support/coverage.h. COVERAGE in the environment says how many tournaments; by default there are
 * as many as have 2,000 bots. */

#include "support/bench_output.h"
#include "support/coverage.h"

#include <stdio.h>
#include <stdlib.h>

#define BOTS 2000 /* in all tournaments of a design */

static void print(const struct coverage_design *design, const char *what, double value,
                  const char *unit)
{
    char name[100];

    snprintf(name, sizeof name, "coverage.%s_%s", design->name, what);
    bench_output_print(name, value, unit);
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("COVERAGE");

    bench_output_init(argc, argv);
    for (size_t i = 0; i < coverage_design_count; i++) {
        const struct coverage_design *design = &coverage_designs[i];
        char name[100];
        struct coverage coverage;

        snprintf(name, sizeof name, "coverage.%s", design->name);
        if (!bench_output_is_wanted(name))
            continue;
        coverage = coverage_measure(
            design, wanted != NULL ? (unsigned)strtoul(wanted, NULL, 10) : BOTS / design->bots,
            2026);
        print(design, "score", coverage.score, "percent");
        print(design, "rating", coverage.rating, "percent");
        print(design, "rating_error", coverage.error, "times");
        print(design, "ranks", coverage.ranks, "percent");
        print(design, "identical_told_apart", coverage.apart, "percent");
        print(design, "rank_width", coverage.width, "percent");
        fflush(stdout);
    }
    return 0;
}
