/* Replies of the control protocol: what the daemon writes, clients read. */

#include "wire/request_reply.h"
#include "wire/request_error.h"
#include "wire/request.h"

#include <criterion/criterion.h>

Test(request_reply, each_kind_is_known_by_its_first_word)
{
    struct request_reply reply;
    char line[40];

    for (enum request_reply_kind kind = REQUEST_REPLY_OK; kind < REQUEST_REPLY_LOST; kind++) {
        struct text text;

        text_start(&text, line, sizeof line);
        text_printf(&text, "%s 12 more", request_reply_name(kind));
        request_reply_read(&reply, line);
        cr_expect_eq(reply.kind, kind, "%s", line);
        cr_expect_str_eq(reply.text, kind == REQUEST_REPLY_BLOCK ? "more" : "12 more");
        cr_expect_eq(reply.length, kind == REQUEST_REPLY_BLOCK ? 12 : 0);
    }
    request_reply_read(&reply, "OK");
    cr_expect_eq(reply.kind, REQUEST_REPLY_LOST);
    request_reply_read(&reply, "block x");
    cr_expect_eq(reply.kind, REQUEST_REPLY_LOST);
}

Test(request_reply, a_quoted_value_is_found_by_its_key)
{
    static const char *const values[] = {"", "a b", "say \"x\" \\ y", "a=b", "plain"};

    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        char line[100], found[100];
        struct text text;
        struct request_reply reply;

        text_start(&text, line, sizeof line);
        text_add(&text, "ok word first=1 title=");
        request_add_quoted(&text, values[i]);
        text_add(&text, " last=2");
        request_reply_read(&reply, line);
        text_start(&text, found, sizeof found);
        request_reply_find(&reply, "title", &text);
        cr_expect_str_eq(found, values[i]);
        text_start(&text, found, sizeof found);
        request_reply_find(&reply, "last", &text);
        cr_expect_str_eq(found, "2");
    }
}

Test(request_reply, an_error_keeps_its_class_and_message)
{
    for (enum request_error_code code = REQUEST_ERROR_UNREADABLE; code < REQUEST_ERROR_CODE_COUNT;
         code++) {
        struct request_error error;
        char line[200];
        struct text text;
        struct request_reply reply;
        const char *message;

        (void)request_error_set(&error, code, "no\n%d", 7);
        text_start(&text, line, sizeof line);
        request_error_write(&text, &error);
        request_reply_read(&reply, line);
        cr_expect_eq(reply.kind, REQUEST_REPLY_ERROR);
        cr_expect_eq(request_error_read(reply.text, &message), request_error_class(code));
        cr_expect_str_eq(message, "no?7");
    }
}

Test(request_reply, a_written_request_is_read_as_it_was_meant)
{
    struct request_line line, keys;
    struct request request;
    struct request_error error;

    request_line_start(&line, REQUEST_MATCH);
    request_line_start(&keys, REQUEST_MATCH);
    request_line_add(&keys, "set", "knock=off");
    request_line_add(&keys, "title", "a \"b\" \\");
    request_line_add_number(&keys, "deals", 12);
    request_line_add(&line, NULL, "anna");
    request_line_add(&line, NULL, "bert");
    request_line_append(&line, &keys);
    cr_assert_eq(request_read(&request, span_of(line.bytes), &error), 0, "%s", error.message);
    cr_expect_str_eq(request.arguments[1], "bert");
    cr_expect_str_eq(request_text(&request, "set"), "knock=off");
    cr_expect_str_eq(request_text(&request, "title"), "a \"b\" \\");
    cr_expect_eq(request_number(&request, "deals", 0), 12);
    cr_expect(line.is_printable);
    request_line_add(&line, "clock", "f\xc3\xa4ir");
    cr_expect_not(line.is_printable);
}
