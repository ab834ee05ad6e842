#ifndef REFEREE_BOT_OUTBOX_H
#define REFEREE_BOT_OUTBOX_H

/* What a bot has been told and the pipe has not taken yet: bounded. */

#include <stdbool.h>
#include <stddef.h>

#define OUTBOX_FLUSH_BYTES ((size_t)32 * 1024) /* more than this goes out without a question */
#define OUTBOX_MAX_BYTES ((size_t)1024 * 1024) /* more than this is not kept for anybody */

struct outbox {
    char *bytes;
    size_t start;
    size_t end;
    size_t capacity;
};

enum outbox_state {
    OUTBOX_EMPTY,  /* all is written */
    OUTBOX_FULL,   /* the pipe takes no more now */
    OUTBOX_BROKEN, /* nobody will ever read it */
};

void outbox_add(struct outbox *outbox, const char *bytes, size_t length);
size_t outbox_length(const struct outbox *outbox);

/* Writes as much as the pipe takes. What cannot be written to anybody is dropped. */
enum outbox_state outbox_write(struct outbox *outbox, int fd);

/* Forgets everything and returns the memory. */
void outbox_clear(struct outbox *outbox);

#endif
