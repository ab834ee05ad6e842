/* Shows a match. A frame is composed in memory and written in one piece. A frame that would come
 * too soon after the last one is not drawn, because the next one shows the same and more. What
 * changed in this turn and the one before it is marked. */

#include "cli/table_view.h"

#include "base/clock.h"
#include "base/memory.h"
#include "cli/event_sentence.h"
#include "cli/table_draw.h"
#include "game/game_text.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_GAP_US 50000
#define LINES_SHOWN 8
#define LINES_KEPT (LINES_SHOWN + 1) /* and one that is being written */
#define ROUND_MAX_BYTES 600

struct table_view {
    FILE *file;
    bool is_live;
    int64_t last_frame_us;
    unsigned frame_lines; /* of the last frame, to go back over */
    char lines[LINES_KEPT][EVENT_SENTENCE_BYTES];
    unsigned long line_count;
    uint16_t this_turn[ALLEGRA_SEATS_MAX], last_turn[ALLEGRA_SEATS_MAX]; /* the cells changed in */
    struct score_sheet sheet;
};

struct table_view *table_view_new(FILE *file, bool is_live)
{
    struct table_view *show = xcalloc(1, sizeof *show);

    show->file = file;
    show->is_live = is_live;
    return show;
}

void table_view_free(struct table_view *show)
{
    free(show);
}

static void compose_frame(struct table_view *show, FILE *frame, const struct match *match)
{
    const struct match_setup *setup = match_setup_of(match);
    struct allegra_view view = allegra_view_of(match_table(match), 0);
    int64_t times_us[ALLEGRA_SEATS_MAX] = {0};
    uint16_t changed[ALLEGRA_SEATS_MAX] = {0};
    struct table_drawing drawing = {
        .view = &view,
        .names = setup->names,
        .changed = changed,
        .times_us = times_us,
        .width = table_draw_width(show->file),
        .is_over = allegra_table_is_over(match_table(match)),
        .has_colour = table_draw_has_colour(show->file),
    };

    for (unsigned seat = 0; seat < setup->seats; seat++) {
        times_us[seat] = match_charged_us(match, seat);
        changed[seat] = show->this_turn[seat] | show->last_turn[seat];
    }
    table_draw(frame, &drawing);
    for (unsigned i = 1; i <= LINES_SHOWN; i++)
        fprintf(frame, "  %.*s\n", (int)drawing.width - 3,
                show->lines[(show->line_count + i) % LINES_KEPT]);
}

static void draw_frame(struct table_view *show, const struct match *match)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *frame = open_memstream(&bytes, &length);

    if (frame == NULL)
        return;
    compose_frame(show, frame, match);
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

static struct text next_line(struct table_view *show)
{
    struct text text;

    text_start(&text, show->lines[show->line_count % LINES_KEPT], EVENT_SENTENCE_BYTES);
    return text;
}

static void take_event(struct table_view *show, const struct match *match,
                       const struct allegra_event *event)
{
    struct text text = next_line(show);

    show->line_count += event_sentence_write(&text, event, match_setup_of(match)->names);
    if (event->kind != ALLEGRA_EVENT_TURN)
        return;
    memcpy(show->last_turn, show->this_turn, sizeof show->last_turn);
    memset(show->this_turn, 0, sizeof show->this_turn);
}

/* Without a frame, the scores are all that is printed of a round. */
static void print_round(const struct table_view *show, const struct match *match)
{
    char line[ROUND_MAX_BYTES];
    struct text text;

    text_start(&text, line, sizeof line);
    score_sheet_write_round(&text, &show->sheet, match_setup_of(match)->names);
    fprintf(show->file, "%s\n", line);
}

void table_view_events(void *context, const struct match *match,
                       const struct allegra_events *events)
{
    struct table_view *show = context;
    bool is_scored = score_sheet_add(&show->sheet, events);

    if (!show->is_live) {
        if (is_scored)
            print_round(show, match);
        return;
    }
    table_draw_add_changes(show->this_turn, events);
    for (unsigned i = 0; i < events->count; i++)
        take_event(show, match, &events->list[i]);
    if (clock_now_us() - show->last_frame_us >= FRAME_GAP_US && is_writable(show->file)) {
        draw_frame(show, match);
        show->last_frame_us = clock_now_us();
    }
}

void table_view_said(void *context, const struct match *match, unsigned seat, const char *said)
{
    struct table_view *show = context;
    struct text text = next_line(show);

    text_printf(&text, "%s says: %s", match_setup_of(match)->names[seat], said);
    show->line_count++;
}

static void print_seat(FILE *file, const struct match *match, unsigned seat)
{
    char total[16];
    struct text text;

    text_start(&text, total, sizeof total);
    score_write(&text, match_table(match)->total_halves[seat]);
    fprintf(file, "%u. %-24s seat %u  %7s points  %8.3f s", match_places(match)[seat],
            match_setup_of(match)->names[seat], seat, total,
            (double)match_charged_us(match, seat) / 1e6);
    if (match_fault(match, seat) != BOT_ANSWERED)
        fprintf(file, "  dismissed: %s", bot_outcome_name(match_fault(match, seat)));
    fputc('\n', file);
}

void table_view_print_result(FILE *file, const struct match *match, const struct score_sheet *sheet)
{
    unsigned seats = match_setup_of(match)->seats;

    if (sheet->scored > 1)
        score_sheet_print(file, sheet, match_setup_of(match)->names);
    for (unsigned place = 1; place <= seats; place++) {
        for (unsigned seat = 0; seat < seats; seat++) {
            if (match_places(match)[seat] == place)
                print_seat(file, match, seat);
        }
    }
}

void table_view_result(struct table_view *show, const struct match *match)
{
    if (show->is_live)
        draw_frame(show, match);
    table_view_print_result(show->file, match, &show->sheet);
}
