#ifndef REFEREE_MATCH_LOG_CHECK_H
#define REFEREE_MATCH_LOG_CHECK_H

/* What a log says beyond the game: who sat there, how long answers took, why a bot was dismissed.
 * Writing the records again shows nothing about it, because it is written as it is read. But most
 * of it follows from other fields of the log, by the same rules and code that a match is played
 * with. Each function returns 0, or -1 with one sentence in `problem`. */

#include "match/match.h"
#include "wire/log_record.h"

int log_check_header(const struct log_record_header *header, struct text *problem);

/* What the open question of a match cost, which has that limit. */
int log_check_time(const struct match *match, const struct log_record_time *time, int64_t limit_us,
                   struct text *problem);

/* An answer of a seat to the open question of a match. */
int log_check_answer(const struct match *match, const struct log_record_answer *answer,
                     struct text *problem);

/* A fault of a seat at the open question of a match, or in place of its hello. */
int log_check_fault(const struct match *match, const struct log_record_fault *fault,
                    struct text *problem);

/* The name of a fault in a log; BOT_ANSWERED if there is none of that name. */
enum bot_outcome log_check_outcome(const char *code);

#endif
