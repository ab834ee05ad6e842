/* Draws a match. A frame is composed in memory and written in one piece. A frame that would come
 * too soon after the last one is not drawn, because the next one shows the same and more. */

#include "cli/table_view.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/game_text.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FRAME_GAP_US 50000
#define LINES_KEPT 8
#define LINE_MAX_BYTES 120
#define DISPLAY_WIDTH 22

struct table_view {
    FILE *file;
    bool is_live;
    bool has_colour;
    int64_t last_frame_us;
    unsigned frame_lines; /* of the last frame, to go back over */
    char lines[LINES_KEPT][LINE_MAX_BYTES];
    unsigned long line_count;
    int round;
};

bool table_view_has_colour(FILE *file)
{
    const char *no_colour = getenv("NO_COLOR");

    return isatty(fileno(file)) && (no_colour == NULL || no_colour[0] == '\0');
}

struct table_view *table_view_new(FILE *file, bool is_live)
{
    struct table_view *show = xcalloc(1, sizeof *show);

    show->file = file;
    show->is_live = is_live;
    show->has_colour = table_view_has_colour(file);
    return show;
}

void table_view_free(struct table_view *show)
{
    free(show);
}

static unsigned terminal_width(FILE *file)
{
    struct winsize size;

    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 100;
}

static const char *colour_of(int face)
{
    if (face == ALLEGRA_VIEW_DOWN || face == ALLEGRA_VIEW_GAP || face == ALLEGRA_VIEW_HOLE)
        return "\033[2m";
    return face <= 2 ? "\033[32m" : face >= 8 ? "\033[31m" : "\033[33m";
}

static void draw_face(FILE *file, int face, bool has_colour)
{
    char symbol[8];
    struct text text;

    text_start(&text, symbol, sizeof symbol);
    if (face == ALLEGRA_VIEW_DOWN)
        text_add(&text, "?");
    else if (face == ALLEGRA_VIEW_GAP)
        text_add(&text, ".");
    else if (face == ALLEGRA_VIEW_HOLE)
        text_add(&text, "_");
    else
        card_write(&text, face);
    fprintf(file, " %s%3s%s", has_colour ? colour_of(face) : "", symbol,
            has_colour ? "\033[0m" : "");
}

static void draw_titles(FILE *file, const struct allegra_view *view, const char *const *names,
                        unsigned from, unsigned to)
{
    for (unsigned seat = from; seat < to; seat++) {
        char title[40];

        snprintf(title, sizeof title, "%c%u %s%s", seat == view->active ? '>' : ' ', seat,
                 names[seat], view->is_final && seat == view->trigger ? " *" : "");
        fprintf(file, "%-*.*s", DISPLAY_WIDTH + 2, DISPLAY_WIDTH, title);
    }
    fputc('\n', file);
    for (unsigned seat = from; seat < to; seat++)
        fprintf(file, "    A   B   C   D   E   ");
    fputc('\n', file);
}

static void draw_rows(FILE *file, const struct allegra_view *view, unsigned from, unsigned to,
                      bool has_colour)
{
    for (unsigned row = 0; row < ALLEGRA_CELL_ROWS; row++) {
        for (unsigned seat = from; seat < to; seat++) {
            fprintf(file, "%u", row + 1);
            for (unsigned column = 0; column < ALLEGRA_CELL_COLUMNS; column++)
                draw_face(file, view->face[seat][row * ALLEGRA_CELL_COLUMNS + column], has_colour);
            fprintf(file, "   ");
        }
        fputc('\n', file);
    }
}

