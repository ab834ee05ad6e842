/* Whether a busy machine makes bots lose on time: eight matches at once with ten milliseconds for an
 * answer and four bots each that work five milliseconds for each answer, bids included. In the same
 * crowd a bot that works thirty milliseconds, and one that sleeps as long, must be late. */

#include "support/arena.h"
#include "support/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATCHES 8

/* How many of the bots at these seats were dismissed. */
static unsigned count_faults(const struct arena_match *matches, unsigned from, unsigned to)
{
    unsigned faults = 0;

    for (unsigned i = 0; i < MATCHES; i++) {
        for (unsigned seat = from; seat < to; seat++)
            faults += matches[i].faults[seat] != BOT_ANSWERED;
    }
    return faults;
}

int main(int argc, char **argv)
{
    struct arena *arena;
    struct arena_match matches[MATCHES];
    struct arena_setup setup = {
        .rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020), .seats = 4, .move_ms = 10};
    char build[256];
    char work[300];
    char burner[300];
    char sleeper[300];
    double answers = 0;

    figures_start(argc, argv);
    if (!figures_folder(argv, build, sizeof build))
        return 1;
    if (!figures_are_wanted("clock."))
        return 0;
    snprintf(work, sizeof work, "%s/slow_bot burn 5", build);
    snprintf(burner, sizeof burner, "%s/slow_bot burn 30", build);
    snprintf(sleeper, sizeof sleeper, "%s/slow_bot sleep 30", build);
    setup.rules.rounds = 1;
    setup.rules.turn_limit = 5;
    for (unsigned seat = 0; seat < 4; seat++)
        setup.bots[seat] = work;
    arena = arena_new();
    arena_play(arena, &setup, MATCHES, 0, matches);
    for (unsigned i = 0; i < MATCHES; i++)
        answers += (double)matches[i].answers;
    figures_print("clock.answers", answers, "answers");
    figures_print("clock.false_forfeits", count_faults(matches, 0, 4), "bots");
    setup.seats = 6;
    setup.bots[4] = burner;
    setup.bots[5] = sleeper;
    arena_play(arena, &setup, MATCHES, MATCHES, matches);
    figures_print("clock.false_forfeits_among_late", count_faults(matches, 0, 4), "bots");
    figures_print("clock.burners_late_of_8", count_faults(matches, 4, 5), "bots");
    figures_print("clock.sleepers_late_of_8", count_faults(matches, 5, 6), "bots");
    arena_free(arena);
    return 0;
}
