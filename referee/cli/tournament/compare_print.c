/* Verdicts. The interval holds whenever one looks, so it is wider than the margin may be when the test
 * says "no difference": then what counts is how surely a difference would have been found. */

#include "cli/verdict.h"

#include "wire/json.h"

#include <stdio.h>

static void print_words(const struct sequential_view *view, double margin)
{
    switch (view->verdict) {
    case SEQUENTIAL_BETTER:
        printf("better: NEW has %.2f points a round fewer than OLD", -view->mean);
        break;
    case SEQUENTIAL_WORSE:
        printf("worse: NEW has %.2f points a round more than OLD", view->mean);
        break;
    case SEQUENTIAL_NO_DIFFERENCE:
        printf("no difference larger than %g points a round: NEW has %+.2f", margin, view->mean);
        break;
    default:
        printf("not known yet: NEW has %+.2f points a round", view->mean);
        break;
    }
}

void verdict_print(const struct duel *duel, const struct sequential_setup *setup)
{
    struct sequential_view view = duel_look(duel);

    print_words(&view, setup->margin);
    if (view.verdict == SEQUENTIAL_NO_DIFFERENCE)
        printf(" (one of that size would be found with %g %% certainty", 100 * (1 - setup->beta));
    else if (view.blocks > 1)
        printf(" (%+.2f to %+.2f with %g %% certainty", view.interval.low, view.interval.high,
               100 * (1 - setup->alpha));
    else
        printf(" (too few to say more");
    printf("; %u deal blocks, %lu matches)\n", view.blocks, duel_matches(duel));
    for (unsigned bot = 0; bot <= DUEL_OLD; bot++) {
        if (duel_faults(duel, bot) > 0)
            printf("%s was dismissed in %u matches\n", bot == DUEL_NEW ? "NEW" : "OLD",
                   duel_faults(duel, bot));
    }
}

static void put_decimal(struct json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_decimal(json, value, 4);
}

void verdict_print_json(const struct duel *duel, const struct sequential_setup *setup)
{
    struct sequential_view view = duel_look(duel);
    struct json_writer *json = json_writer_new(true);
    size_t length;

    json_open_map(json);
    json_key(json, "verdict");
    json_text(json, sequential_word(view.verdict));
    put_decimal(json, "difference", view.mean);
    put_decimal(json, "low", view.interval.low);
    put_decimal(json, "high", view.interval.high);
    put_decimal(json, "margin", setup->margin);
    json_put_number(json, "blocks", (long long)view.blocks);
    json_put_number(json, "matches", (long long)duel_matches(duel));
    json_put_number(json, "faults_new", (long long)duel_faults(duel, DUEL_NEW));
    json_put_number(json, "faults_old", (long long)duel_faults(duel, DUEL_OLD));
    json_close_map(json);
    fputs(json_writer_bytes(json, &length), stdout);
    json_writer_free(json);
}
