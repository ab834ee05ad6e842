/* The first bytes go to `head`, all later ones into the ring `tail`; where the next one goes
 * follows from `total` alone. Most bots never write to stderr, so memory is allocated when bytes
 * come. The two lent texts are built in buffers of this file: they are needed once per fault or
 * match, and a buffer in each bot would be most of its memory. */

#include "sandbox/stderr_capture.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/escape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTE_BYTES 80
#define LAST_MAX_BYTES 4096

void stderr_capture_start(struct stderr_capture *capture, const char *label)
{
    *capture = (struct stderr_capture){0};
    if (label != NULL) {
        capture->label = xstrdup(label);
        capture->line = xcalloc(STDERR_CAPTURE_LINE_BYTES, 1);
    }
}

static void show_line(struct stderr_capture *capture)
{
    char escaped[STDERR_CAPTURE_LINE_BYTES * ESCAPE_MAX + 1];
    struct text text;

    text_start(&text, escaped, sizeof escaped);
    escape_add(&text, (struct span){capture->line, capture->line_length});
    (void)fprintf(stderr, "%s: %s\n", capture->label, escaped);
    capture->line_length = 0;
}

static void show(struct stderr_capture *capture, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '\n')
            capture->line[capture->line_length++] = bytes[i];
        if (bytes[i] == '\n' || capture->line_length == STDERR_CAPTURE_LINE_BYTES)
            show_line(capture);
    }
}

static size_t keep_head(struct stderr_capture *capture, const char *bytes, size_t length)
{
    size_t room;

    if (capture->total >= STDERR_CAPTURE_HEAD_BYTES)
        return 0;
    if (capture->head == NULL)
        capture->head = xcalloc(STDERR_CAPTURE_HEAD_BYTES, 1);
    room = STDERR_CAPTURE_HEAD_BYTES - (size_t)capture->total;
    if (length > room)
        length = room;
    memcpy(capture->head + capture->total, bytes, length);
    return length;
}

static void keep_tail(struct stderr_capture *capture, const char *bytes, size_t length)
{
    if (length > 0 && capture->tail == NULL)
        capture->tail = xcalloc(STDERR_CAPTURE_TAIL_BYTES, 1);
    while (length > 0) {
        size_t at = (capture->total - STDERR_CAPTURE_HEAD_BYTES) % STDERR_CAPTURE_TAIL_BYTES;
        size_t piece = STDERR_CAPTURE_TAIL_BYTES - at;

        if (piece > length)
            piece = length;
        memcpy(capture->tail + at, bytes, piece);
        capture->total += piece;
        bytes += piece;
        length -= piece;
    }
}

void stderr_capture_add(struct stderr_capture *capture, const char *bytes, size_t length)
{
    size_t taken = keep_head(capture, bytes, length);

    if (capture->label != NULL)
        show(capture, bytes, length);
    capture->total += taken;
    keep_tail(capture, bytes + taken, length - taken);
}

bool stderr_capture_read(struct stderr_capture *capture, int fd, size_t most)
{
    char bytes[16 * 1024];

    while (most > 0) {
        ssize_t length = read(fd, bytes, most < sizeof bytes ? most : sizeof bytes);

        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            return errno == EAGAIN;
        if (length == 0)
            return false;
        stderr_capture_add(capture, bytes, (size_t)length);
        most -= (size_t)length;
    }
    return true;
}

/* How many bytes of the tail are the end of the stream. */
static size_t tail_length(const struct stderr_capture *capture)
{
    uint64_t length =
        capture->total > STDERR_CAPTURE_HEAD_BYTES ? capture->total - STDERR_CAPTURE_HEAD_BYTES : 0;

    return length < STDERR_CAPTURE_TAIL_BYTES ? (size_t)length : STDERR_CAPTURE_TAIL_BYTES;
}

/* The byte of the stream at `position`, which is kept. */
static char byte_at(const struct stderr_capture *capture, uint64_t position)
{
    if (position < STDERR_CAPTURE_HEAD_BYTES)
        return capture->head[position];
    return capture->tail[(position - STDERR_CAPTURE_HEAD_BYTES) % STDERR_CAPTURE_TAIL_BYTES];
}

static void add_note(struct text *text, uint64_t omitted)
{
    char note[NOTE_BYTES];

    (void)snprintf(note, sizeof note, "\n[... %llu bytes left out ...]\n",
                   (unsigned long long)omitted);
    text_add(text, note);
}

const char *stderr_capture_text(const struct stderr_capture *capture, size_t *length)
{
    static char buffer[STDERR_CAPTURE_HEAD_BYTES + NOTE_BYTES + STDERR_CAPTURE_TAIL_BYTES + 1];
    size_t tail = tail_length(capture);
    size_t head = (size_t)(capture->total < STDERR_CAPTURE_HEAD_BYTES ? capture->total
                                                                      : STDERR_CAPTURE_HEAD_BYTES);
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    text_add_bytes(&text, capture->head, head);
    if (capture->total > head + tail)
        add_note(&text, capture->total - head - tail);
    for (uint64_t at = capture->total - tail; at < capture->total; at++)
        text_add_char(&text, byte_at(capture, at));
    *length = text.length;
    return buffer;
}

/* Where the last lines begin that fit into `most` bytes when escaped, up to `end`. */
static uint64_t find_last(const struct stderr_capture *capture, uint64_t end, size_t most)
{
    uint64_t line_start = end;
    uint64_t at = end;
    size_t used = 0;

    while (at > 0 && used + ESCAPE_MAX <= most) {
        char byte = byte_at(capture, at - 1);

        if (byte == '\n')
            line_start = at;
        used += byte == '\n' || (byte >= ' ' && byte <= '~' && byte != '\\') ? 1 : ESCAPE_MAX;
        at--;
    }
    return at == 0 || line_start == end ? at : line_start;
}

const char *stderr_capture_last(const struct stderr_capture *capture, size_t most)
{
    static char buffer[LAST_MAX_BYTES + 1];
    uint64_t end = capture->total;
    struct text text;

    if (most > LAST_MAX_BYTES)
        most = LAST_MAX_BYTES;
    while (end > 0 && capture->total - end < STDERR_CAPTURE_TAIL_BYTES / 2 &&
           byte_at(capture, end - 1) == '\n')
        end--;
    text_start(&text, buffer, sizeof buffer);
    for (uint64_t at = find_last(capture, end, most); at < end; at++) {
        if (byte_at(capture, at) == '\n')
            text_add_char(&text, '\n');
        else
            escape_add_byte(&text, byte_at(capture, at));
    }
    return buffer;
}

void stderr_capture_forget(struct stderr_capture *capture)
{
    free(capture->head);
    free(capture->tail);
    capture->head = NULL;
    capture->tail = NULL;
    capture->total = 0;
}

void stderr_capture_free(struct stderr_capture *capture)
{
    if (capture->line_length > 0)
        show_line(capture);
    free(capture->head);
    free(capture->tail);
    free(capture->label);
    free(capture->line);
    *capture = (struct stderr_capture){0};
}
