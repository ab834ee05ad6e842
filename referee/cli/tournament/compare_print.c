/* The first line is the answer, the second what it rests on, and without a verdict the third says
 * what to do next. The interval holds at every look, so a comparison that ends without a verdict
 * still tells how much better or worse NEW can be at most. */

#include "cli/tournament/compare_print.h"

#include "wire/json_write.h"

#include <math.h>
#include <stdio.h>

/* How surely one direction is the true one, from the surest. */
static const struct {
    double chance;
    const char *word;
} leanings[] = {{0.95, "very probably"}, {0.8, "probably"}, {0.6, "perhaps"}};

static const char *fewer_or_more(double difference)
{
    return difference <= 0 ? "fewer" : "more";
}

static double half_width(const struct difference_test_view *view)
{
    return (view->interval.high - view->interval.low) / 2;
}

static void print_difference(const struct difference_test_view *view)
{
    printf("NEW loses %.2f ± %.2f points per round %s than OLD", fabs(view->mean), half_width(view),
           fewer_or_more(view->mean));
}

/* Whether the interval says which of them is better. Then that is the answer, even if the
 * comparison was stopped before `--least` blocks. */
static bool has_direction(const struct difference_test_view *view)
{
    return view->interval.high < 0 || view->interval.low > 0;
}

static bool is_within_margin(const struct difference_test_view *view, double margin)
{
    return fabs(view->mean) + half_width(view) <= margin;
}

static void print_verdict(const struct difference_test_view *view, double margin)
{
    if (view->is_identical) {
        printf("no difference at all in %u blocks: equal\n", view->blocks);
        return;
    }
    print_difference(view);
    if (view->verdict == DIFFERENCE_TEST_EQUAL)
        printf(": equal, less than %g does not matter (--margin)\n", margin);
    else
        printf(": %s%s\n", view->mean < 0 ? "better" : "worse",
               is_within_margin(view, margin) ? ", but by less than --margin" : "");
}

/* An end that excludes 0 must not be printed as 0. */
static int digits_for(const struct interval *interval)
{
    return fmin(fabs(interval->low), fabs(interval->high)) < 0.005 ? 4 : 2;
}

/* The interval, in words that need no sign. */
static void print_interval(const struct difference_test_view *view, double alpha)
{
    const struct interval *interval = &view->interval;
    double near = fmin(fabs(interval->low), fabs(interval->high));
    double far = fmax(fabs(interval->low), fabs(interval->high));
    int digits = digits_for(interval);

    printf("with %g %% certainty NEW ", 100 * (1 - alpha));
    if (has_direction(view))
        printf("loses %.*f to %.*f points per round %s", digits, near, digits, far,
               fewer_or_more(view->mean));
    else
        printf("is between %.*f points per round better and %.*f worse", digits, -interval->low,
               digits, interval->high);
}

static void print_basis(const struct comparison *comparison,
                        const struct difference_test_setup *setup)
{
    struct difference_test_view view = comparison_look(comparison);

    printf("fewer points are better; ");
    print_interval(&view, setup->alpha);
    printf("; %u blocks, %lu matches\n", view.blocks, comparison_matches(comparison));
}

static void print_without_verdict(const struct comparison *comparison,
                                  const struct difference_test_setup *setup)
{
    struct difference_test_view view = comparison_look(comparison);

    if (view.blocks == 0) {
        printf("not decided: no block was finished\n");
        return;
    }
    printf("not decided after %u block%s", view.blocks, view.blocks == 1 ? "" : "s");
    if (isfinite(half_width(&view))) {
        printf(": ");
        print_interval(&view, setup->alpha);
        printf(" than OLD\n");
    } else {
        printf(", too few to say how much better or worse NEW can be\n");
    }
    if (!view.is_identical)
        printf("so far NEW loses %.2f points per round %s than OLD; fewer points are better; ",
               fabs(view.mean), fewer_or_more(view.mean));
    printf("%u block%s, %lu matches\n", view.blocks, view.blocks == 1 ? "" : "s",
           comparison_matches(comparison));
}

static void print_leaning(const struct difference_test_view *view)
{
    double chance = fmax(view->chance_better, 1 - view->chance_better);
    size_t i = 0;

    while (i < ARRAY_LEN(leanings) && chance < leanings[i].chance)
        i++;
    if (view->is_identical)
        printf("there was no difference at all; ");
    else if (i == ARRAY_LEN(leanings))
        printf("NEW may be better or worse; ");
    else
        printf("NEW is %s %s; ", leanings[i].word, view->chance_better > 0.5 ? "better" : "worse");
}

