#ifndef REFEREE_BOT_INTAKE_H
#define REFEREE_BOT_INTAKE_H

/* What a bot has written and nobody has taken yet: bytes in, lines out, bounded. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define INTAKE_BYTES 2048
#define INTAKE_LINE_MAX 256 /* LINE_BOT_MAX; its header and libevent's both have a `struct event` */

struct intake {
    size_t start; /* of the first byte that is not taken */
    size_t end;   /* behind the last one */
    char bytes[INTAKE_BYTES];
};

/* Reads once what fits. Returns the number of bytes, 0 at the end of the file, or -1 with errno;
 * ENOBUFS says that the buffer is full. */
ssize_t intake_read(struct intake *intake, int fd);

/* Cuts off the next whole line, without its line end and one CR before it, and with a NUL behind it.
 * It stays valid until the next intake_read(). Returns false if there is no whole line. */
bool intake_cut_line(struct intake *intake, struct span *line);

/* Whether all bytes of a line are printable ASCII, and there are some. */
bool intake_is_plain(struct span line);

/* Whether the line that has begun is already longer than any line may be. */
bool intake_is_too_long(const struct intake *intake);

/* What is there and not taken. */
struct span intake_rest(const struct intake *intake);

#endif
