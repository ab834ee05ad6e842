/* Reads a bot's lines strictly: an author should find out from the first wrong line, not from the
 * standings at the end of a tournament. */

#include "match/seat_reply.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static enum bot_verdict
refuse(struct bot_refusal *refusal, enum bot_outcome outcome, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(refusal->message, sizeof refusal->message, format, arguments);
    va_end(arguments);
    refusal->outcome = outcome;
    return BOT_REFUSE;
}

enum bot_verdict seat_reply_take_hello(struct bot_line_hello *hello, struct span line,
                                       struct bot_refusal *refusal)
{
    struct text problem;

    text_start(&problem, refusal->message, sizeof refusal->message);
    refusal->outcome = BOT_BAD_HELLO;
    return bot_line_read_hello(line, hello, &problem) == 0 ? BOT_ACCEPT : BOT_REFUSE;
}

enum bot_verdict seat_reply_take_line(struct seat_reply *reply, struct span line, uint64_t id,
                                      bool may_talk, struct bot_refusal *refusal)
{
    struct bot_line_reply read = bot_line_read_reply(line);

    switch (read.kind) {
    case BOT_LINE_SAY:
        if (!may_talk)
            return refuse(refusal, BOT_ILLEGAL, "texts are not allowed in this match (talk=off)");
        if (reply->say_count == BOT_LINE_SAYS_MAX)
            return refuse(refusal, BOT_FLOOD,
                          "it sent more than two `say` lines before one answer");
        memcpy(reply->says[reply->say_count], read.text.start, read.text.length);
        reply->says[reply->say_count++][read.text.length] = '\0';
        return BOT_MORE_TO_COME;
    case BOT_LINE_REPLY:
        if (read.id != id)
            return refuse(refusal, BOT_UNASKED,
                          "it answered question %llu while question %llu was open",
                          (unsigned long long)read.id, (unsigned long long)id);
        if (!read.is_answer)
            return refuse(refusal, BOT_UNREADABLE,
                          "what follows the number is not an answer of the protocol: one of its "
                          "verbs and what belongs to it, one blank between two words, cells of "
                          "`clear` in the order A1 B1 ... E1 A2 ... E3");
        reply->answer = read.answer;
        return BOT_ACCEPT;
    case BOT_LINE_UNREADABLE:
        break;
    }
    return refuse(refusal, BOT_UNREADABLE, "it is neither `ID ANSWER` nor `say TEXT`");
}

enum bot_verdict seat_reply_judged(enum allegra_refusal judgement, struct bot_refusal *refusal)
{
    if (judgement == ALLEGRA_REFUSAL_NONE)
        return BOT_ACCEPT;
    return refuse(refusal, BOT_ILLEGAL, "the rules do not allow it: %s",
                  allegra_refusal_text(judgement));
}
