/* Requests of the control protocol: which lines are read, and the errors for all others. */

#include "wire/request.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct request request;
static struct request_error error;

static int read_line(const char *line)
{
    memset(&request, 'x', sizeof request);
    memset(&error, 0, sizeof error);
    return request_read(&request, span_of(line), &error);
}

/* All that was read, in one canonical line. */
static const char *written(void)
{
    static char buffer[2 * REQUEST_LINE_MAX];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    text_add(&text, request_forms[request.verb].name);
    for (unsigned i = 0; i < request.argument_count; i++) {
        text_add_char(&text, ' ');
        request_add_quoted(&text, request.arguments[i]);
    }
    for (unsigned i = 0; i < request.pair_count; i++) {
        text_add_char(&text, ' ');
        text_add(&text, request.pairs[i].key->name);
        text_add_char(&text, '=');
        request_add_quoted(&text, request.pairs[i].value);
    }
    return buffer;
}

static const char *const good_lines[] = {
    "hello 1",
    "hello 2 token=0123456789abcdef",
    "help",
    "submit alpha command=\"python3 bot.py\"",
    "submit alpha command=\"say \\\"a \\\\ b\\\"\" folder=/home/me memory_mb=64 build=make",
    "submit alpha file=bot.py bytes=16777216 command=\"python3 bot.py\"",
    "submit alpha remote=yes",
    "match alpha beta",
    "match a b c d e f edition=en2020 set=\"rounds=3\" set=\"knock=off\" title=\"a b\"",
    "match a b rounds=3 deals=2 seatings=all move_ms=1 start_ms=86400000 bank_ms=0 clock=fair",
    "tournament bytes=1048576",
    "status",
    "status 17",
    "queue all=yes user=guest limit=10000",
    "bots alpha",
    "watch",
    "watch off",
    "cancel 17",
    "result 17 format=json",
    "log 17 3.1",
    "play alpha",
    "fetch alpha",
    "shutdown now=yes",
};

Test(request, good_lines_are_read_and_written_back)
{
    for (size_t i = 0; i < ARRAY_LEN(good_lines); i++) {
        cr_expect_eq(read_line(good_lines[i]), 0, "%s: %s", good_lines[i], error.message);
        cr_expect_str_eq(written(), good_lines[i]);
        cr_expect_not(request.is_block_unknown, "%s", good_lines[i]);
    }
}

