/* A seat stream collects lines until its seat is asked something and then sends them in one piece:
 * so a bot is woken once for each of its own questions, not for each event, and the hash is
 * computed over long runs of bytes. */

#include "match/seat_stream.h"

#include "base/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* More than a question with its table, its legal answers and all events since the last one needs;
 * what would not fit is sent before. */
#define BUFFER_BYTES 16384
#define FLUSH_BYTES (BUFFER_BYTES - 8 * BOT_LINE_REFEREE_MAX)

struct seat_stream {
    unsigned seat;
    seat_stream_out_fn *out;
    void *context;
    struct bot_line_options options;
    uint64_t id;
    size_t length; /* of all bytes that are in the hash */
    struct text text;
    crypto_generichash_state hash;
    char buffer[BUFFER_BYTES];
};

struct seat_stream *seat_stream_new(unsigned seat, seat_stream_out_fn *out, void *context)
{
    struct seat_stream *stream = xcalloc(1, sizeof *stream);

    stream->seat = seat;
    stream->out = out;
    stream->context = context;
    stream->options = (struct bot_line_options){.has_table = true, .has_events = true};
    text_start(&stream->text, stream->buffer, sizeof stream->buffer);
    crypto_generichash_init(&stream->hash, NULL, 0, 32);
    return stream;
}

void seat_stream_free(struct seat_stream *stream)
{
    free(stream);
}

void seat_stream_set_options(struct seat_stream *stream, struct bot_line_options options)
{
    stream->options = options;
}

/* All bytes that were held back. They stay in the buffer until the next line is added. */
static struct span take(struct seat_stream *stream)
{
    struct span bytes = {stream->buffer, stream->text.length};

    crypto_generichash_update(&stream->hash, (const unsigned char *)bytes.start, bytes.length);
    stream->length += bytes.length;
    stream->text.length = 0;
    return bytes;
}

void seat_stream_flush(struct seat_stream *stream)
{
    struct span bytes = take(stream);

    if (bytes.length > 0)
        stream->out(stream->context, stream->seat, bytes.start, bytes.length);
}

struct text *seat_stream_text(struct seat_stream *stream)
{
    if (stream->text.length > FLUSH_BYTES)
        seat_stream_flush(stream);
    return &stream->text;
}

void seat_stream_resume(struct seat_stream *stream, uint64_t asked)
{
    stream->id = asked;
}

void seat_stream_events(struct seat_stream *stream, const struct allegra_events *events)
{
    if (!stream->options.has_events)
        return;
    for (unsigned i = 0; i < events->count; i++) {
        struct allegra_event event = allegra_event_hide(events->list[i], stream->seat);

        bot_line_write_event(seat_stream_text(stream), &event, true);
    }
}

void seat_stream_event_lines(struct seat_stream *stream, struct span lines)
{
    if (!stream->options.has_events)
        return;
    if (stream->text.length + lines.length > FLUSH_BYTES)
        seat_stream_flush(stream);
    text_add_bytes(&stream->text, lines.start, lines.length);
}

struct span seat_stream_ask(struct seat_stream *stream, const struct allegra_view *view,
                            const struct allegra_legal *legal, struct span table_lines,
                            long limit_ms)
{
    struct text *text = seat_stream_text(stream);

    if (stream->options.has_table)
        text_add_bytes(text, table_lines.start, table_lines.length);
    if (stream->options.has_legal)
        bot_line_write_legal(text, legal);
    stream->id++;
    bot_line_write_ask(text, view, stream->id, limit_ms);
    return take(stream);
}

uint64_t seat_stream_id(const struct seat_stream *stream)
{
    return stream->id;
}

size_t seat_stream_length(const struct seat_stream *stream)
{
    return stream->length;
}

void seat_stream_hash(const struct seat_stream *stream, char hex[LOG_RECORD_HASH_HEX])
{
    crypto_generichash_state copy = stream->hash;
    unsigned char hash[32];

    crypto_generichash_final(&copy, hash, sizeof hash);
    sodium_bin2hex(hex, LOG_RECORD_HASH_HEX, hash, sizeof hash);
}
