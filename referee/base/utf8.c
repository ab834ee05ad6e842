/* A table of the forms of UTF-8 decides whether bytes are a character, so that a character
 * has one form only: overlong forms and halves of surrogate pairs are bytes, not characters. */

#include "base/utf8.h"

#include "base/text.h"

/* The forms of a UTF-8 character, by its first byte. The second byte has narrower limits where a
 * form could also write a shorter character's number, half of a surrogate pair, or one past
 * U+10FFFF. */
static const struct letter_form {
    uint8_t first_least, first_most;
    uint8_t second_least, second_most;
    uint8_t length;
} letter_forms[] = {
    {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static const struct letter_form *form_of(uint8_t first)
{
    for (size_t i = 0; i < ARRAY_LEN(letter_forms); i++)
        if (first >= letter_forms[i].first_least && first <= letter_forms[i].first_most)
            return &letter_forms[i];
    return NULL;
}

size_t utf8_length(const uint8_t *bytes, size_t left)
{
    const struct letter_form *form = form_of(bytes[0]);

    if (form == NULL || form->length > left)
        return 0;
    if (form->length > 1 && (bytes[1] < form->second_least || bytes[1] > form->second_most))
        return 0;
    for (size_t i = 2; i < form->length; i++)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    return form->length;
}

uint32_t utf8_code_point(const uint8_t *bytes, size_t length)
{
    static const uint8_t first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t number = bytes[0] & first_bits[length];

    for (size_t i = 1; i < length; i++)
        number = number << 6 | (bytes[i] & 0x3f);
    return number;
}
