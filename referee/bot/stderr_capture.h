#ifndef REFEREE_BOT_CAPTURE_H
#define REFEREE_BOT_CAPTURE_H

/* A stream that may be endless, of which the beginning and the end are kept. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPTURE_HEAD_BYTES ((size_t)32 * 1024)
#define CAPTURE_TAIL_BYTES ((size_t)32 * 1024)
#define CAPTURE_LINE_BYTES                                                                         \
    200 /* of a longer line that is shown live, the rest follows on the next */

struct capture {
    char *head; /* NULL while nothing came */
    char *tail; /* a ring; NULL while all fits into the head */
    uint64_t total;
    char *label; /* what to show live goes under this name; NULL: nothing is shown */
    char *line;  /* the line that is being shown, still without its end */
    size_t line_length;
};

/* Begins an empty one. Under a label (not NULL) each line is also shown on stderr, escaped. */
void capture_start(struct capture *capture, const char *label);

void capture_add(struct capture *capture, const char *bytes, size_t length);

/* Reads what is there, but no more than `most` bytes. Returns false at the end of the stream. */
bool capture_read(struct capture *capture, int fd, size_t most);

/* Beginning and end, with a note of what was left out between them. Lent until the next call. */
const char *capture_text(const struct capture *capture, size_t *length);

/* Its last lines, escaped, at most `most` bytes of them; one that is longer is cut at its front. Lent
 * likewise. */
const char *capture_last(const struct capture *capture, size_t most);

/* Begins anew under the same label. */
void capture_forget(struct capture *capture);

void capture_free(struct capture *capture);

#endif
