/* Plays random matches with the public library and prints everything that happens, so that the
 * library in another language can be compared with it: match_events FIRST COUNT.
 *
 *   match EDITION SEATS SEED     a match of one round, most of them short
 *   ev KIND SEAT OTHER CELL CARD OLD SEEN_BY CELLS NUMBER SCORE TOTAL
 *   see SEAT QUESTION DRAWN TOP DRAW DISCARD TURN HAND TAKEN STEP COMPLETED FACES UNSEEN
 *   do SEAT LEGAL ANSWER         how many answers were legal, and the one that was given
 *   end POINTS… */

#include "game/allegra.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_events(const struct allegra_events *events)
{
    for (unsigned i = 0; i < events->count; i++) {
        const struct allegra_event *event = &events->list[i];

        printf("ev %s %u %u %u %d %d %u %u %" PRId32 " %" PRId32 " %" PRId32 "\n",
               allegra_event_name(event->kind), event->seat, event->other, event->cell, event->card,
               event->old, event->seen_by, event->cells, event->number, event->score_halves,
               event->total_halves);
    }
}

/* The sums have a factor per place, so that no two places can be exchanged. */
static void print_view(const struct allegra_table *table, unsigned seat)
{
    struct allegra_view view = allegra_view_of(table, seat);
    uint8_t unseen[ALLEGRA_CARD_VALUES];
    long faces = 0;
    long hidden = 0;

    allegra_table_unseen(table, seat, unseen);
    for (unsigned i = 0; i < view.seats * ALLEGRA_CELL_COUNT; i++)
        faces += (long)(i + 1) * view.face[i / ALLEGRA_CELL_COUNT][i % ALLEGRA_CELL_COUNT];
    for (unsigned i = 0; i < ALLEGRA_CARD_VALUES; i++)
        hidden += (long)(i + 1) * unseen[i];
    printf("see %u %u %d %d %u %u %u %d %d %u %u %ld %ld\n", view.me, view.question, view.drawn,
           view.discard_top, view.draw_count, view.discard_count, view.turn, view.hand, view.taken,
           view.clear_step, view.first_completed, faces, hidden);
}

static void decide(struct allegra_table *table, const struct allegra_shuffler *shuffler,
                   struct allegra_dice *choices, struct allegra_events *events)
{
    unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));
    char text[ALLEGRA_ANSWER_MAX];
    struct allegra_legal legal;
    struct allegra_answer answer;

    print_view(table, seat);
    allegra_legal_list(table, seat, &legal);
    answer = allegra_simulate_choose(choices, &legal);
    allegra_answer_write(answer, text, sizeof text);
    printf("do %u %u %s\n", seat, legal.count, text);
    allegra_table_apply(table, seat, answer, shuffler, events);
    print_events(events);
}

static void play(uint64_t number)
{
    enum allegra_edition edition = (enum allegra_edition)(number % ALLEGRA_EDITION_COUNT);
    struct allegra_rules rules = allegra_rules_of_edition(edition);
    unsigned seats = ALLEGRA_SEATS_MIN + (unsigned)(number / ALLEGRA_EDITION_COUNT % 5);
    struct allegra_dice cards = allegra_dice_from(number);
    struct allegra_dice choices = allegra_dice_from(~number);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&cards);
    struct allegra_events events;
    struct allegra_table table;

    rules.rounds = 1;
    rules.turn_limit = number % 8 == 0 ? 100 : 5;
    printf("match %s %u %" PRIu64 "\n", allegra_edition_name(edition), seats, number);
    allegra_table_start(&table, &rules, seats, 0, &shuffler, &events);
    print_events(&events);
    while (!allegra_table_is_over(&table))
        decide(&table, &shuffler, &choices, &events);
    printf("end");
    for (unsigned seat = 0; seat < seats; seat++)
        printf(" %.1f", table.total_halves[seat] / 2.0);
    printf("\n");
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

    for (uint64_t number = first; number - first < count; number++)
        play(number);
    return 0;
}
