#ifndef REFEREE_BOT_LINE_BUFFER_H
#define REFEREE_BOT_LINE_BUFFER_H

/* What a bot has written and nobody has taken yet: bytes in, lines out, bounded. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define LINE_BUFFER_BYTES 2048
#define LINE_BUFFER_LINE_MAX                                                                       \
    256 /* LINE_BOT_MAX; its header and libevent's both have a `struct event` */

struct line_buffer {
    size_t start; /* of the first byte that is not taken */
    size_t end;   /* behind the last one */
    char bytes[LINE_BUFFER_BYTES];
};

/* Reads once what fits. Returns the number of bytes, 0 at the end of the file, or -1 with errno;
 * ENOBUFS says that the buffer is full. */
ssize_t line_buffer_read(struct line_buffer *input, int fd);

/* Cuts off the next whole line, without its line end and one CR before it, and with a NUL behind it.
 * It stays valid until the next line_buffer_read(). Returns false if there is no whole line. */
bool line_buffer_cut_line(struct line_buffer *input, struct span *line);

/* Whether all bytes of a line are printable ASCII, and there are some. */
bool line_buffer_is_plain(struct span line);

/* Whether the line that has begun is already longer than any line may be. */
bool line_buffer_is_too_long(const struct line_buffer *input);

/* What is there and not taken. */
struct span line_buffer_rest(const struct line_buffer *input);

#endif
