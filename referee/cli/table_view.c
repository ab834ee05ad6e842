/* Drawing. A frame is put together in memory and written in one piece; frames that would come too
 * soon after the last one are simply not drawn, because the next one shows the same and more. */

#include "cli/table_view.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/score.h"

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
    char words[8];
    struct text text;

    text_start(&text, words, sizeof words);
    if (face == ALLEGRA_VIEW_DOWN)
        text_add(&text, "?");
    else if (face == ALLEGRA_VIEW_GAP)
        text_add(&text, ".");
    else if (face == ALLEGRA_VIEW_HOLE)
        text_add(&text, "_");
    else
        card_write(&text, face);
    fprintf(file, " %s%3s%s", has_colour ? colour_of(face) : "", words,
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

static void add_card(struct text *text, int card)
{
    if (card == ALLEGRA_CARD_NONE)
        text_add(text, "a card only he knows");
    else
        card_write(text, card);
}

static void add_did(struct text *text, const char *name, const char *did, int card)
{
    text_add(text, name);
    text_add_char(text, ' ');
    text_add(text, did);
    text_add_char(text, ' ');
    add_card(text, card);
}

static void add_at(struct text *text, const char *words, unsigned cell)
{
    text_add(text, words);
    cell_write(text, cell);
}

static void add_score(struct text *text, const struct allegra_event *event, const char *name)
{
    text_add(text, name);
    text_add(text, " scores ");
    score_write(text, event->score_halves);
    text_add(text, ", ");
    score_write(text, event->total_halves);
    text_add(text, " in all");
}

static void add_swap(struct text *text, const struct allegra_event *event, const char *name,
                     const char *did)
{
    add_did(text, name, did, event->card);
    add_at(text, " at ", event->cell);
    text_add(text, event->kind == ALLEGRA_EVENT_PLACED ? " and takes up " : " in place of ");
    add_card(text, event->old);
}

static bool add_knock_words(struct text *text, const struct allegra_event *event,
                            const char *const *names)
{
    const char *name = names[event->seat];

    switch ((enum allegra_event_kind)event->kind) {
    case ALLEGRA_EVENT_KNOCKED:
        text_add(text, name);
        text_add(text, " knocks");
        if (event->cells != 0)
            add_at(text, " for ", allegra_cell_of(event->cells));
        return true;
    case ALLEGRA_EVENT_AGAIN:
        text_add(text, name);
        text_add(text, " asks again");
        return true;
    case ALLEGRA_EVENT_ACCEPTED:
        text_add(text, name);
        text_add(text, " accepts the knock of ");
        text_add(text, names[event->other]);
        return true;
    case ALLEGRA_EVENT_PLACED:
        add_swap(text, event, name, "places");
        return true;
    case ALLEGRA_EVENT_TOOK:
        add_did(text, name, "takes", event->card);
        add_at(text, " from ", event->cell);
        text_add(text, " of ");
        text_add(text, names[event->other]);
        return true;
    case ALLEGRA_EVENT_PUT:
        add_swap(text, event, name, "puts");
        return true;
    case ALLEGRA_EVENT_TOSSED:
        add_did(text, name, "tosses", event->card);
        return true;
    case ALLEGRA_EVENT_RETURNED:
        add_did(text, name, "puts back", event->card);
        add_at(text, " at ", event->cell);
        return true;
    default:
        return false;
    }
}

bool table_view_event_text(struct text *text, const struct allegra_event *event,
                           const char *const *names)
{
    const char *name = names[event->seat];

    switch ((enum allegra_event_kind)event->kind) {
    case ALLEGRA_EVENT_TURNED:
        add_did(text, name, "turns up", event->card);
        add_at(text, " at ", event->cell);
        return true;
    case ALLEGRA_EVENT_DREW_PILE:
        add_did(text, name, "draws", event->card);
        return true;
    case ALLEGRA_EVENT_DREW_DISCARD:
        add_did(text, name, "takes the discarded", event->card);
        return true;
    case ALLEGRA_EVENT_KEPT:
        add_swap(text, event, name, "keeps");
        return true;
    case ALLEGRA_EVENT_DROPPED:
        add_did(text, name, "drops", event->card);
        return true;
    case ALLEGRA_EVENT_CLEARED:
        add_did(text, name, "clears three", event->card);
        return true;
    case ALLEGRA_EVENT_RESHUFFLED:
        text_add(text, "the discard pile becomes a new draw pile");
        return true;
    case ALLEGRA_EVENT_FINAL:
        text_add(text, name);
        text_add(text, " is complete: the final round begins");
        return true;
    case ALLEGRA_EVENT_LIMIT:
        text_add(text, "the turn limit ends the round");
        return true;
    case ALLEGRA_EVENT_EXHAUSTED:
        text_add(text, name);
        text_add(text, " chooses the empty draw pile, which ends the round");
        return true;
    case ALLEGRA_EVENT_SCORED:
        add_score(text, event, name);
        return true;
    default:
        return add_knock_words(text, event, names);
    }
}

static void keep_line(struct table_view *show, const char *words)
{
    char *line = show->lines[show->line_count++ % LINES_KEPT];

    snprintf(line, LINE_MAX_BYTES, "%s", words);
}

static unsigned count_lines(const char *bytes, size_t length)
{
    unsigned lines = 0;

    for (size_t i = 0; i < length; i++)
        lines += bytes[i] == '\n';
    return lines;
}

static void draw_times(FILE *file, const struct match *match)
{
    const struct match_setup *setup = match_setup_of(match);

    fprintf(file, "thinking time:");
    for (unsigned seat = 0; seat < setup->seats; seat++)
        fprintf(file, "  %s %.3f s", setup->names[seat],
                (double)match_charged_us(match, seat) / 1e6);
    fputc('\n', file);
}

static void draw_frame(struct table_view *show, const struct match *match)
{
    struct allegra_view view = allegra_view_of(match_table(match), 0);
    char *bytes = NULL;
    size_t length = 0;
    FILE *frame = open_memstream(&bytes, &length);

    if (frame == NULL)
        return;
    table_view_show(frame, &view, match_setup_of(match)->names, show->has_colour);
    for (unsigned i = 0; i < LINES_KEPT; i++)
        fprintf(frame, "  %s\n", show->lines[(show->line_count + i) % LINES_KEPT]);
    draw_times(frame, match);
    fclose(frame);
    if (show->frame_lines > 0)
        fprintf(show->file, "\033[%uA\033[J", show->frame_lines);
    fwrite(bytes, 1, length, show->file);
    fflush(show->file);
    show->frame_lines = count_lines(bytes, length);
    free(bytes);
}

static void print_line(struct table_view *show, const struct allegra_event *event,
                       const char *words)
{
    if (event->kind == ALLEGRA_EVENT_SCORED || event->kind == ALLEGRA_EVENT_LIMIT)
        fprintf(show->file, "round %s\n", words);
}

/* A terminal that somebody has stopped must not stop the match. */
static bool takes_bytes(FILE *file)
{
    struct pollfd poll_fd = {.fd = fileno(file), .events = POLLOUT};

    return poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLOUT);
}

