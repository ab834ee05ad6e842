/* The sheet that somebody keeps at a table. A round is won with the fewest points; equal ones share
 * it. */

#include "cli/score_sheet.h"

#include "game/game_text.h"

#include <stdint.h>

#define COLUMN_WIDTH 11

bool score_sheet_add(struct score_sheet *sheet, const struct allegra_events *events)
{
    bool is_scored = false;

    for (unsigned i = 0; i < events->count; i++) {
        const struct allegra_event *event = &events->list[i];

        if (event->kind == ALLEGRA_EVENT_ROUND && event->number <= SCORE_SHEET_ROUNDS_MAX)
            sheet->begun = (unsigned)event->number;
        if (event->kind != ALLEGRA_EVENT_SCORED || sheet->begun == 0)
            continue;
        is_scored = true;
        sheet->scored = sheet->begun;
        sheet->halves[sheet->scored - 1][event->seat] = event->score_halves;
        if (event->seat >= sheet->seats)
            sheet->seats = event->seat + 1U;
    }
    return is_scored;
}

/* The seats with the fewest points of those, as a mask. */
static unsigned winners_of(const struct score_sheet *sheet, const int32_t *halves)
{
    unsigned winners = 0;
    int32_t least = INT32_MAX;

    for (unsigned seat = 0; seat < sheet->seats; seat++) {
        if (halves[seat] < least)
            winners = 0;
        if (halves[seat] <= least) {
            least = halves[seat];
            winners |= 1U << seat;
        }
    }
    return winners;
}

static void add_up(const struct score_sheet *sheet, int32_t totals[ALLEGRA_SEATS_MAX])
{
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        totals[seat] = 0;
        for (unsigned round = 0; round < sheet->scored; round++)
            totals[seat] += sheet->halves[round][seat];
    }
}

void score_sheet_write_round(struct text *text, const struct score_sheet *sheet,
                             const char *const *names)
{
    const int32_t *halves = sheet->halves[sheet->scored - 1];
    unsigned winners = winners_of(sheet, halves);
    int32_t totals[ALLEGRA_SEATS_MAX];
    const char *before = "; won by ";

    add_up(sheet, totals);
    text_printf(text, "Round %u: ", sheet->scored);
    for (unsigned seat = 0; seat < sheet->seats; seat++) {
        text_printf(text, "%s%s ", seat > 0 ? ", " : "", names[seat]);
        score_write(text, halves[seat]);
        text_add(text, " (total ");
        score_write(text, totals[seat]);
        text_add_char(text, ')');
    }
    for (unsigned seat = 0; seat < sheet->seats; seat++) {
        if (winners >> seat & 1) {
            text_printf(text, "%s%s", before, names[seat]);
            before = " and ";
        }
    }
}

static void print_row(FILE *file, const struct score_sheet *sheet, const char *label,
                      const int32_t *halves)
{
    unsigned winners = winners_of(sheet, halves);

    fprintf(file, "%-9s", label);
    for (unsigned seat = 0; seat < sheet->seats; seat++) {
        char points[16];
        struct text text;

        text_start(&text, points, sizeof points);
        score_write(&text, halves[seat]);
        fprintf(file, "%*s%c", COLUMN_WIDTH - 1, points, winners >> seat & 1 ? '*' : ' ');
    }
    fputc('\n', file);
}

void score_sheet_print(FILE *file, const struct score_sheet *sheet, const char *const *names)
{
    int32_t totals[ALLEGRA_SEATS_MAX];
    char label[20];

    fprintf(file, "%9s", "");
    for (unsigned seat = 0; seat < sheet->seats; seat++) {
        char title[COLUMN_WIDTH];
        struct text text;

        text_start(&text, title, sizeof title);
        text_printf(&text, "%u %s", seat, names[seat]);
        fprintf(file, "%*s ", COLUMN_WIDTH - 1, title);
    }
    fputc('\n', file);
    for (unsigned round = 0; round < sheet->scored; round++) {
        snprintf(label, sizeof label, "round %u", round + 1);
        print_row(file, sheet, label, sheet->halves[round]);
    }
    add_up(sheet, totals);
    print_row(file, sheet, "total", totals);
    fputs("Fewer points are better; * marks the lowest of each row.\n", file);
}
