/* Judging a bot's lines. No leniency: whoever writes a bot should find out at once, from the first
 * line that is wrong, and not from the place at the end of a tournament. */

#include "match/answer_check.h"

#include <stdio.h>
#include <string.h>

static enum bot_verdict refuse(enum bot_outcome outcome, const char *text, enum bot_outcome *fault,
                               const char **words)
{
    *fault = outcome;
    *words = text;
    return BOT_REFUSE;
}

enum bot_verdict answer_check_take_hello(struct answer_check *reply, struct bot_line_hello *hello,
                                         struct span line, enum bot_outcome *fault,
                                         const char **words)
{
    struct text problem;

    text_start(&problem, reply->words, sizeof reply->words);
    if (bot_line_read_hello(line, hello, &problem) != 0)
        return refuse(BOT_BAD_HELLO, reply->words, fault, words);
    return BOT_ACCEPT;
}

static enum bot_verdict take_say(struct answer_check *reply,
                                 const struct answer_check_question *question, struct span said,
                                 enum bot_outcome *fault, const char **words)
{
    if (!question->table->rules.talk)
        return refuse(BOT_ILLEGAL, "texts are not allowed in this match (talk=off)", fault, words);
    if (reply->say_count == BOT_LINE_SAYS_MAX)
        return refuse(BOT_FLOOD, "it sent more than two `say` lines before one answer", fault,
                      words);
    memcpy(reply->says[reply->say_count], said.start, said.length);
    reply->says[reply->say_count++][said.length] = '\0';
    return BOT_GO_ON;
}

static enum bot_verdict take_answer(struct answer_check *reply,
                                    const struct answer_check_question *question,
                                    const struct bot_line_reply *line, enum bot_outcome *fault,
                                    const char **words)
{
    enum allegra_refusal refusal;

    if (line->id != question->id) {
        snprintf(reply->words, sizeof reply->words,
                 "it answered question %llu while question %llu was open",
                 (unsigned long long)line->id, (unsigned long long)question->id);
        return refuse(BOT_UNASKED, reply->words, fault, words);
    }
    if (!line->is_answer)
        return refuse(BOT_UNREADABLE, "what follows the number is no answer of the protocol", fault,
                      words);
    refusal = allegra_table_judge(question->table, question->seat, line->answer);
    if (refusal != ALLEGRA_REFUSAL_NONE) {
        snprintf(reply->words, sizeof reply->words, "the rules do not allow it: %s",
                 allegra_refusal_words(refusal));
        return refuse(BOT_ILLEGAL, reply->words, fault, words);
    }
    reply->answer = line->answer;
    return BOT_ACCEPT;
}

enum bot_verdict answer_check_take_line(struct answer_check *reply,
                                        const struct answer_check_question *question,
                                        struct span line, enum bot_outcome *fault,
                                        const char **words)
{
    struct bot_line_reply read = bot_line_read_reply(line);

    switch (read.kind) {
    case BOT_LINE_SAY:
        return take_say(reply, question, read.words, fault, words);
    case BOT_LINE_REPLY:
        return take_answer(reply, question, &read, fault, words);
    case BOT_LINE_UNREADABLE:
        break;
    }
    return refuse(BOT_UNREADABLE, "it is neither `ID ANSWER` nor `say WORDS`", fault, words);
}