void table_view_events(void *context, const struct match *match,
                       const struct allegra_events *events)
{
    struct table_view *show = context;
    const char *const *names = match_setup_of(match)->names;
    char words[LINE_MAX_BYTES];
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        text_start(&text, words, sizeof words);
        if (!table_view_event_text(&text, &events->list[i], names))
            continue;
        if (show->is_live)
            keep_line(show, words);
        else
            print_line(show, &events->list[i], words);
    }
    if (show->is_live && clock_now_us() - show->last_frame_us >= FRAME_GAP_US &&
        takes_bytes(show->file)) {
        draw_frame(show, match);
        show->last_frame_us = clock_now_us();
    }
}

void table_view_result(struct table_view *show, const struct match *match)
{
    const struct match_setup *setup = match_setup_of(match);
    const uint8_t *places = match_places(match);

    if (show->is_live)
        draw_frame(show, match);
    for (unsigned place = 1; place <= setup->seats; place++) {
        for (unsigned seat = 0; seat < setup->seats; seat++) {
            char total[16];
            struct text text;

            if (places[seat] != place)
                continue;
            text_start(&text, total, sizeof total);
            score_write(&text, match_table(match)->total_halves[seat]);
            fprintf(show->file, "%u. %-24s seat %u  %7s points  %8.3f s", place, setup->names[seat],
                    seat, total, (double)match_charged_us(match, seat) / 1e6);
            if (match_fault(match, seat) != BOT_ANSWERED)
                fprintf(show->file, "  dismissed: %s", bot_outcome_name(match_fault(match, seat)));
            fputc('\n', show->file);
        }
    }
}
