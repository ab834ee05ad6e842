/* The score sheet: rounds by players, with the winner of each round. */

#include "cli/score_sheet.h"
#include "cli/event_sentence.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const char *const names[] = {"anna", "bert", "a-very-long-name"};

static void add_round(struct score_sheet *sheet, int number, const int *halves)
{
    struct allegra_events events = {.count = 0};

    events.list[events.count++] =
        (struct allegra_event){.kind = ALLEGRA_EVENT_ROUND, .number = number};
    cr_assert_not(score_sheet_add(sheet, &events));
    events.count = 0;
    for (uint8_t seat = 0; seat < 3; seat++)
        events.list[events.count++] = (struct allegra_event){
            .kind = ALLEGRA_EVENT_SCORED, .seat = seat, .score_halves = halves[seat]};
    cr_assert(score_sheet_add(sheet, &events));
}

Test(score_sheet, has_a_row_per_round_with_its_winners_and_the_totals)
{
    struct score_sheet sheet = {.seats = 0};
    char line[200];
    struct text text;
    char *printed = NULL;
    size_t length;
    FILE *file = open_memstream(&printed, &length);

    add_round(&sheet, 1, (int[]){24, -3, 40});
    add_round(&sheet, 2, (int[]){-20, 50, -20});
    text_start(&text, line, sizeof line);
    score_sheet_write_round(&text, &sheet, names);
    cr_expect_str_eq(line, "Round 2: anna -10 (total 2), bert 25 (total 23.5), a-very-long-name "
                           "-10 (total 10); won by anna and a-very-long-name");
    score_sheet_print(file, &sheet, names);
    fclose(file);
    cr_expect_str_eq(printed, "             0 anna     1 bert 2 a-very-l \n"
                              "round 1          12       -1.5*        20 \n"
                              "round 2         -10*        25        -10*\n"
                              "total             2*      23.5         10 \n"
                              "Fewer points are better; * marks the lowest of each row.\n");
    free(printed);
}

Test(event_sentence, names_the_cells_that_are_cleared)
{
    struct allegra_event event = {.kind = ALLEGRA_EVENT_CLEARED,
                                  .seat = 1,
                                  .card = 7,
                                  .cells = ALLEGRA_CELL_BIT(0) | ALLEGRA_CELL_BIT(2) |
                                           ALLEGRA_CELL_BIT(14)};
    char line[EVENT_SENTENCE_BYTES];
    struct text text;

    text_start(&text, line, sizeof line);
    cr_assert(event_sentence_write(&text, &event, names));
    cr_expect_str_eq(line, "bert clears three 7 at A1 C1 E3");
}

Test(event_sentence, numbers_the_rounds)
{
    struct allegra_event event = {.kind = ALLEGRA_EVENT_ROUND, .number = 2, .seat = 1, .card = -1};
    char line[EVENT_SENTENCE_BYTES];
    struct text text;

    text_start(&text, line, sizeof line);
    cr_assert(event_sentence_write(&text, &event, names));
    cr_expect_str_eq(line, "Round 2: bert deals, -1 starts the discard pile");
}