/* Two digits are all that an estimate deserves. */
static double rounded(double number)
{
    double unit = number < 100 ? 1 : pow(10, floor(log10(number)) - 1);

    return ceil(number / unit) * unit;
}

static void print_next_step(const struct comparison *comparison,
                            const struct difference_test_setup *setup)
{
    struct difference_test_view view = comparison_look(comparison);
    double blocks = view.blocks + view.blocks_needed;

    print_leaning(&view);
    printf("about %.0f more matches would decide it",
           rounded(comparison_matches_needed(comparison)));
    if (blocks > setup->most && rounded(blocks) <= COMPARISON_BLOCKS_MAX)
        printf(" (--most %.0f)", rounded(blocks));
    putchar('\n');
}

/* What the points say as they fell. */
static void print_raw(const struct comparison *comparison)
{
    struct difference_test_view view = comparison_look_at(comparison, COMPARISON_RAW);

    if (!comparison_is_adjusted(comparison) || view.blocks < 2 || view.is_identical)
        return;
    printf("what the cards gave is taken out; as the points fell, NEW loses %.2f", fabs(view.mean));
    if (isfinite(half_width(&view)))
        printf(" ± %.2f", half_width(&view));
    printf(" %s\n", fewer_or_more(view.mean));
}

static void print_faults(const struct comparison *comparison)
{
    static const char *const names[] = {
        [COMPARISON_NEW] = "NEW", [COMPARISON_OLD] = "OLD", [COMPARISON_FIELD] = "the field"};

    for (unsigned bot = 0; bot < ARRAY_LEN(names); bot++) {
        unsigned faults = comparison_faults(comparison, bot);

        if (faults > 0)
            printf("%s was dismissed %u time%s in %lu matches\n", names[bot], faults,
                   faults == 1 ? "" : "s", comparison_matches(comparison));
    }
}

void compare_print(const struct comparison *comparison, const struct difference_test_setup *setup)
{
    struct difference_test_view view = comparison_look(comparison);

    if (comparison_is_decided(comparison) || has_direction(&view)) {
        print_verdict(&view, setup->margin);
        print_basis(comparison, setup);
    } else {
        print_without_verdict(comparison, setup);
        if (view.blocks > 1)
            print_next_step(comparison, setup);
    }
    print_raw(comparison);
    print_faults(comparison);
}

void compare_print_progress(const struct comparison *comparison, struct text *line)
{
    struct difference_test_view view = comparison_look(comparison);

    if (view.blocks < 2)
        return;
    text_printf(line, "%u blocks: NEW loses %.2f ", view.blocks, fabs(view.mean));
    if (isfinite(half_width(&view)))
        text_printf(line, "± %.2f ", half_width(&view));
    text_printf(line, "%s per round; about %.0f more matches to decide", fewer_or_more(view.mean),
                rounded(comparison_matches_needed(comparison)));
}

static void put_decimal(struct json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_decimal(json, value, 4);
}

static void put_view(struct json_writer *json, const struct difference_test_view *view)
{
    put_decimal(json, "difference", view->mean);
    put_decimal(json, "low", view->interval.low);
    put_decimal(json, "high", view->interval.high);
    put_decimal(json, "deviation", view->deviation);
    put_decimal(json, "p_value", view->p_value);
    put_decimal(json, "chance_better", view->chance_better);
}

void compare_print_json(const struct comparison *comparison,
                        const struct difference_test_setup *setup)
{
    struct difference_test_view view = comparison_look(comparison);
    struct json_writer *json = json_writer_new(true);
    size_t length;

    json_open_map(json);
    json_key(json, "verdict");
    json_text(json, difference_test_verdict_name(view.verdict));
    put_view(json, &view);
    put_decimal(json, "margin", setup->margin);
    put_decimal(json, "alpha", setup->alpha);
    json_put_number(json, "blocks", (long long)view.blocks);
    json_put_number(json, "matches", (long long)comparison_matches(comparison));
    json_put_number(json, "matches_needed", (long long)comparison_matches_needed(comparison));
    json_put_number(json, "faults_new", (long long)comparison_faults(comparison, COMPARISON_NEW));
    json_put_number(json, "faults_old", (long long)comparison_faults(comparison, COMPARISON_OLD));
    json_put_number(json, "faults_field",
                    (long long)comparison_faults(comparison, COMPARISON_FIELD));
    json_key(json, "is_adjusted");
    json_flag(json, comparison_is_adjusted(comparison));
    view = comparison_look_at(comparison, COMPARISON_RAW);
    json_key(json, "raw");
    json_open_map(json);
    put_view(json, &view);
    json_close_map(json);
    json_close_map(json);
    fputs(json_writer_bytes(json, &length), stdout);
    json_writer_free(json);
}
