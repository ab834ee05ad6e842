/* One growing buffer that is emptied from the front. It keeps its memory between questions, so that
 * telling and asking cost a copy and a write; what a slow reader made it grow is given back as soon
 * as it has been read. */

#include "bot/outbox.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEAST_BYTES 1024

size_t outbox_length(const struct outbox *outbox)
{
    return outbox->end - outbox->start;
}

static void make_room(struct outbox *outbox, size_t length)
{
    size_t capacity = outbox->capacity > 0 ? outbox->capacity : LEAST_BYTES;

    if (outbox->start > 0) {
        memmove(outbox->bytes, outbox->bytes + outbox->start, outbox_length(outbox));
        outbox->end -= outbox->start;
        outbox->start = 0;
    }
    while (capacity < outbox->end + length)
        capacity *= 2;
    if (capacity > outbox->capacity) {
        outbox->bytes = xrealloc(outbox->bytes, capacity);
        outbox->capacity = capacity;
    }
}

void outbox_add(struct outbox *outbox, const char *bytes, size_t length)
{
    if (length == 0)
        return;
    if (outbox->capacity - outbox->end < length)
        make_room(outbox, length);
    memcpy(outbox->bytes + outbox->end, bytes, length);
    outbox->end += length;
}

static void rewind_or_shrink(struct outbox *outbox)
{
    outbox->start = 0;
    outbox->end = 0;
    if (outbox->capacity > 2 * OUTBOX_FLUSH_BYTES)
        outbox_clear(outbox);
}

enum outbox_state outbox_write(struct outbox *outbox, int fd)
{
    while (outbox->start < outbox->end) {
        ssize_t length = write(fd, outbox->bytes + outbox->start, outbox_length(outbox));

        if (length >= 0) {
            outbox->start += (size_t)length;
        } else if (errno == EAGAIN) {
            return OUTBOX_FULL;
        } else if (errno != EINTR) {
            rewind_or_shrink(outbox);
            return OUTBOX_BROKEN;
        }
    }
    rewind_or_shrink(outbox);
    return OUTBOX_EMPTY;
}

void outbox_clear(struct outbox *outbox)
{
    free(outbox->bytes);
    *outbox = (struct outbox){0};
}
