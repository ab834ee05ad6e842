/* Bytes as visible text, and back. */

#include "base/escape.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Test(escape, what_was_escaped_is_read_back_byte_by_byte)
{
    char bytes[256];
    char shown[sizeof bytes * ESCAPE_MAX + 1];
    char back[sizeof bytes];
    struct text text;
    size_t length;

    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    text_start(&text, shown, sizeof shown);
    escape_add(&text, (struct span){bytes, sizeof bytes});
    cr_assert_eq(escape_read(span_of(shown), back, sizeof back, &length), 0);
    cr_expect_eq(length, sizeof bytes);
    cr_expect_eq(memcmp(back, bytes, sizeof bytes), 0);
    cr_expect_eq(escape_read(span_of(shown), back, sizeof back - 1, &length), -1);
}

Test(escape, a_text_that_nobody_writes_is_refused)
{
    static const char *const texts[] = {"\\",    "\\x",  "\\x0",        "\\xzz", "\\n",
                                        "\\x41", "a\tb", "caf\xc3\xa9", "\\x0A"};
    char back[40];
    size_t length;

    for (unsigned i = 0; i < ARRAY_LEN(texts); i++)
        cr_expect_eq(escape_read(span_of(texts[i]), back, sizeof back, &length), -1, "%s",
                     texts[i]);
}

/* The second byte of the character commands a terminal of Latin-1. */
static const char *const one_character = "\\xe2\\x9b\\x84";

static void check_on_terminal(const char *language, const char *expected)
{
    char *shown;

    cr_assert_eq(setenv("LC_ALL", language, 1), 0);
    shown = escape_readable(one_character);
    cr_expect_str_eq(shown, expected, "%s", language);
    free(shown);
}

Test(escape, a_terminal_of_another_charset_gets_ascii)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    int other;

    cr_assert_geq(terminal, 0);
    cr_assert_eq(grantpt(terminal) + unlockpt(terminal), 0);
    other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    cr_assert_geq(other, 0);
    cr_assert_geq(dup2(other, STDOUT_FILENO), 0);
    check_on_terminal("de_DE", one_character);
    check_on_terminal("de_DE.ISO-8859-15", one_character);
    check_on_terminal("de_DE.UTF-8", "\xe2\x9b\x84");
    check_on_terminal("C.utf8", "\xe2\x9b\x84");
    check_on_terminal("C", "\xe2\x9b\x84");
}

Test(escape, lines_of_plain_text_are_shown_as_they_were_and_others_stay_escaped)
{
    static const char *const lines[][2] = {
        {"", ""},
        {"exit status 1", "exit status 1"},
        {"\\xe2\\x80\\x98main\\xe2\\x80\\x99\\x09end", "\xe2\x80\x98main\xe2\x80\x99\tend"},
        {"a\\\\b", "a\\b"},
        {"\\xc3\\xa4\n\\x1b[2J\\xc3\\xa4\n\nend", "\xc3\xa4\n\\x1b[2J\\xc3\\xa4\n\nend"},
        {"\\xc2\\x9b1m", "\\xc2\\x9b1m"}, /* a control of one character */
        {"caf\\xe9", "caf\\xe9"},
        {"C:\\new caf\xc3\xa9", "C:\\new caf\xc3\xa9"},
        {"\\xc3\\xa4\n", "\xc3\xa4\n"},
    };

    for (unsigned i = 0; i < ARRAY_LEN(lines); i++) {
        char *shown = escape_readable(lines[i][0]);

        cr_expect_str_eq(shown, lines[i][1]);
        free(shown);
    }
}
