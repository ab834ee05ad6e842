/* One case per kind of event. */

#include "cli/client/event_text.h"

#define SPAN(span) (int)(span).length, (span).start

static void add_seats(struct text *text, struct span rest)
{
    struct feed_line_seat seat;

    for (bool is_first = true; feed_line_cut_seat(&rest, &seat); is_first = false) {
        text_printf(text, "%s%ld. %.*s %.*s", is_first ? "" : ", ", seat.place, SPAN(seat.name),
                    SPAN(seat.score));
        if (!span_is(seat.fault, "-"))
            text_printf(text, " (%.*s)", SPAN(seat.fault));
    }
}

static void add_faults(struct text *text, struct span rest)
{
    struct span code;
    long count;

    for (bool is_first = true; feed_line_cut_fault(&rest, &code, &count); is_first = false)
        text_printf(text, "%s%.*s=%ld", is_first ? "; faults: " : ", ", SPAN(code), count);
}

void event_text(struct text *text, const struct feed_line *event)
{
    /* The length of a job is unknown before it starts. */
    if (event->kind == FEED_LINE_STANDINGS || event->kind == FEED_LINE_END ||
        (event->kind == FEED_LINE_BEGIN && event->matches == 0))
        return;
    if (event->job != 0)
        text_printf(text, "job %ld: ", event->job);
    switch (event->kind) {
    case FEED_LINE_QUEUED:
        text_printf(text, "queued by %.*s: %.*s", SPAN(event->user), SPAN(event->text));
        break;
    case FEED_LINE_PLAYING:
        text_add(text, "playing");
        break;
    case FEED_LINE_BEGIN:
        text_printf(text, "%ld of %ld matches decided", event->decided, event->matches);
        break;
    case FEED_LINE_MATCH:
        text_printf(text, "match %ld.%ld: ", event->block, event->match);
        add_seats(text, event->text);
        break;
    case FEED_LINE_BLOCK:
        text_printf(text, "block %ld decided; %ld of %ld matches decided", event->block,
                    event->decided, event->matches);
        break;
    case FEED_LINE_BOT:
        text_printf(text, "%.*s: %ld matches, %ld won; half of its answers within ",
                    SPAN(event->name), event->matches, event->wins);
        (void)text_add_decimal(text, (double)event->median_us / 1000, 1);
        text_add(text, " ms, 99 % within ");
        (void)text_add_decimal(text, (double)event->p99_us / 1000, 1);
        text_add(text, " ms");
        add_faults(text, event->text);
        break;
    case FEED_LINE_OVER:
        text_printf(text, "over: %.*s%s%.*s", SPAN(event->state),
                    event->text.length > 0 ? ": " : "", SPAN(event->text));
        break;
    case FEED_LINE_NEW_BOT:
        text_printf(text, "bot %.*s: version %ld, by %.*s", SPAN(event->name), event->version,
                    SPAN(event->user));
        break;
    case FEED_LINE_TRIAL:
        text_printf(text, "bot %.*s, version %ld: %.*s", SPAN(event->name), event->version,
                    SPAN(event->text));
        break;
    case FEED_LINE_LADDER:
        text_printf(text, "ladder %.*s: new ratings", SPAN(event->name));
        break;
    case FEED_LINE_ENDING:
        text_add(text, "the daemon is about to end");
        break;
    default:
        text_printf(text, "%.*s", SPAN(event->text));
    }
}

bool event_text_has_fault(const struct feed_line *event)
{
    struct span rest = event->text;
    struct feed_line_seat seat;

    if (event->kind == FEED_LINE_BOT)
        return event->text.length > 0;
    while (event->kind == FEED_LINE_MATCH && feed_line_cut_seat(&rest, &seat)) {
        if (!span_is(seat.fault, "-"))
            return true;
    }
    return false;
}
