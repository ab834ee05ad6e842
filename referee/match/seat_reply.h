#ifndef REFEREE_MATCH_SEAT_REPLY_H
#define REFEREE_MATCH_SEAT_REPLY_H

/* The lines with which a bot replies to one question: up to two texts, then the answer. Every line
 * is accepted or is a named fault. */

#include "bot/bot.h"
#include "game/allegra.h"
#include "wire/bot_line.h"

#include <stdint.h>

/* What has come so far. Begin a question with an empty one. */
struct seat_reply {
    struct allegra_answer answer;
    unsigned say_count;
    char says[BOT_LINE_SAYS_MAX][BOT_LINE_SAY_MAX + 1];
};

/* Takes the next line of the question with that id. After BOT_ACCEPT the answer has been read, but
 * the rules have not judged it. */
enum bot_verdict seat_reply_take_line(struct seat_reply *reply, struct span line, uint64_t id,
                                      bool may_talk, struct bot_refusal *refusal);

/* What the rules say about the answer: BOT_ACCEPT or BOT_REFUSE. */
enum bot_verdict seat_reply_judged(enum allegra_refusal judgement, struct bot_refusal *refusal);

/* Takes the very first line of a bot: BOT_ACCEPT or BOT_REFUSE. */
enum bot_verdict seat_reply_take_hello(struct bot_line_hello *hello, struct span line,
                                       struct bot_refusal *refusal);

#endif
