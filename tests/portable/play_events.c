/* Plays random matches of all editions and table sizes with the public library, and prints every
 * answer, every event with all its members, and the score. Wherever it was compiled, and by which
 * compiler, the output must be the same, byte for byte. */

#include <allegra.h>
#include <stdio.h>
#include <stdlib.h>

static void print_events(const struct allegra_events *events)
{
    for (unsigned i = 0; i < events->count; i++) {
        const struct allegra_event *event = &events->list[i];

        printf("%s %u %u %u %d %d %u %u %d %d %d\n", allegra_event_name(event->kind), event->seat,
               event->other, event->cell, event->card, event->old, event->seen_by, event->cells,
               (int)event->number, (int)event->score_halves, (int)event->total_halves);
    }
}

static void play(enum allegra_edition edition, unsigned seats, unsigned seed)
{
    struct allegra_rules rules = allegra_rules_of_edition(edition);
    struct allegra_dice dice = allegra_dice_from(seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table;
    struct allegra_events events;

    printf("match %s %u %u\n", allegra_edition_name(edition), seats, seed);
    allegra_table_start(&table, &rules, seats, seed % seats, &shuffler, &events);
    print_events(&events);
    while (!allegra_table_is_over(&table)) {
        for (unsigned seat = 0; seat < seats; seat++) {
            struct allegra_legal legal;

            allegra_legal_list(&table, seat, &legal);
            if (legal.count == 0)
                continue;
            allegra_table_apply(&table, seat, allegra_simulate_choose(&dice, &legal), &shuffler,
                                &events);
            printf("answer of %u, one of %u\n", seat, legal.count);
            print_events(&events);
        }
    }
    for (unsigned seat = 0; seat < seats; seat++)
        printf("total %u %d\n", seat, (int)table.total_halves[seat]);
}

int main(int argc, char **argv)
{
    unsigned matches = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2;

    for (int edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
            for (unsigned seed = 0; seed < matches; seed++)
                play((enum allegra_edition)edition, seats, seed);
        }
    }
    return EXIT_SUCCESS;
}
