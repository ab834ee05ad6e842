#ifndef REFEREE_MATCH_SCRIBE_H
#define REFEREE_MATCH_SCRIBE_H

/* The bytes that the bot of one seat gets. A pure function of the match as it went: whoever has the
 * log can have the scribe write the same bytes again. Keeps their hash. */

#include "game/event.h"
#include "game/view.h"
#include "wire/line.h"
#include "wire/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scribe;

/* Where the bytes go. */
typedef void scribe_out_fn(void *context, unsigned seat, const char *bytes, size_t length);

struct scribe *scribe_new(unsigned seat, scribe_out_fn *out, void *context);
void scribe_free(struct scribe *scribe);

/* Switches off what the bot does not want. */
void scribe_set_wishes(struct scribe *scribe, struct line_wishes wishes);

void scribe_greeting(struct scribe *scribe);

/* Instead, for a bot that stayed: `asked` questions were put to it in matches before. */
void scribe_go_on(struct scribe *scribe, uint64_t asked);
void scribe_match(struct scribe *scribe, const struct line_match *match);
void scribe_events(struct scribe *scribe, const struct events *events);

/* The same for events that have no secret, already written as lines. */
void scribe_event_lines(struct scribe *scribe, struct span lines);
void scribe_said(struct scribe *scribe, unsigned seat, const char *words);
void scribe_dismissed(struct scribe *scribe, unsigned seat, const char *code);
void scribe_result(struct scribe *scribe, const uint8_t *places, unsigned seats, bool is_last);

/* The next question: `table_lines` is what line_write_table() makes of the view, written once for
 * all who are asked at the same moment. Returns the id. */
uint64_t scribe_ask(struct scribe *scribe, const struct view *view, const struct legal *legal,
                    struct span table_lines, long limit_ms);

/* The id of the latest question; 0 if there was none. */
uint64_t scribe_id(const struct scribe *scribe);

/* Hands over what is still held back. */
void scribe_flush(struct scribe *scribe);

/* The BLAKE2b-256 hash of all bytes so far, in hexadecimal. */
void scribe_hash(const struct scribe *scribe, char hex[RECORD_HASH_HEX]);

#endif
