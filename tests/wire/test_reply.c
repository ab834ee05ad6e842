/* Replies of the control protocol: what the daemon writes, clients read. */

#include "wire/reply.h"
#include "wire/reply_error.h"
#include "wire/request.h"

#include <criterion/criterion.h>

Test(reply, each_kind_is_known_by_its_first_word)
{
    struct reply reply;
    char line[40];

    for (enum reply_kind kind = REPLY_OK; kind < REPLY_LOST; kind++) {
        struct text text;

        text_start(&text, line, sizeof line);
        text_printf(&text, "%s 12 more", reply_name(kind));
        reply_read(&reply, line);
        cr_expect_eq(reply.kind, kind, "%s", line);
        cr_expect_str_eq(reply.text, kind == REPLY_BLOCK ? "more" : "12 more");
        cr_expect_eq(reply.length, kind == REPLY_BLOCK ? 12 : 0);
    }
    reply_read(&reply, "OK");
    cr_expect_eq(reply.kind, REPLY_LOST);
    reply_read(&reply, "block x");
    cr_expect_eq(reply.kind, REPLY_LOST);
}

Test(reply, a_quoted_value_is_found_by_its_key)
{
    static const char *const values[] = {"", "a b", "say \"x\" \\ y", "a=b", "plain"};

    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        char line[100], found[100];
        struct text text;
        struct reply reply;

        text_start(&text, line, sizeof line);
        text_add(&text, "ok word first=1 title=");
        request_add_quoted(&text, values[i]);
        text_add(&text, " last=2");
        reply_read(&reply, line);
        text_start(&text, found, sizeof found);
        reply_find(&reply, "title", &text);
        cr_expect_str_eq(found, values[i]);
        text_start(&text, found, sizeof found);
        reply_find(&reply, "last", &text);
        cr_expect_str_eq(found, "2");
    }
}

Test(reply, an_error_keeps_its_class_and_message)
{
    for (enum reply_error_code code = REPLY_ERROR_UNREADABLE; code < REPLY_ERROR_CODE_COUNT;
         code++) {
        struct reply_error error;
        char line[200];
        struct text text;
        struct reply reply;
        const char *message;

        (void)reply_error_set(&error, code, "no\n%d", 7);
        text_start(&text, line, sizeof line);
        reply_error_write(&text, &error);
        reply_read(&reply, line);
        cr_expect_eq(reply.kind, REPLY_ERROR);
        cr_expect_eq(reply_error_read(reply.text, &message), reply_error_class(code));
        cr_expect_str_eq(message, "no?7");
    }
}

Test(reply, a_written_request_is_read_as_it_was_meant)
{
    struct request_line line, keys;
    struct request request;
    struct reply_error error;

    request_line_start(&line, REQUEST_MATCH);
    request_line_start(&keys, REQUEST_MATCH);
    request_line_add(&keys, "set", "knock=off");
    request_line_add(&keys, "title", "a \"b\" \\");
    request_line_add_number(&keys, "deals", 12);
    request_line_add(&line, NULL, "anna");
    request_line_add(&line, NULL, "bert");
    request_line_append(&line, &keys);
    cr_assert_eq(request_read(&request, span_of(line.bytes), &error), 0, "%s", error.message);
    cr_expect_str_eq(request.words[1], "bert");
    cr_expect_str_eq(request_text(&request, "set"), "knock=off");
    cr_expect_str_eq(request_text(&request, "title"), "a \"b\" \\");
    cr_expect_eq(request_number(&request, "deals", 0), 12);
    cr_expect(line.is_printable);
    request_line_add(&line, "clock", "f\xc3\xa4ir");
    cr_expect_not(line.is_printable);
}
