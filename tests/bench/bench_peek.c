/* How soon a bot that knows the cards is caught, and how often an honest one is suspected. All
 * matches are played in this process, four seats, edition de2026; after each match somebody looks.
 *
 * TOURNAMENTS in the environment sets how many tournaments of honest bots are played. */

#include "base/memory.h"
#include "support/bench_output.h"
#include "support/luck_match.h"
#include "tournament/stats/peek.h"

#include <stdio.h>
#include <stdlib.h>

#define BOTS 4
#define MATCHES 20
#define CHEAT 3
#define CHEATED 60 /* tournaments with a cheat */

static void play(struct result *result, unsigned match, const enum luck_player players[BOTS],
                 struct allegra_dice *dice)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    enum luck_player seated[BOTS];

    *result = (struct result){.block = match + 1, .seats = BOTS};
    for (unsigned seat = 0; seat < BOTS; seat++) {
        result->bots[seat] = (uint16_t)((seat + match) % BOTS);
        seated[seat] = players[result->bots[seat]];
    }
    luck_match_play(result, &rules, seated, dice);
}

/* After how many matches a bot is suspected; 0: never. `suspect` becomes the bot. */
static unsigned find_suspect(const enum luck_player players[BOTS], uint64_t seed, unsigned *suspect)
{
    struct allegra_dice dice = allegra_dice_from(seed);
    struct result results[MATCHES];

    for (unsigned match = 0; match < MATCHES; match++) {
        struct peek peeks[BOTS];

        play(&results[match], match, players, &dice);
        peek_measure(results, match + 1, BOTS, peeks);
        for (*suspect = 0; *suspect < BOTS; (*suspect)++) {
            if (peeks[*suspect].is_suspicious)
                return match + 1;
        }
    }
    return 0;
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
        unsigned suspect;

        counts[i] = find_suspect(players, 1000000 + i, &suspect);
        if (counts[i] == 0 || suspect != CHEAT) {
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
    static const enum luck_player players[BOTS] = {[1] = LUCK_PLAYER_RANDOM};
    const char *wanted = getenv("TOURNAMENTS");
    unsigned tournaments = wanted != NULL ? (unsigned)strtoul(wanted, NULL, 10) : 1000;
    unsigned alarms = 0;

    for (unsigned i = 0; i < tournaments; i++) {
        unsigned suspect;

        alarms += find_suspect(players, i, &suspect) != 0;
    }
    bench_output_print("peek.false_alarms_per_1000", 1000.0 * alarms / tournaments, "tournaments");
}

int main(int argc, char **argv)
{
    bench_output_init(argc, argv);
    if (bench_output_is_wanted("peek.matches_to_catch") ||
        bench_output_is_wanted("peek.cheats_missed"))
        measure_catching();
    if (bench_output_is_wanted("peek.false_alarms_per_1000"))
        measure_false_alarms();
    return 0;
}
