#ifndef REFEREE_BOT_WRITE_BUFFER_H
#define REFEREE_BOT_WRITE_BUFFER_H

/* What a bot has been told and the pipe has not taken yet: bounded. */

#include <stdbool.h>
#include <stddef.h>

#define WRITE_BUFFER_FLUSH_BYTES                                                                   \
    ((size_t)32 * 1024) /* more than this goes out without a question */
#define WRITE_BUFFER_MAX_BYTES ((size_t)1024 * 1024) /* more than this is not kept for anybody */

struct write_buffer {
    char *bytes;
    size_t start;
    size_t end;
    size_t capacity;
};

enum write_buffer_state {
    WRITE_BUFFER_EMPTY,  /* all is written */
    WRITE_BUFFER_FULL,   /* the pipe takes no more now */
    WRITE_BUFFER_BROKEN, /* nobody will ever read it */
};

void write_buffer_add(struct write_buffer *output, const char *bytes, size_t length);
size_t write_buffer_length(const struct write_buffer *output);

/* Writes as much as the pipe takes. What cannot be written to anybody is dropped. */
enum write_buffer_state write_buffer_write(struct write_buffer *output, int fd);

/* Forgets everything and returns the memory. */
void write_buffer_clear(struct write_buffer *output);

#endif
