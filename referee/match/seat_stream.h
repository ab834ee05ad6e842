#ifndef REFEREE_MATCH_SEAT_STREAM_H
#define REFEREE_MATCH_SEAT_STREAM_H

/* The bytes that the bot of one seat gets. A pure function of the match as it went: whoever has the
 * log can have the seat stream write the same bytes again. Keeps their hash. */

#include "game/event.h"
#include "game/view.h"
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

/* Switches off what the bot does not want. */
void seat_stream_set_options(struct seat_stream *stream, struct bot_line_options options);

void seat_stream_greeting(struct seat_stream *stream);

/* Instead, for a bot that stayed: `asked` questions were put to it in matches before. */
void seat_stream_resume(struct seat_stream *stream, uint64_t asked);
void seat_stream_match(struct seat_stream *stream, const struct bot_line_match *match);
void seat_stream_events(struct seat_stream *stream, const struct allegra_events *events);

/* The same for events that have no secret, already written as lines. */
void seat_stream_event_lines(struct seat_stream *stream, struct span lines);
void seat_stream_said(struct seat_stream *stream, unsigned seat, const char *words);
void seat_stream_dismissed(struct seat_stream *stream, unsigned seat, const char *code);
void seat_stream_result(struct seat_stream *stream, const uint8_t *places, unsigned seats,
                        bool is_last);

/* The next question: `table_lines` is what bot_line_write_table() makes of the view, written once for
 * all seats that are asked at the same moment. Returns what is to be sent, with all that was held
 * back before; it is lent until the next call. */
struct span seat_stream_ask(struct seat_stream *stream, const struct allegra_view *view,
                            const struct allegra_legal *legal, struct span table_lines,
                            long limit_ms);

/* The id of the latest question; 0 if there was none. */
uint64_t seat_stream_id(const struct seat_stream *stream);

/* Hands over what is still held back. */
void seat_stream_flush(struct seat_stream *stream);

/* The BLAKE2b-256 hash of all bytes so far, in hexadecimal. */
void seat_stream_hash(const struct seat_stream *stream, char hex[LOG_RECORD_HASH_HEX]);

#endif
