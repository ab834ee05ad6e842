/* Bytes as visible text, and back. */

#include "base/escape.h"

#include <criterion/criterion.h>
#include <string.h>

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
