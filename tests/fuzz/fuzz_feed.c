/* Reads any bytes as a line of the feed, or as an event of the daemon. What is read and written
 * again is read as the same. */

#include "wire/feed_line.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_line(struct feed_line *line, bool is_event, struct span text)
{
    return is_event ? feed_line_read_event(line, text) : feed_line_read(line, text);
}

static bool is_same(struct span one, struct span other)
{
    return one.length == other.length &&
           (one.length == 0 || memcmp(one.start, other.start, one.length) == 0);
}

static void check_same(const struct feed_line *one, const struct feed_line *other)
{
    if (one->kind != other->kind || one->job != other->job || one->block != other->block ||
        one->match != other->match || one->decided != other->decided ||
        one->matches != other->matches || one->wins != other->wins ||
        one->median_us != other->median_us || one->p99_us != other->p99_us ||
        one->version != other->version || !is_same(one->name, other->name) ||
        !is_same(one->user, other->user) || !is_same(one->state, other->state) ||
        !is_same(one->text, other->text))
        abort();
}

/* Cuts the text into seats, and into faults. */
static void cut_text(struct span text)
{
    struct span rest = text, code;
    struct feed_line_seat seat;
    long count;

    while (feed_line_cut_seat(&rest, &seat)) {
        if (seat.place < 0)
            abort();
    }
    rest = text;
    while (feed_line_cut_fault(&rest, &code, &count)) {
        if (count < 0 || code.length == 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char written[3 * FEED_LINE_MAX];
    struct feed_line line, again;
    struct text text;
    bool is_event;

    if (size == 0 || size > FEED_LINE_MAX)
        return 0;
    is_event = (data[0] & 1) != 0;
    if (read_line(&line, is_event, (struct span){(const char *)data + 1, size - 1}) != 0)
        return 0;
    cut_text(line.text);
    text_start(&text, written, sizeof written);
    if (is_event)
        feed_line_write_event(&text, &line);
    else
        feed_line_write(&text, &line);
    if (text.is_cut || read_line(&again, is_event, (struct span){written, text.length}) != 0)
        abort();
    check_same(&line, &again);
    return 0;
}
