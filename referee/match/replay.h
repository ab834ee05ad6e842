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
 * that names the line, if it is not a log, not complete, damaged, or wrong so far. `tap` may be
 * NULL. */
struct replay *replay_load(const char *path, replay_tap_fn *tap, void *context,
                           struct text *problem);
void replay_free(struct replay *replay);

/* The same from bytes, which are lent for the life of the replay. */
struct replay *replay_read(const char *bytes, size_t length, replay_tap_fn *tap, void *context,
                           struct text *problem);

/* Plays the next decision as it is logged. Returns 1; 0 if there is none left and every line of the
 * log was right; or -1 with one sentence in `problem`. */
int replay_next(struct replay *replay, struct text *problem);

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

/* How many decisions and lines the log has, and the hash in its last line. */
unsigned long replay_decisions(const struct replay *replay);
unsigned long replay_lines(const struct replay *replay);
const char *replay_hash(const struct replay *replay);

#endif