static const struct {
    const char *line;
    enum request_error_code code;
    const char *message;
} bad_lines[] = {
    {"", REQUEST_ERROR_UNREADABLE, "the line is empty"},
    {" help", REQUEST_ERROR_UNREADABLE,
     "arguments are separated by one space, with none at the end"},
    {"help ", REQUEST_ERROR_UNREADABLE,
     "arguments are separated by one space, with none at the end"},
    {"match a  b", REQUEST_ERROR_UNREADABLE,
     "arguments are separated by one space, with none at the end"},
    {"help\tme", REQUEST_ERROR_UNREADABLE, "byte 5 is not printable ASCII"},
    {"help\r", REQUEST_ERROR_UNREADABLE, "byte 5 is not printable ASCII"},
    {"bots n\xc3\xb6", REQUEST_ERROR_UNREADABLE, "byte 7 is not printable ASCII"},
    {"all=yes", REQUEST_ERROR_UNREADABLE, "a line begins with the name of a request"},
    {"bots \"a", REQUEST_ERROR_UNREADABLE, "the quotes have no end"},
    {"bots \"a\\\"", REQUEST_ERROR_UNREADABLE, "the quotes have no end"},
    {"bots \"a\\", REQUEST_ERROR_UNREADABLE, "in quotes a \\ stands only before \" or another \\"},
    {"bots \"a\\n\"", REQUEST_ERROR_UNREADABLE,
     "in quotes a \\ stands only before \" or another \\"},
    {"bots \"a\"b", REQUEST_ERROR_UNREADABLE, "only a space may follow a closing quote"},
    {"bots a\"b\"", REQUEST_ERROR_UNREADABLE,
     "a quote stands only at the beginning of a word or value"},
    {"queue all=yes off", REQUEST_ERROR_UNREADABLE, "arguments come before keys"},
    {"GET / HTTP/1.1", REQUEST_ERROR_UNKNOWN, "there is no request \"GET\""},
    {"Help", REQUEST_ERROR_UNKNOWN, "there is no request \"Help\"; did you mean help?"},
    {"submitt a", REQUEST_ERROR_UNKNOWN, "there is no request \"submitt\"; did you mean submit?"},
    {"help me", REQUEST_ERROR_VALUE, "the request is: help"},
    {"cancel", REQUEST_ERROR_VALUE, "the request is: cancel JOB"},
    {"cancel 1 2", REQUEST_ERROR_VALUE, "the request is: cancel JOB"},
    {"cancel \"\"", REQUEST_ERROR_VALUE, "the request is: cancel JOB"},
    {"log 1", REQUEST_ERROR_VALUE, "the request is: log JOB BLOCK.MATCH"},
    {"tournament", REQUEST_ERROR_VALUE, "the length of the block is missing: bytes=N"},
    {"submit a file=b", REQUEST_ERROR_VALUE, "the length of the block is missing: bytes=N"},
    {"queue al=yes", REQUEST_ERROR_VALUE, "queue has no key \"al\"; did you mean all?"},
    {"help all=yes", REQUEST_ERROR_VALUE, "help has no key \"all\""},
    {"queue all=no", REQUEST_ERROR_VALUE, "all takes yes, not \"no\""},
    {"queue all=yes all=yes", REQUEST_ERROR_VALUE, "all occurs twice"},
    {"queue user=", REQUEST_ERROR_VALUE, "user takes a text, not \"\""},
    {"queue limit=0", REQUEST_ERROR_VALUE, "limit takes 1 to 10000, not \"0\""},
    {"queue limit=-1", REQUEST_ERROR_VALUE, "limit takes 1 to 10000, not \"-1\""},
    {"queue limit=007", REQUEST_ERROR_VALUE, "limit takes 1 to 10000, not \"007\""},
    {"queue limit=99999999999999999999", REQUEST_ERROR_VALUE,
     "limit takes 1 to 10000, not \"99999999999999999999\""},
    {"submit a file=b bytes=16777217", REQUEST_ERROR_TOO_LARGE,
     "submit takes at most 16777216 bytes"},
    {"tournament bytes=1048577", REQUEST_ERROR_TOO_LARGE, "tournament takes at most 1048576 bytes"},
    {"tournament bytes=0", REQUEST_ERROR_VALUE, "bytes takes 1 to 1048576, not \"0\""},
    {"tournament bytes=x", REQUEST_ERROR_VALUE, "bytes takes 1 to 1048576, not \"x\""},
    {"tournament bytes=1 bytes=1", REQUEST_ERROR_VALUE, "bytes occurs twice"},
};

Test(request, each_bad_line_is_refused_with_its_reason)
{
    for (size_t i = 0; i < ARRAY_LEN(bad_lines); i++) {
        cr_expect_eq(read_line(bad_lines[i].line), -1, "%s", bad_lines[i].line);
        cr_expect_eq(error.code, bad_lines[i].code, "%s: %s", bad_lines[i].line,
                     request_error_name(error.code));
        cr_expect_str_eq(error.message, bad_lines[i].message, "%s: %s", bad_lines[i].line,
                         error.message);
    }
}

/* Where the next line begins; -1: nobody knows. */
static const struct {
    const char *line;
    long block;
} blocks[] = {
    {"help", 0},
    {"tournament bytes=5", 5},
    {"tournament bytes=0", 0},
    {"tournament", -1},
    {"tournament bytes=x", -1},
    {"tournament bytes=-5", -1},
    {"tournament bytes=5 bytes=6", -1},
    {"tournament bytes=1048577", 1048577},
    {"tournament bytes=99999999999999999999", -1},
    {"submit a command=b", 0},
    {"submit a file=b", -1},
    {"submit a file=b bytes=7 colour=red", 7},
    {"submit a command=\"b bytes=7\"", 0},
    {"submit a command=\"b bytes=7", -1},
    {"submit a bytes=7 command=\"b", -1},
    {"nonsense bytes=12", 12},
    {"help bytes=3", 3},
    {"bots \"a", 0},
};