void table_view_show(FILE *file, const struct allegra_view *view, const char *const *names,
                     bool has_colour)
{
    unsigned beside = terminal_width(file) / (DISPLAY_WIDTH + 2);

    if (beside == 0)
        beside = 1;
    fprintf(file, "round %u, turn %u, draw pile %u, discard pile %u with ", view->round, view->turn,
            view->draw_count, view->discard_count);
    if (view->discard_top == ALLEGRA_CARD_NONE)
        fprintf(file, "nothing");
    else
        fprintf(file, "%d", view->discard_top);
    fprintf(file, " on top%s\n", view->is_final ? ", final round (* the trigger)" : "");
    for (unsigned from = 0; from < view->seats; from += beside) {
        unsigned to = from + beside < view->seats ? from + beside : view->seats;

        draw_titles(file, view, names, from, to);
        draw_rows(file, view, from, to, has_colour);
    }
}

/* $n is the name of the seat, $o of the other seat, $c the card, $d the card it replaces, $p the
 * cell, $s the score. */
static const char *const sentences[ALLEGRA_EVENT_COUNT] = {
    [ALLEGRA_EVENT_TURNED] = "$n turns up $c at $p",
    [ALLEGRA_EVENT_DREW_PILE] = "$n draws $c",
    [ALLEGRA_EVENT_DREW_DISCARD] = "$n takes the discarded $c",
    [ALLEGRA_EVENT_KNOCKED] = "$n knocks, would place at $p",
    [ALLEGRA_EVENT_AGAIN] = "$n asks again",
    [ALLEGRA_EVENT_ACCEPTED] = "$n accepts the knock of $o",
    [ALLEGRA_EVENT_KEPT] = "$n keeps $c at $p in place of $d",
    [ALLEGRA_EVENT_DROPPED] = "$n drops $c",
    [ALLEGRA_EVENT_PLACED] = "$n places $c at $p and takes up $d",
    [ALLEGRA_EVENT_TOOK] = "$n takes $c from $p of $o",
    [ALLEGRA_EVENT_PUT] = "$n puts $c at $p in place of $d",
    [ALLEGRA_EVENT_TOSSED] = "$n tosses $c",
    [ALLEGRA_EVENT_RETURNED] = "$n puts back $c at $p",
    [ALLEGRA_EVENT_CLEARED] = "$n clears three $c",
    [ALLEGRA_EVENT_RESHUFFLED] = "the discard pile becomes the new draw pile",
    [ALLEGRA_EVENT_FINAL] = "$n is complete: the final round begins",
    [ALLEGRA_EVENT_LIMIT] = "the turn limit ends the round",
    [ALLEGRA_EVENT_EXHAUSTED] = "$n chooses the empty draw pile, which ends the round",
    [ALLEGRA_EVENT_SCORED] = "$n scores $s",
};

static void add_card(struct text *text, int card)
{
    if (card == ALLEGRA_CARD_NONE)
        text_add(text, "a hidden card");
    else
        card_write(text, card);
}

static void add_field(struct text *text, char field, const struct allegra_event *event,
                      const char *const *names)
{
    switch (field) {
    case 'n':
        text_add(text, names[event->seat]);
        break;
    case 'o':
        text_add(text, names[event->other]);
        break;
    case 'c':
        add_card(text, event->card);
        break;
    case 'd':
        add_card(text, event->old);
        break;
    case 'p':
        cell_write(text, event->kind == ALLEGRA_EVENT_KNOCKED ? allegra_cell_lowest(event->cells)
                                                              : event->cell);
        break;
    default:
        score_write(text, event->score_halves);
        text_add(text, " (total ");
        score_write(text, event->total_halves);
        text_add_char(text, ')');
        break;
    }
}

static void add_sentence(struct text *text, const char *sentence, const struct allegra_event *event,
                         const char *const *names)
{
    for (const char *at = sentence; *at != '\0'; at++) {
        if (*at == '$')
            add_field(text, *++at, event, names);
        else
            text_add_char(text, *at);
    }
}

bool table_view_event_text(struct text *text, const struct allegra_event *event,
                           const char *const *names)
{
    if (sentences[event->kind] == NULL)
        return false;
    if (event->kind == ALLEGRA_EVENT_KNOCKED && event->cells == 0)
        add_sentence(text, "$n knocks", event, names);
    else
        add_sentence(text, sentences[event->kind], event, names);
    return true;
}

