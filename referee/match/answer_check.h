#ifndef REFEREE_MATCH_ANSWER_CHECK_H
#define REFEREE_MATCH_ANSWER_CHECK_H

/* The lines with which a bot replies to one question: up to two texts, then the answer. Every line is
 * accepted or is a named fault; here is where bytes meet the rules. */

#include "bot/bot.h"
#include "game/table.h"
#include "wire/bot_line.h"

#include <stddef.h>
#include <stdint.h>

/* What is being asked. */
struct answer_check_question {
    const struct allegra_table *table;
    unsigned seat;
    uint64_t id;
};

/* What has come so far. Begin a question with an empty one. */
struct answer_check {
    struct allegra_answer answer;
    unsigned say_count;
    char says[BOT_LINE_SAYS_MAX][BOT_LINE_SAY_MAX + 1];
    char words[200]; /* what was wrong with a line */
};

/* Takes the next line. After BOT_REFUSE `fault` and `words` say why; `words` is lent from `reply`, or
 * for good. */
enum bot_verdict answer_check_take_line(struct answer_check *reply,
                                        const struct answer_check_question *question,
                                        struct span line, enum bot_outcome *fault,
                                        const char **words);

/* The same for the very first line of a bot. */
enum bot_verdict answer_check_take_hello(struct answer_check *reply, struct bot_line_hello *hello,
                                         struct span line, enum bot_outcome *fault,
                                         const char **words);

#endif
