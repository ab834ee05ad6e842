#ifndef REFEREE_BOT_LINE_BUFFER_H
#define REFEREE_BOT_LINE_BUFFER_H

/* Output of a bot that has not been consumed yet: bytes in, lines out, bounded. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define LINE_BUFFER_BYTES 2048
#define LINE_BUFFER_LINE_MAX 256 /* BOT_LINE_MAX */

struct line_buffer {
    size_t start; /* of the first byte that is not taken */
    size_t end;   /* after the last one */
    char bytes[LINE_BUFFER_BYTES];
};

/* Reads once what fits. Returns the number of bytes, 0 at the end of the file, or -1 with errno;
 * ENOBUFS says that the buffer is full. */
ssize_t line_buffer_read(struct line_buffer *input, int fd);

/* Cuts off the next whole line, without its line end and one CR before it, and with a NUL after it.
 * It stays valid until the next line_buffer_read(). Returns false if there is no whole line. */
bool line_buffer_cut_line(struct line_buffer *input, struct span *line);

/* Whether a line is not empty and all its bytes are printable ASCII. */
bool line_buffer_is_plain(struct span line);

/* Whether the line that has begun is already longer than any line may be. */
bool line_buffer_is_too_long(const struct line_buffer *input);

/* What was not taken yet. */
struct span line_buffer_rest(const struct line_buffer *input);

#endif
