#ifndef REFEREE_MATCH_SEAT_STREAM_H
#define REFEREE_MATCH_SEAT_STREAM_H

/* The bytes that the bot of one seat gets. They are a pure function of the match as it went: the
 * same bytes can be written again from a log. The stream keeps their hash. */

#include "game/allegra.h"
#include "wire/bot_line.h"
#include "wire/log_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seat_stream;

/* Where the bytes go. */
typedef void seat_stream_out_fn(void *context, unsigned seat, const char *bytes, size_t length);

struct seat_stream *seat_stream_new(unsigned seat, seat_stream_out_fn *out, void *context);
void seat_stream_free(struct seat_stream *stream);

/* Leaves out what the bot does not want. */
void seat_stream_set_options(struct seat_stream *stream, struct bot_line_options options);

/* Of a bot that stayed: `asked` questions were put to it in earlier matches. */
void seat_stream_resume(struct seat_stream *stream, uint64_t asked);

/* The text to add lines to, with room for at least eight of them. */
struct text *seat_stream_text(struct seat_stream *stream);

/* What the seat may see of these events, if the bot wants events. */
void seat_stream_events(struct seat_stream *stream, const struct allegra_events *events);

/* The same for events without a secret, already written as lines. */
void seat_stream_event_lines(struct seat_stream *stream, struct span lines);

/* The next question: `table_lines` is what bot_line_write_table() makes of the view, written once
 * for all seats that are asked at the same moment. Returns what is to be sent, with all that was
 * held back before; it is lent until the next call. */
struct span seat_stream_ask(struct seat_stream *stream, const struct allegra_view *view,
                            const struct allegra_legal *legal, struct span table_lines,
                            long limit_ms);

/* The id of the latest question; 0 if there was none. */
uint64_t seat_stream_id(const struct seat_stream *stream);

/* How many bytes there were so far. */
size_t seat_stream_length(const struct seat_stream *stream);

/* Sends what is still held back. */
void seat_stream_flush(struct seat_stream *stream);

/* The BLAKE2b-256 hash of all bytes so far, in hexadecimal. */
void seat_stream_hash(const struct seat_stream *stream, char hex[LOG_RECORD_HASH_HEX]);

#endif
