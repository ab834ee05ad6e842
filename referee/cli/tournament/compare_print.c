/* The interval holds at any time, so it may be wider than the margin when the test says "no
 * difference": then the output says how certainly a difference would have been found. */

#include "cli/tournament/compare_print.h"

#include "wire/json_write.h"

#include <stdio.h>

static void print_verdict(const struct sprt_view *view, double margin)
{
    switch (view->verdict) {
    case SPRT_BETTER:
        printf("better: NEW has %.2f points per round fewer than OLD", -view->mean);
        break;
    case SPRT_WORSE:
        printf("worse: NEW has %.2f points per round more than OLD", view->mean);
        break;
    case SPRT_NO_DIFFERENCE:
        printf("no difference larger than %g points per round: NEW has %+.2f", margin, view->mean);
        break;
    default:
        printf("not known yet: NEW has %+.2f points per round", view->mean);
        break;
    }
}

void compare_print(const struct comparison *comparison, const struct sprt_setup *setup)
{
    struct sprt_view view = comparison_look(comparison);

    print_verdict(&view, setup->margin);
    if (view.verdict == SPRT_NO_DIFFERENCE)
        printf(" (one of that size would be found with %g %% certainty", 100 * (1 - setup->beta));
    else if (view.blocks > 1)
        printf(" (%+.2f to %+.2f with %g %% certainty", view.interval.low, view.interval.high,
               100 * (1 - setup->alpha));
    else
        printf(" (too few to say more");
    printf("; %u blocks, %lu matches)\n", view.blocks, comparison_matches(comparison));
    for (unsigned bot = 0; bot <= COMPARISON_OLD; bot++) {
        if (comparison_faults(comparison, bot) > 0)
            printf("%s was dismissed in %u matches\n", bot == COMPARISON_NEW ? "NEW" : "OLD",
                   comparison_faults(comparison, bot));
    }
}

static double percent(double evidence, double needed)
{
    return evidence <= 0 ? 0 : evidence >= needed ? 100 : 100 * evidence / needed;
}

void compare_print_progress(const struct comparison *comparison, struct text *line)
{
    struct sprt_view view = comparison_look(comparison);

    if (view.blocks < 2)
        return;
    text_printf(line,
                "%u blocks: NEW %+.2f points per round (%+.2f to %+.2f); evidence so far: better "
                "%.0f %%, worse %.0f %%; about %u more blocks",
                view.blocks, view.mean, view.interval.low, view.interval.high,
                percent(view.better_ratio, view.high_bound),
                percent(view.worse_ratio, view.high_bound), view.needed);
}

static void put_decimal(struct json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_decimal(json, value, 4);
}

void compare_print_json(const struct comparison *comparison, const struct sprt_setup *setup)
{
    struct sprt_view view = comparison_look(comparison);
    struct json_writer *json = json_writer_new(true);
    size_t length;

    json_open_map(json);
    json_key(json, "verdict");
    json_text(json, sprt_verdict_name(view.verdict));
    put_decimal(json, "difference", view.mean);
    put_decimal(json, "low", view.interval.low);
    put_decimal(json, "high", view.interval.high);
    put_decimal(json, "margin", setup->margin);
    json_put_number(json, "blocks", (long long)view.blocks);
    json_put_number(json, "matches", (long long)comparison_matches(comparison));
    json_put_number(json, "faults_new", (long long)comparison_faults(comparison, COMPARISON_NEW));
    json_put_number(json, "faults_old", (long long)comparison_faults(comparison, COMPARISON_OLD));
    json_close_map(json);
    fputs(json_writer_bytes(json, &length), stdout);
    json_writer_free(json);
}
