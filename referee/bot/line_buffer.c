/* One fixed buffer. Bytes that are not taken are moved to its beginning when no room is left after
 * them, so that a quick answer is never copied. Since a line that is too long ends a question, and
 * with it the reading, the buffer is never too small for an honest bot. */

#include "bot/line_buffer.h"

#include "wire/bot_line.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

_Static_assert(LINE_BUFFER_LINE_MAX == BOT_LINE_MAX, "one limit has two values");

static void make_room(struct line_buffer *input)
{
    size_t length = input->end - input->start;

    if (length > 0 && input->end < LINE_BUFFER_BYTES)
        return;
    memmove(input->bytes, input->bytes + input->start, length);
    input->start = 0;
    input->end = length;
}

ssize_t line_buffer_read(struct line_buffer *input, int fd)
{
    ssize_t length;

    make_room(input);
    if (input->end == LINE_BUFFER_BYTES) {
        errno = ENOBUFS;
        return -1;
    }
    do
        length = read(fd, input->bytes + input->end, LINE_BUFFER_BYTES - input->end);
    while (length < 0 && errno == EINTR);
    if (length > 0)
        input->end += (size_t)length;
    return length;
}

bool line_buffer_cut_line(struct line_buffer *input, struct span *line)
{
    char *start = input->bytes + input->start;
    char *end = memchr(start, '\n', input->end - input->start);

    if (end == NULL)
        return false;
    *line = (struct span){start, (size_t)(end - start)};
    input->start += line->length + 1;
    *end = '\0';
    if (line->length > 0 && end[-1] == '\r') {
        end[-1] = '\0';
        line->length--;
    }
    return true;
}

bool line_buffer_is_plain(struct span line)
{
    return line.length > 0 && bot_line_is_plain(line);
}

bool line_buffer_is_too_long(const struct line_buffer *input)
{
    /* One more, because a CR before the line end does not count. */
    return input->end - input->start > LINE_BUFFER_LINE_MAX + 1;
}

struct span line_buffer_rest(const struct line_buffer *input)
{
    return (struct span){input->bytes + input->start, input->end - input->start};
}
