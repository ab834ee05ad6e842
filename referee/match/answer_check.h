#ifndef REFEREE_MATCH_REPLY_H
#define REFEREE_MATCH_REPLY_H

/* The lines with which a bot replies to one question: up to two texts, then the answer. Every line is
 * accepted or is a named fault; here is where bytes meet the rules. */

#include "bot/bot.h"
#include "game/table.h"
#include "wire/line.h"

#include <stddef.h>
#include <stdint.h>

/* What is being asked. */
struct reply_question {
    const struct table *table;
    unsigned seat;
    uint64_t id;
};

/* What has come so far. Begin a question with an empty one. */
struct reply {
    struct answer answer;
    unsigned say_count;
    char says[LINE_SAYS_MAX][LINE_SAY_MAX + 1];
    char words[200]; /* what was wrong with a line */
};

/* Takes the next line. After BOT_REFUSE `fault` and `words` say why; `words` is lent from `reply`, or
 * for good. */
enum bot_verdict reply_take_line(struct reply *reply, const struct reply_question *question,
                                 struct span line, enum bot_outcome *fault, const char **words);

/* The same for the very first line of a bot. */
enum bot_verdict reply_take_hello(struct reply *reply, struct line_hello *hello, struct span line,
                                  enum bot_outcome *fault, const char **words);

#endif