Test(request, where_the_next_line_begins_is_known_or_reported_as_unknown)
{
    for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
        (void)read_line(blocks[i].line);
        cr_expect_eq(request.is_block_unknown, blocks[i].block < 0, "%s", blocks[i].line);
        cr_expect_eq(request.is_followed ? (long)request.block_length : 0,
                     blocks[i].block < 0 ? 0 : blocks[i].block, "%s", blocks[i].line);
    }
}

Test(request, a_line_has_at_most_so_many_bytes_words_and_keys)
{
    static char line[REQUEST_LINE_MAX + 2];
    struct text text;

    memset(line, 'a', sizeof line - 1);
    memcpy(line, "bots ", 5);
    cr_expect_eq(read_line(line), -1);
    cr_expect_eq(error.code, REQUEST_ERROR_TOO_LONG);
    cr_expect(request.is_block_unknown);
    line[REQUEST_LINE_MAX] = '\0';
    cr_expect_eq(read_line(line), 0);
    cr_expect_eq(strlen(request.arguments[0]), REQUEST_LINE_MAX - 5);
    text_start(&text, line, sizeof line);
    text_add(&text, "match a b");
    for (unsigned i = 0; i < REQUEST_PAIRS_MAX; i++)
        text_add(&text, " set=a");
    cr_expect_eq(read_line(line), 0, "%s", error.message);
    text_add(&text, " set=a");
    cr_expect_eq(read_line(line), -1);
    cr_expect_str_eq(error.message, "there are too many keys");
    for (unsigned i = 0; i < REQUEST_ARGUMENTS_MAX; i++)
        text_add(&text, " set=a");
    cr_expect_eq(read_line(line), -1);
    cr_expect_str_eq(error.message, "the line has too many arguments");
}

Test(request, keys_are_found_by_name)
{
    cr_assert_eq(read_line("match a b move_ms=250 set=knock=off title=\"\\\"x\\\"\""), 0);
    cr_expect_eq(request_number(&request, "move_ms", 7), 250);
    cr_expect_eq(request_number(&request, "bank_ms", 7), 7);
    cr_expect_str_eq(request_text(&request, "set"), "knock=off");
    cr_expect_str_eq(request_text(&request, "title"), "\"x\"");
    cr_expect_null(request_text(&request, "clock"));
}

static const struct {
    const char *value;
    const char *written;
} texts[] = {
    {"plain", "plain"},
    {"", "\"\""},
    {"two words", "\"two words\""},
    {"a=b", "\"a=b\""},
    {"\"\\", "\"\\\"\\\\\""},
    {"n\xc3\xb6\n\x1b[0m\xff", "n???[0m?"},
};

Test(request, values_are_made_printable_and_quoted)
{
    char buffer[100];
    struct text text;

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        text_start(&text, buffer, sizeof buffer);
        request_add_quoted(&text, texts[i].value);
        cr_expect_str_eq(buffer, texts[i].written);
    }
}

Test(request, the_table_is_complete_and_the_help_shows_all_of_it)
{
    static char help[REQUEST_HELP_MAX];
    struct text text;

    text_start(&text, help, sizeof help);
    request_add_help(&text);
    cr_assert_not(text.is_cut);
    for (size_t i = 0; i < REQUEST_VERB_COUNT; i++) {
        const struct request_form *form = &request_forms[i];
        char usage[1000];

        text_start(&text, usage, sizeof usage);
        request_add_usage(&text, form);
        text_add_char(&text, '\n');
        cr_expect_not_null(strstr(help, usage), "%s", form->name);
        cr_expect_not_null(strstr(help, form->meaning), "%s", form->name);
        cr_expect_leq(form->most_arguments, REQUEST_ARGUMENTS_MAX);
        cr_expect_null(form->keys[REQUEST_KEYS_MAX - 1].name, "%s", form->name);
    }
}
