#ifndef REFEREE_MATCH_REPLAY_H
#define REFEREE_MATCH_REPLAY_H

/* A logged match, played again from its log: the same match code gets the logged answers and must
 * write the same records, byte by byte, and so the same events, scores, places and bytes sent. */

#include "match/match.h"
#include "wire/log_record.h"

#include <stddef.h>

struct replay;

/* All bytes that the bot of a seat got. */
typedef void replay_tap_fn(void *context, unsigned seat, const char *bytes, size_t length);

/* Loads a log and plays it up to its first question. Returns NULL with one sentence in `problem`
 * that names the line, if it is not a log, damaged, or wrong so far. A log whose end is missing is
 * played as far as it goes: see replay_cut(). `tap` may be NULL. */
struct replay *replay_load(const char *path, replay_tap_fn *tap, void *context,
                           struct text *problem);
void replay_free(struct replay *replay);

/* The same from bytes, which are lent for the life of the replay. */
struct replay *replay_read(const char *bytes, size_t length, replay_tap_fn *tap, void *context,
                           struct text *problem);

/* Plays the next decision as it is logged. Returns 1; 0 if there is none left and every line of the
 * log was right; or -1 with one sentence in `problem`. */
int replay_next(struct replay *replay, struct text *problem);

/* Plays the rest. Returns 0 if the log is complete and every line of it is right; or -1 with one
 * sentence in `problem`. */
int replay_verify(struct replay *replay, struct text *problem);

/* One sentence about what is missing at the end of the log, which names the line; NULL if it is
 * complete. */
const char *replay_cut(const struct replay *replay);

/* Whether the seed of the deal is known. If not, the bytes for the bots are not those that they
 * got, and face-down cards of the table are made up. */
bool replay_has_seed(const struct replay *replay);

/* What its seed was committed to, in hexadecimal. Lent. */
const char *replay_commitment(const struct replay *replay);

/* The log itself, without a part of a line at its end. Lent. */
const char *replay_bytes(const struct replay *replay, size_t *length);

/* Goes back to the beginning, and from now on measures luck: see match_luck(). Only with a seed. */
void replay_measure_luck(struct replay *replay);

/* Goes back to the beginning. */
void replay_rewind(struct replay *replay);

/* The match, waiting for the decision that replay_next() plays. */
const struct match *replay_match(const struct replay *replay);

/* The decision that comes next: its number (from 1), its answers and its faults as they are logged.
 * Lent until the next call. The count is 0 when there is none. */
const struct log_record_answer *replay_answers(const struct replay *replay, unsigned *count);
const struct log_record_fault *replay_faults(const struct replay *replay, unsigned *count);

/* The events of the decision before, or of the deal. */
const struct allegra_events *replay_events(const struct replay *replay);

/* How many decisions and lines the log has, and the hash in its last line, "" if it is cut off. */
unsigned long replay_decisions(const struct replay *replay);
unsigned long replay_lines(const struct replay *replay);
const char *replay_hash(const struct replay *replay);

#endif
