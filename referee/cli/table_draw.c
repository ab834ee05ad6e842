/* All displays together are a ring of four columns per seat: A, which is also E of the left
 * neighbour, then B, C and D. The ring is cut open and drawn as one line of columns from left to
 * right, so the seats follow each other to the right as their right neighbours do, and E of a seat
 * is A of the next one drawn. Where the ring is cut, the last display has its E at the far left.
 *
 * All columns are equally wide: a margin, which has the bars around shared columns, two characters
 * for the card, one for the sign of a change. Only if not even the narrowest columns fit is the
 * ring broken into several lines. */

#include "cli/table_draw.h"

#include "game/game_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_PER_SEAT 4
#define CELL_MIN 3 /* without a margin */
#define CELL_MAX 5
#define LABEL_WIDTH 6 /* "row 1 " */
#define END_WIDTH 2   /* " >" where the ring is cut */
#define WIDTH_DEFAULT 80
#define PILES_WIDTH 79 /* of the round and the piles in one line */

struct layout {
    unsigned cell;     /* width of a column */
    unsigned per_line; /* seats */
    unsigned first;    /* the seat at the far left */
};

bool table_draw_has_colour(FILE *file)
{
    const char *no_colour = getenv("NO_COLOR");

    return isatty(fileno(file)) && (no_colour == NULL || no_colour[0] == '\0');
}

unsigned table_draw_width(FILE *file)
{
    struct winsize size;

    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return WIDTH_DEFAULT;
}

void table_draw_add_changes(uint16_t changed[ALLEGRA_SEATS_MAX],
                            const struct allegra_events *events)
{
    for (unsigned i = 0; i < events->count; i++) {
        const struct allegra_event *event = &events->list[i];

        switch (event->kind) {
        case ALLEGRA_EVENT_ROUND:
            memset(changed, 0, ALLEGRA_SEATS_MAX * sizeof *changed);
            break;
        case ALLEGRA_EVENT_TOOK:
            changed[event->other] |= ALLEGRA_CELL_BIT(event->cell);
            break;
        case ALLEGRA_EVENT_CLEARED:
            changed[event->seat] |= event->cells;
            break;
        case ALLEGRA_EVENT_TURNED:
        case ALLEGRA_EVENT_KEPT:
        case ALLEGRA_EVENT_PLACED:
        case ALLEGRA_EVENT_PUT:
        case ALLEGRA_EVENT_RETURNED:
        case ALLEGRA_EVENT_SHOWN:
            changed[event->seat] |= ALLEGRA_CELL_BIT(event->cell);
            break;
        default:
            break;
        }
    }
}

static struct layout layout_of(const struct table_drawing *drawing)
{
    const struct allegra_view *view = drawing->view;
    unsigned frame = LABEL_WIDTH + END_WIDTH;
    unsigned room = drawing->width > frame ? drawing->width - frame : 0;
    unsigned me = view->me < view->seats ? view->me : 0;
    struct layout layout = {
        .cell = room / (COLUMNS_PER_SEAT * view->seats),
        .per_line = view->seats,
        .first = (me + (view->seats - 1U) / 2U) % view->seats,
    };

    if (layout.cell > CELL_MAX)
        layout.cell = CELL_MAX;
    if (layout.cell < CELL_MIN) {
        layout.cell = CELL_MIN;
        layout.per_line = room / (COLUMNS_PER_SEAT * CELL_MIN);
    }
    if (layout.per_line == 0)
        layout.per_line = 1;
    return layout;
}

/* The seat that is drawn at that place, from the left. */
static unsigned seat_at(const struct table_drawing *drawing, const struct layout *layout,
                        unsigned place)
{
    return (layout->first + drawing->view->seats - place) % drawing->view->seats;
}

static void draw_piles(FILE *file, const struct allegra_view *view, unsigned width)
{
    fprintf(file, "Round %u", view->round);
    if (view->rules.score_limit > 0)
        fprintf(file, " (to %u points)", view->rules.score_limit);
    else
        fprintf(file, " of %u", view->rules.rounds);
    if (view->turn > 0)
        fprintf(file, ", turn %u", view->turn);
    fprintf(file, ".%cDraw pile %u, discard pile %u", width < PILES_WIDTH ? '\n' : ' ',
            view->draw_count, view->discard_count);
    if (view->discard_top != ALLEGRA_CARD_NONE)
        fprintf(file, " (top %d)", view->discard_top);
    fprintf(file, "%s\n", view->is_final ? ". Final round (!)." : ".");
}

/* The lines above a display. A line may have the width of the seat's own columns. */

static void write_name(struct text *text, const struct table_drawing *drawing, unsigned seat)
{
    const struct allegra_view *view = drawing->view;

    text_printf(text, "%c%u %s", seat == view->active ? '>' : ' ', seat, drawing->names[seat]);
}

/* What the up cards of a display would count. */
static int up_points(const struct allegra_view *view, unsigned seat)
{
    int sum = 0;
    unsigned gaps = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        int face = view->face[seat][cell];

        gaps += face == ALLEGRA_VIEW_GAP;
        sum += face <= ALLEGRA_CARD_MAX ? face : 0;
    }
    return gaps < ALLEGRA_CELL_COUNT ? sum : ALLEGRA_SCORE_EMPTY;
}

