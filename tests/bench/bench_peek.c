/* How soon a bot that knows the cards is caught, and how often an honest one is suspected. All
 * matches of one round are played in this process at four seats; after each match somebody looks.
 * Cheats play de2026, honest bots all editions in turn.
 *
 * False alarms are too rare to be counted; how often honest bots have luck that comes in one of 20
 * tournaments shows whether the odds are right. Some of them play as nobody would.
 *
 * TOURNAMENTS in the environment sets how many tournaments of honest bots are played. */

#include "base/memory.h"
#include "support/bench_output.h"
#include "support/luck_match.h"
#include "tournament/stats/peek.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BOTS 4
#define MATCHES 20
#define CHEAT 3
#define CHEATED 60 /* tournaments with a cheat */
#define RARE 20    /* luck that comes in one of so many tournaments */

static void play(struct result *result, unsigned match, const struct allegra_rules *rules,
                 const enum luck_player players[BOTS], struct allegra_dice *dice)
{
    enum luck_player seated[BOTS];

    *result = (struct result){.block = match + 1, .seats = BOTS};
    for (unsigned seat = 0; seat < BOTS; seat++) {
        result->bots[seat] = (uint16_t)((seat + match) % BOTS);
        seated[seat] = players[result->bots[seat]];
    }
    luck_match_play(result, rules, seated, dice);
}

/* One tournament, up to the first alarm. */
struct outcome {
    unsigned matches; /* until a bot is suspected; 0: none was */
    unsigned suspect;
    double one_in; /* the most that any bot had at any look */
};

static struct outcome watch(enum allegra_edition edition, const enum luck_player players[BOTS],
                            uint64_t seed)
{
    struct allegra_rules rules = allegra_rules_of_edition(edition);
    struct allegra_dice dice = allegra_dice_from(seed);
    struct outcome outcome = {.one_in = 1};
    struct result results[MATCHES];

    rules.rounds = 1;
    for (unsigned match = 0; match < MATCHES && outcome.matches == 0; match++) {
        struct peek peeks[BOTS];

        play(&results[match], match, &rules, players, &dice);
        peek_measure(results, match + 1, BOTS, peeks);
        for (unsigned bot = 0; bot < BOTS; bot++) {
            outcome.one_in = fmax(outcome.one_in, peeks[bot].one_in);
            if (peeks[bot].is_suspicious)
                outcome = (struct outcome){match + 1, bot, outcome.one_in};
        }
    }
    return outcome;
}

static int compare_counts(const void *left, const void *right)
{
    const unsigned *a = left;
    const unsigned *b = right;

    return (*a > *b) - (*a < *b);
}

static void measure_catching(void)
{
    static const enum luck_player players[BOTS] = {[CHEAT] = LUCK_PLAYER_PEEKING};
    unsigned counts[CHEATED];
    unsigned missed = 0;

    for (unsigned i = 0; i < CHEATED; i++) {
        struct outcome outcome = watch(ALLEGRA_EDITION_DE2026, players, 1000000 + i);

        counts[i] = outcome.matches;
        if (counts[i] == 0 || outcome.suspect != CHEAT) {
            counts[i] = MATCHES + 1;
            missed++;
        }
    }
    qsort(counts, CHEATED, sizeof *counts, compare_counts);
    bench_output_print("peek.matches_to_catch", counts[CHEATED / 2], "matches");
    bench_output_print("peek.matches_to_catch_worst", counts[CHEATED - 1], "matches");
    bench_output_print("peek.cheats_missed", 100.0 * missed / CHEATED, "percent");
}

static void measure_false_alarms(void)
{
    static const enum luck_player fields[][BOTS] = {
        {[1] = LUCK_PLAYER_RANDOM},
        {LUCK_PLAYER_FIRST, LUCK_PLAYER_LAST, LUCK_PLAYER_RANDOM, LUCK_PLAYER_SWIFT},
    };
    const char *wanted = getenv("TOURNAMENTS");
    unsigned tournaments = wanted != NULL ? (unsigned)strtoul(wanted, NULL, 10) : 1000;
    unsigned alarms = 0;
    unsigned rare = 0;

    for (unsigned i = 0; i < tournaments; i++) {
        struct outcome outcome =
            watch((enum allegra_edition)(i / 2 % ALLEGRA_EDITION_COUNT), fields[i % 2], i);

        alarms += outcome.matches > 0;
        rare += outcome.one_in >= RARE;
    }
    bench_output_print("peek.false_alarms_per_1000", 1000.0 * alarms / tournaments, "tournaments");
    bench_output_print("peek.one_in_20_percent", 100.0 * rare / tournaments, "percent");
}

int main(int argc, char **argv)
{
    bench_output_init(argc, argv);
    if (bench_output_is_wanted("peek.matches_to_catch") ||
        bench_output_is_wanted("peek.cheats_missed"))
        measure_catching();
    if (bench_output_is_wanted("peek.false_alarms_per_1000") ||
        bench_output_is_wanted("peek.one_in_20_percent"))
        measure_false_alarms();
    return 0;
}
