/* What a bot writes: a hello, then replies and `say` lines. A line is exactly one of these kinds,
 * or it is unreadable. Nothing is tolerated but a carriage return before the line end, which the
 * line buffer removes. */

#include "wire/bot_line.h"
#include "game/game_text.h"

#include <string.h>

#define ID_DIGITS_MAX 18

bool bot_line_is_plain(struct span line)
{
    for (size_t i = 0; i < line.length; i++) {
        if (line.start[i] < ' ' || line.start[i] > '~')
            return false;
    }
    return true;
}

static int read_id(struct span word, uint64_t *id)
{
    uint64_t number = 0;

    if (word.length == 0 || word.length > ID_DIGITS_MAX || word.start[0] == '0')
        return -1;
    for (size_t i = 0; i < word.length; i++) {
        if (word.start[i] < '0' || word.start[i] > '9')
            return -1;
        number = 10 * number + (uint64_t)(word.start[i] - '0');
    }
    *id = number;
    return 0;
}

struct bot_line_reply bot_line_read_reply(struct span line)
{
    struct bot_line_reply reply = {.kind = BOT_LINE_UNREADABLE};
    struct span rest = line;
    struct span first = span_cut(&rest, ' ');

    if (!bot_line_is_plain(line))
        return reply;
    if (span_is(first, "say") && rest.start != NULL && rest.length > 0 &&
        rest.length <= BOT_LINE_SAY_MAX) {
        reply.kind = BOT_LINE_SAY;
        reply.text = rest;
    } else if (rest.start != NULL && read_id(first, &reply.id) == 0) {
        reply.kind = BOT_LINE_REPLY;
        reply.is_answer = answer_read(rest, &reply.answer) == 0;
    }
    return reply;
}

static bool is_name_char(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '-' || byte == '.';
}

static int read_name(struct span word, char *name, struct text *problem)
{
    bool is_fine = word.length >= 1 && word.length <= BOT_LINE_NAME_MAX;

    for (size_t i = 0; is_fine && i < word.length; i++)
        is_fine = is_name_char(word.start[i]);
    if (!is_fine) {
        text_add(problem, "a name has 1 to 32 letters, digits, dots, dashes or underscores, not ");
        text_add_quoted(problem, word);
        return -1;
    }
    memcpy(name, word.start, word.length);
    name[word.length] = '\0';
    return 0;
}

/* Unknown options are ignored: that is how the protocol grows. */
static int read_option(struct span pair, struct bot_line_options *options, struct text *problem)
{
    struct span value = pair;
    struct span name = span_cut(&value, '=');
    bool *const members[] = {&options->has_table, &options->has_events, &options->has_legal,
                             &options->has_reuse};
    static const char *const names[] = {"table", "events", "legal", "reuse"};

    if (value.start == NULL || name.length == 0) {
        text_add(problem, "after the name come options of the form key=value, not ");
        text_add_quoted(problem, pair);
        return -1;
    }
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!span_is(name, names[i]))
            continue;
        if (!span_is(value, "on") && !span_is(value, "off")) {
            text_add(problem, names[i]);
            text_add(problem, " can be on or off, not ");
            text_add_quoted(problem, value);
            return -1;
        }
        *members[i] = span_is(value, "on");
    }
    return 0;
}

int bot_line_read_hello(struct span line, struct bot_line_hello *hello, struct text *problem)
{
    struct span rest = line;

    *hello = (struct bot_line_hello){.options = {.has_table = true, .has_events = true}};
    if (!bot_line_is_plain(line) || !span_is(span_cut(&rest, ' '), "hello") || rest.start == NULL) {
        text_add(problem, "the first line of a bot is `hello NAME`, not ");
        text_add_quoted(problem, line);
        return -1;
    }
    if (read_name(span_cut(&rest, ' '), hello->name, problem) != 0)
        return -1;
    while (rest.start != NULL) {
        if (read_option(span_cut(&rest, ' '), &hello->options, problem) != 0)
            return -1;
    }
    return 0;
}
