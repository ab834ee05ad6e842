/* One growing buffer that is emptied from the front. It keeps its memory between questions, so that
 * telling and asking cost a copy and a write; what a slow reader made it grow is given back as soon
 * as it has been read. */

#include "bot/write_buffer.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEAST_BYTES 1024

size_t write_buffer_length(const struct write_buffer *output)
{
    return output->end - output->start;
}

static void make_room(struct write_buffer *output, size_t length)
{
    size_t capacity = output->capacity > 0 ? output->capacity : LEAST_BYTES;

    if (output->start > 0) {
        memmove(output->bytes, output->bytes + output->start, write_buffer_length(output));
        output->end -= output->start;
        output->start = 0;
    }
    while (capacity < output->end + length)
        capacity *= 2;
    if (capacity > output->capacity) {
        output->bytes = xrealloc(output->bytes, capacity);
        output->capacity = capacity;
    }
}

void write_buffer_add(struct write_buffer *output, const char *bytes, size_t length)
{
    if (length == 0)
        return;
    if (output->capacity - output->end < length)
        make_room(output, length);
    memcpy(output->bytes + output->end, bytes, length);
    output->end += length;
}

static void rewind_or_shrink(struct write_buffer *output)
{
    output->start = 0;
    output->end = 0;
    if (output->capacity > 2 * WRITE_BUFFER_FLUSH_BYTES)
        write_buffer_clear(output);
}

enum write_buffer_state write_buffer_write(struct write_buffer *output, int fd)
{
    while (output->start < output->end) {
        ssize_t length = write(fd, output->bytes + output->start, write_buffer_length(output));

        if (length >= 0) {
            output->start += (size_t)length;
        } else if (errno == EAGAIN) {
            return WRITE_BUFFER_FULL;
        } else if (errno != EINTR) {
            rewind_or_shrink(output);
            return WRITE_BUFFER_BROKEN;
        }
    }
    rewind_or_shrink(output);
    return WRITE_BUFFER_EMPTY;
}

void write_buffer_clear(struct write_buffer *output)
{
    free(output->bytes);
    *output = (struct write_buffer){0};
}
