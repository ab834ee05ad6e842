/* Reads any bytes as a line of a bot, as a reply and as a hello. A valid answer must be the same
 * when it is written again. */

#include "wire/bot_line.h"
#include "game/game_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_answer(struct span line, const struct bot_line_reply *reply)
{
    char copy[64];
    struct text text;

    text_start(&text, copy, sizeof copy);
    text_add_number(&text, (long)reply->id);
    text_add_char(&text, ' ');
    answer_write(&text, reply->answer);
    if (text.length != line.length || memcmp(copy, line.start, line.length) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span line = {(const char *)data, size};
    struct bot_line_reply reply = bot_line_read_reply(line);
    struct bot_line_hello hello;
    char message[200];
    struct text problem;

    if (reply.kind == BOT_LINE_REPLY && reply.is_answer)
        check_answer(line, &reply);
    text_start(&problem, message, sizeof message);
    if (bot_line_read_hello(line, &hello, &problem) != 0 && problem.length == 0)
        abort();
    return 0;
}