static void write_points(struct text *text, const struct table_drawing *drawing, unsigned seat)
{
    const struct allegra_view *view = drawing->view;

    text_add_char(text, view->is_final && seat == view->trigger ? '!' : ' ');
    score_write(text, view->total_halves[seat]);
    if (!drawing->is_over)
        text_printf(text, " %+d", up_points(view, seat));
}

static void write_time(struct text *text, const struct table_drawing *drawing, unsigned seat)
{
    text_printf(text, " %.3f s", (double)drawing->times_us[seat] / 1e6);
}

static const struct title {
    const char *label;
    void (*write)(struct text *text, const struct table_drawing *drawing, unsigned seat);
} titles[] = {
    {"seat", write_name},
    {"points", write_points},
    {"time", write_time},
};

static void draw_titles(FILE *file, const struct table_drawing *drawing,
                        const struct layout *layout, unsigned from, unsigned to)
{
    size_t count = ARRAY_LEN(titles) - (drawing->times_us == NULL);
    int width = (int)(COLUMNS_PER_SEAT * layout->cell);

    for (const struct title *line = titles; line < titles + count; line++) {
        fprintf(file, "%-*s", LABEL_WIDTH + (int)layout->cell, line->label);
        for (unsigned place = from; place < to; place++) {
            char title[80];
            struct text text;

            text_start(&text, title, sizeof title);
            line->write(&text, drawing, seat_at(drawing, layout, place));
            fprintf(file, "%-*.*s", place + 1 < to ? width : 0, width - 1, title);
        }
        fputc('\n', file);
    }
}

static void draw_letters(FILE *file, const struct layout *layout, unsigned count)
{
    int margin = (int)layout->cell - CELL_MIN;

    fprintf(file, "%*s", LABEL_WIDTH, "");
    for (unsigned i = 0; i < count; i++)
        fprintf(file, "%*sE|A%*s B %*s C %*s D ", margin, "", margin, "", margin, "", margin, "");
    fputs(" E\n", file);
}

/* The cells. */

static const char *colour_of(int face)
{
    if (face == ALLEGRA_VIEW_DOWN || face == ALLEGRA_VIEW_GAP || face == ALLEGRA_VIEW_HOLE)
        return "\033[2m";
    return face <= 2 ? "\033[32m" : face >= 8 ? "\033[31m" : "\033[33m";
}

static void write_face(struct text *text, int face)
{
    if (face == ALLEGRA_VIEW_DOWN)
        text_add_char(text, '?');
    else if (face == ALLEGRA_VIEW_GAP)
        text_add_char(text, '.');
    else if (face == ALLEGRA_VIEW_HOLE)
        text_add_char(text, '_');
    else
        card_write(text, face);
}

/* A cell of column A may also be marked as E of the left neighbour. */
static bool is_changed(const struct table_drawing *drawing, unsigned seat, unsigned cell)
{
    unsigned left = (seat + 1U) % drawing->view->seats;

    if (drawing->changed == NULL)
        return false;
    if (drawing->changed[seat] & ALLEGRA_CELL_BIT(cell))
        return true;
    return (ALLEGRA_CELL_BIT(cell) & ALLEGRA_CELL_COLUMN_A) != 0 &&
           (drawing->changed[left] & ALLEGRA_CELL_BIT(cell + ALLEGRA_CELL_COLUMNS - 1)) != 0;
}

static void draw_cell(FILE *file, const struct table_drawing *drawing, unsigned seat, unsigned cell)
{
    int face = drawing->view->face[seat][cell];
    bool is_new = is_changed(drawing, seat, cell);
    char symbol[8];
    struct text text;

    text_start(&text, symbol, sizeof symbol);
    write_face(&text, face);
    if (drawing->has_colour)
        fprintf(file, "%s%s%2s%c\033[0m", colour_of(face), is_new ? "\033[1;7m" : "", symbol,
                is_new ? '*' : ' ');
    else
        fprintf(file, "%2s%c", symbol, is_new ? '*' : ' ');
}

/* A bar is on both sides of a shared column, if there is room for it. */
static void draw_margin(FILE *file, const struct layout *layout, unsigned column)
{
    unsigned margin = layout->cell - CELL_MIN;

    if (margin > 0)
        fprintf(file, "%-*s", (int)margin, column <= 1 ? "|" : "");
}

static void draw_row(FILE *file, const struct table_drawing *drawing, const struct layout *layout,
                     unsigned row, unsigned from, unsigned to)
{
    fprintf(file, "row %u ", row + 1);
    for (unsigned place = from; place < to; place++) {
        unsigned seat = seat_at(drawing, layout, place);

        for (unsigned column = 0; column < COLUMNS_PER_SEAT; column++) {
            draw_margin(file, layout, column);
            draw_cell(file, drawing, seat, row * ALLEGRA_CELL_COLUMNS + column);
        }
    }
    fputs(" >\n", file);
}

void table_draw(FILE *file, const struct table_drawing *drawing)
{
    struct layout layout = layout_of(drawing);
    unsigned seats = drawing->view->seats;

    draw_piles(file, drawing->view, drawing->width);
    for (unsigned from = 0; from < seats; from += layout.per_line) {
        unsigned to = from + layout.per_line < seats ? from + layout.per_line : seats;

        draw_titles(file, drawing, &layout, from, to);
        draw_letters(file, &layout, to - from);
        for (unsigned row = 0; row < ALLEGRA_CELL_ROWS; row++)
            draw_row(file, drawing, &layout, row, from, to);
    }
}
