/* The text module owns no memory. A `struct text` fills a buffer of the caller and is a proper C
 * string after every call; a `struct span` points into bytes of the caller and is only as valid as
 * they are. Readers never look past the length of a span, so that a line from a bot can be taken
 * apart where it lies. Nothing here can fail but by saying so: a text is cut, a number refused. */

#include "base/text.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#define DISTANCE_WORD_MAX 63
#define NUMBER_DIGITS_MAX 24

void text_start(struct text *text, char *buffer, size_t capacity)
{
    *text = (struct text){.buffer = buffer, .capacity = capacity};
    buffer[0] = '\0';
}

void text_add_number(struct text *text, long number)
{
    char digits[NUMBER_DIGITS_MAX];
    size_t start = sizeof digits;
    /* The size is taken without a sign because -LONG_MIN is no long. */
    unsigned long size = number < 0 ? 0UL - (unsigned long)number : (unsigned long)number;

    do {
        digits[--start] = (char)('0' + size % 10);
        size /= 10;
    } while (size > 0);
    if (number < 0)
        digits[--start] = '-';
    text_add_bytes(text, digits + start, sizeof digits - start);
}

bool text_add_decimal(struct text *text, double value, unsigned digits)
{
    char buffer[NUMBER_DIGITS_MAX];
    size_t start = sizeof buffer;
    double size = value < 0 ? -value : value;
    uint64_t number;

    for (unsigned i = 0; i < digits; i++)
        size *= 10;
    if (!(size < 1e18)) /* so that NaN is refused too */
        return false;
    number = (uint64_t)(size + 0.5);
    if (value < 0 && number > 0)
        text_add_char(text, '-');
    for (unsigned i = 0; i <= digits || number > 0; i++) {
        if (i == digits && digits > 0)
            buffer[--start] = '.';
        buffer[--start] = (char)('0' + number % 10);
        number /= 10;
    }
    text_add_bytes(text, buffer + start, sizeof buffer - start);
    return true;
}

struct span span_of(const char *string)
{
    return (struct span){string, strlen(string)};
}

bool span_is(struct span span, const char *word)
{
    size_t length = strlen(word);

    return span.length == length && (length == 0 || memcmp(span.start, word, length) == 0);
}

static bool is_letter_or_digit(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

bool span_is_name(struct span span, size_t most)
{
    if (span.length < 1 || span.length > most || !is_letter_or_digit(span.start[0]))
        return false;
    for (size_t i = 1; i < span.length; i++) {
        char byte = span.start[i];

        if (!is_letter_or_digit(byte) && byte != '.' && byte != '-' && byte != '_')
            return false;
    }
    return true;
}

struct span span_cut(struct span *rest, char separator)
{
    struct span piece = *rest;
    const char *end = rest->length > 0 ? memchr(rest->start, separator, rest->length) : NULL;

    if (end == NULL) {
        *rest = (struct span){NULL, 0};
        return piece;
    }
    piece.length = (size_t)(end - piece.start);
    rest->start = end + 1;
    rest->length -= piece.length + 1;
    return piece;
}

static bool is_blank(char character)
{
    return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

struct span span_cut_word(struct span *rest)
{
    struct span word;
    size_t start = 0;
    size_t end;

    while (start < rest->length && is_blank(rest->start[start]))
        start++;
    end = start;
    while (end < rest->length && !is_blank(rest->start[end]))
        end++;
    if (end == 0)
        return *rest;
    word = (struct span){rest->start + start, end - start};
    rest->start += end;
    rest->length -= end;
    return word;
}

static bool is_number_form(struct span digits, bool is_negative)
{
    if (digits.length == 0)
        return false;
    for (size_t i = 0; i < digits.length; i++)
        if (digits.start[i] < '0' || digits.start[i] > '9')
            return false;
    if (digits.start[0] == '0')
        return digits.length == 1 && !is_negative;
    return true;
}

int span_read_number(struct span span, long least, long most, long *number)
{
    bool is_negative = span.length > 0 && span.start[0] == '-';
    struct span digits = span;
    long value = 0;

    if (is_negative)
        digits = (struct span){span.start + 1, span.length - 1};
    if (!is_number_form(digits, is_negative))
        return -1;
    /* Counted below zero, where a long has one value more. */
    for (size_t i = 0; i < digits.length; i++) {
        long digit = digits.start[i] - '0';

        if (value < (LONG_MIN + digit) / 10)
            return -1;
        value = value * 10 - digit;
    }
    if (!is_negative && value < -LONG_MAX)
        return -1;
    if (!is_negative)
        value = -value;
    if (value < least || value > most)
        return -1;
    *number = value;
    return 0;
}

static size_t least_of(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* One row of the table of edit distances: row[j] leads from the characters of the first word up to
 * `character` to the first j characters of `other`. */
static void advance_row(uint8_t *row, char character, struct span other)
{
    size_t diagonal = row[0];

    row[0]++;
    for (size_t j = 0; j < other.length; j++) {
        size_t exchange = diagonal + (character != other.start[j]);

        diagonal = row[j + 1];
        row[j + 1] = (uint8_t)least_of(exchange, least_of(row[j], row[j + 1]) + 1);
    }
}

size_t text_distance(struct span one, struct span other)
{
    uint8_t row[DISTANCE_WORD_MAX + 1];

    if (one.length > DISTANCE_WORD_MAX || other.length > DISTANCE_WORD_MAX)
        return one.length > other.length ? one.length : other.length;
    for (size_t j = 0; j <= other.length; j++)
        row[j] = (uint8_t)j;
    for (size_t i = 0; i < one.length; i++)
        advance_row(row, one.start[i], other);
    return row[other.length];
}

const char *text_nearest(struct span word, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t nearest_distance = SIZE_MAX;

    for (size_t i = 0; i < count; i++) {
        struct span name = span_of(names[i]);
        size_t longer = name.length > word.length ? name.length : word.length;
        size_t distance = text_distance(word, name);

        if (distance <= longer / 2 && distance < nearest_distance) {
            nearest = names[i];
            nearest_distance = distance;
        }
    }
    return nearest;
}

void text_add_quoted(struct text *text, struct span word)
{
    const size_t most = 60;

    text_add_char(text, '"');
    for (size_t i = 0; i < word.length && i < most; i++) {
        bool is_plain = word.start[i] >= ' ' && word.start[i] <= '~';

        text_add_char(text, is_plain ? word.start[i] : '?');
    }
    text_add(text, word.length > most ? "...\"" : "\"");
}
