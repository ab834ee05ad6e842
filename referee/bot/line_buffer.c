/* One fixed buffer. Bytes that are not taken are moved to its beginning when it is empty or no room
 * is left behind them, so that a quick answer is never copied. Since a line that is too long ends a
 * question, and with it the reading, the buffer is never too small for an honest bot. */

#include "bot/intake.h"

#include "wire/line.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

_Static_assert(INTAKE_LINE_MAX == LINE_BOT_MAX, "one limit has two values");

static void make_room(struct intake *intake)
{
    size_t length = intake->end - intake->start;

    if (length > 0 && intake->end < INTAKE_BYTES)
        return;
    memmove(intake->bytes, intake->bytes + intake->start, length);
    intake->start = 0;
    intake->end = length;
}

ssize_t intake_read(struct intake *intake, int fd)
{
    ssize_t length;

    make_room(intake);
    if (intake->end == INTAKE_BYTES) {
        errno = ENOBUFS;
        return -1;
    }
    do
        length = read(fd, intake->bytes + intake->end, INTAKE_BYTES - intake->end);
    while (length < 0 && errno == EINTR);
    if (length > 0)
        intake->end += (size_t)length;
    return length;
}

bool intake_cut_line(struct intake *intake, struct span *line)
{
    char *start = intake->bytes + intake->start;
    char *end = memchr(start, '\n', intake->end - intake->start);

    if (end == NULL)
        return false;
    *line = (struct span){start, (size_t)(end - start)};
    intake->start += line->length + 1;
    *end = '\0';
    if (line->length > 0 && end[-1] == '\r') {
        end[-1] = '\0';
        line->length--;
    }
    return true;
}

bool intake_is_plain(struct span line)
{
    return line.length > 0 && line_is_plain(line);
}

bool intake_is_too_long(const struct intake *intake)
{
    /* One more, because a CR before the line end does not count. */
    return intake->end - intake->start > INTAKE_LINE_MAX + 1;
}

struct span intake_rest(const struct intake *intake)
{
    return (struct span){intake->bytes + intake->start, intake->end - intake->start};
}
