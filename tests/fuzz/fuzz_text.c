/* Splits any bytes into words, pieces and numbers and checks what always holds. */

#include "base/text.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* A number that is read must be written as the same bytes. */
static void check_number(struct span word)
{
    char buffer[32];
    struct text text;
    long number;

    if (span_read_number(word, LONG_MIN, LONG_MAX, &number) != 0)
        return;
    text_start(&text, buffer, sizeof buffer);
    text_add_number(&text, number);
    check(!text.is_cut && span_is(word, buffer));
}

static void check_distance(struct span one, struct span other)
{
    size_t longer = one.length > other.length ? one.length : other.length;
    size_t distance = text_distance(one, other);

    check(distance == text_distance(other, one));
    check(distance <= longer);
    check(distance >= longer - (one.length + other.length - longer) || longer > 63);
}

static void check_words(struct span rest)
{
    struct span last = {NULL, 0};
    struct span word = span_cut_word(&rest);

    while (word.length > 0) {
        check_number(word);
        check_distance(last, word);
        last = word;
        word = span_cut_word(&rest);
    }
    check(rest.length == 0);
}

/* The pieces and their separators must be as long as the whole. */
static void check_pieces(struct span rest)
{
    size_t whole = rest.length;
    size_t sum = 0;

    for (size_t i = 0; rest.start != NULL; i++)
        sum += span_cut(&rest, ',').length + (i > 0);
    check(sum == whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct span whole = {(const char *)bytes, length};
    char buffer[20];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    text_add_bytes(&text, whole.start, whole.length);
    check(text.is_cut == (length >= sizeof buffer) && buffer[text.length] == '\0');
    check_words(whole);
    if (length > 0)
        check_pieces(whole);
    return 0;
}
