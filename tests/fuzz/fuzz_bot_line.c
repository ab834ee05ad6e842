/* Any bytes as a line of a bot: read as a reply and as a hello, and what could be read is written
 * back to the same words. */

#include "wire/bot_line.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_answer(struct span line, const struct bot_line_reply *reply)
{
    char words[64];
    struct text text;

    text_start(&text, words, sizeof words);
    text_add_number(&text, (long)reply->id);
    text_add_char(&text, ' ');
    answer_write(&text, reply->answer);
    if (text.length != line.length || memcmp(words, line.start, line.length) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span line = {(const char *)data, size};
    struct bot_line_reply reply = bot_line_read_reply(line);
    struct bot_line_hello hello;
    char words[200];
    struct text problem;

    if (reply.kind == BOT_LINE_REPLY && reply.is_answer)
        check_answer(line, &reply);
    text_start(&problem, words, sizeof words);
    if (bot_line_read_hello(line, &hello, &problem) != 0 && problem.length == 0)
        abort();
    return 0;
}
