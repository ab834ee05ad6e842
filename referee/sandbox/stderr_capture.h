#ifndef REFEREE_SANDBOX_STDERR_CAPTURE_H
#define REFEREE_SANDBOX_STDERR_CAPTURE_H

/* A stream that may be endless, of which the beginning and the end are kept. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STDERR_CAPTURE_HEAD_BYTES ((size_t)32 * 1024)
#define STDERR_CAPTURE_TAIL_BYTES ((size_t)32 * 1024)
#define STDERR_CAPTURE_LINE_BYTES                                                                  \
    200 /* a longer line that is shown live is continued on the next */

struct stderr_capture {
    char *head; /* NULL while nothing came */
    char *tail; /* a ring; NULL while all fits into the head */
    uint64_t total;
    char *label; /* bytes are shown live under this name; NULL: they are not shown */
    char *line;  /* the line that is being shown, still without its end */
    size_t line_length;
};

/* Begins an empty one. Under a label (not NULL) each line is also shown on stderr, escaped. */
void stderr_capture_start(struct stderr_capture *capture, const char *label);

void stderr_capture_add(struct stderr_capture *capture, const char *bytes, size_t length);

/* Reads what is there, but no more than `most` bytes. Returns false at the end of the stream. */
bool stderr_capture_read(struct stderr_capture *capture, int fd, size_t most);

/* Beginning and end, with a note of what was left out between them. Lent until the next call. */
const char *stderr_capture_text(const struct stderr_capture *capture, size_t *length);

/* Its last lines, escaped, at most `most` bytes of them; one that is longer is cut at its front.
 * Lent likewise. */
const char *stderr_capture_last(const struct stderr_capture *capture, size_t most);

/* Starts over under the same label. */
void stderr_capture_forget(struct stderr_capture *capture);

void stderr_capture_free(struct stderr_capture *capture);

#endif
