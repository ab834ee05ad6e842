#ifndef REFEREE_BOT_WRITE_BUFFER_H
#define REFEREE_BOT_WRITE_BUFFER_H

/* Bytes for a bot that its pipe has not taken yet; bounded. */

#include <stdbool.h>
#include <stddef.h>

/* More than the first is sent without waiting for a question; more than the second is never
 * kept. */
#define WRITE_BUFFER_FLUSH_BYTES ((size_t)32 * 1024)
#define WRITE_BUFFER_MAX_BYTES ((size_t)1024 * 1024)

struct write_buffer {
    char *bytes;
    size_t start;
    size_t end;
    size_t capacity;
};

enum write_buffer_state {
    WRITE_BUFFER_EMPTY,  /* all is written */
    WRITE_BUFFER_FULL,   /* the pipe takes no more now */
    WRITE_BUFFER_BROKEN, /* the bot will never read it */
};

void write_buffer_add(struct write_buffer *output, const char *bytes, size_t length);
size_t write_buffer_length(const struct write_buffer *output);

/* Writes as much as the pipe takes. What can never be written is dropped. */
enum write_buffer_state write_buffer_write(struct write_buffer *output, int fd);

/* Forgets everything and frees the memory. */
void write_buffer_clear(struct write_buffer *output);

#endif