/* Without a frame, the scores are all that is printed of a round. */
static void print_round(struct table_view *show, const struct allegra_event *event,
                        const char *const *names)
{
    char line[LINE_MAX_BYTES];
    struct text text;

    if (event->kind == ALLEGRA_EVENT_ROUND)
        show->round = event->number;
    if (event->kind != ALLEGRA_EVENT_SCORED)
        return;
    text_start(&text, line, sizeof line);
    add_sentence(&text, "$n $s", event, names);
    fprintf(show->file, "Round %d: %s\n", show->round, line);
}

static void draw_frame(struct table_view *show, const struct match *match)
{
    const struct match_setup *setup = match_setup_of(match);
    struct allegra_view view = allegra_view_of(match_table(match), 0);
    char *bytes = NULL;
    size_t length = 0;
    FILE *frame = open_memstream(&bytes, &length);

    if (frame == NULL)
        return;
    table_view_show(frame, &view, setup->names, show->has_colour);
    for (unsigned i = 0; i < LINES_KEPT; i++)
        fprintf(frame, "  %s\n", show->lines[(show->line_count + i) % LINES_KEPT]);
    fprintf(frame, "thinking time:");
    for (unsigned seat = 0; seat < setup->seats; seat++)
        fprintf(frame, "  %s %.3f s", setup->names[seat],
                (double)match_charged_us(match, seat) / 1e6);
    fputc('\n', frame);
    fclose(frame);
    if (show->frame_lines > 0)
        fprintf(show->file, "\033[%uA\033[J", show->frame_lines);
    fwrite(bytes, 1, length, show->file);
    fflush(show->file);
    show->frame_lines = 0;
    for (size_t i = 0; i < length; i++)
        show->frame_lines += bytes[i] == '\n';
    free(bytes);
}

/* A terminal that is paused must not stop the match. */
static bool is_writable(FILE *file)
{
    struct pollfd poll_fd = {.fd = fileno(file), .events = POLLOUT};

    return poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLOUT);
}

void table_view_events(void *context, const struct match *match,
                       const struct allegra_events *events)
{
    struct table_view *show = context;
    const char *const *names = match_setup_of(match)->names;
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        if (!show->is_live) {
            print_round(show, &events->list[i], names);
            continue;
        }
        text_start(&text, show->lines[show->line_count % LINES_KEPT], LINE_MAX_BYTES);
        show->line_count += table_view_event_text(&text, &events->list[i], names);
    }
    if (show->is_live && clock_now_us() - show->last_frame_us >= FRAME_GAP_US &&
        is_writable(show->file)) {
        draw_frame(show, match);
        show->last_frame_us = clock_now_us();
    }
}

void table_view_print_places(FILE *file, const struct match *match)
{
    const struct match_setup *setup = match_setup_of(match);
    const uint8_t *places = match_places(match);

    for (unsigned place = 1; place <= setup->seats; place++) {
        for (unsigned seat = 0; seat < setup->seats; seat++) {
            char total[16];
            struct text text;

            if (places[seat] != place)
                continue;
            text_start(&text, total, sizeof total);
            score_write(&text, match_table(match)->total_halves[seat]);
            fprintf(file, "%u. %-24s seat %u  %7s points  %8.3f s", place, setup->names[seat], seat,
                    total, (double)match_charged_us(match, seat) / 1e6);
            if (match_fault(match, seat) != BOT_ANSWERED)
                fprintf(file, "  dismissed: %s", bot_outcome_name(match_fault(match, seat)));
            fputc('\n', file);
        }
    }
}

void table_view_result(struct table_view *show, const struct match *match)
{
    if (show->is_live)
        draw_frame(show, match);
    table_view_print_places(show->file, match);
}
