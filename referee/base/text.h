#ifndef REFEREE_BASE_TEXT_H
#define REFEREE_BASE_TEXT_H

/* Text without an allocator: a builder over the caller's buffer, and readers over a borrowed span.
 * Pure: nothing but string.h below it, so the game library can ship it. */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

/* A growing string in a buffer that the caller owns. Always NUL-terminated. Text that does not fit
 * is left out, and `is_cut` says so; nothing is ever written past `capacity`. */
struct text {
    char *buffer;
    size_t length;
    size_t capacity;
    bool is_cut;
};

/* Begins an empty text in `buffer`; `capacity` counts the final NUL and is at least 1. */
void text_start(struct text *text, char *buffer, size_t capacity);

/* In the header, because every line of the protocol is put together from these: so the compiler
 * knows the lengths of the literal pieces. */
static inline void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
    size_t room = text->capacity - text->length - 1;

    if (length > room) {
        length = room;
        text->is_cut = true;
    }
    if (length > 0)
        memcpy(text->buffer + text->length, bytes, length);
    text->length += length;
    text->buffer[text->length] = '\0';
}

static inline void text_add(struct text *text, const char *string)
{
    text_add_bytes(text, string, strlen(string));
}

static inline void text_add_char(struct text *text, char character)
{
    text_add_bytes(text, &character, 1);
}

void text_add_number(struct text *text, long number);

/* Adds what printf() would print. Not for the inner loop of a match, where the functions above are
 * several times as fast, and not in the game library, which has no stdio. */
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a number with that many digits after the point, at most 9, whatever the locale; halves are
 * rounded away from 0. Returns false and adds nothing if it is not finite, or has no room in 18
 * digits. */
bool text_add_decimal(struct text *text, double value, unsigned digits);

/* A borrowed piece of a text, not NUL-terminated. */
struct span {
    const char *start;
    size_t length;
};

/* Adds untrusted text in double quotes, for a message: at most 60 characters of it, and `?` for
 * each that is not printable ASCII. */
void text_add_quoted(struct text *text, struct span word);

struct span span_of(const char *string);
bool span_is(struct span span, const char *word);

/* Whether it can be the name of a bot, a user or a file: 1 to `most` letters, digits, `.`, `-`
 * and `_` of ASCII, the first a letter or digit. */
bool span_is_name(struct span span, size_t most);

/* Cuts the next piece up to `separator` off the front of `rest` and returns it; `rest` is left
 * after the separator. Without one, the piece is all of `rest` and `rest->start` becomes NULL. */
struct span span_cut(struct span *rest, char separator);

/* Cuts the next word off `rest`, skipping spaces, tabs and line ends before it. An empty span says
 * that there is none left. */
struct span span_cut_word(struct span *rest);

/* Reads all of `span` as a decimal number with an optional minus sign, no plus sign and no leading
 * zeros, from `least` to `most`. Returns 0, or -1 and leaves `number` alone. */
int span_read_number(struct span span, long least, long most, long *number);

/* How many changes of a single character (insert, delete, replace) lead from one word to the
 * other. Words over 63 characters count as far apart: the longer length. */
size_t text_distance(struct span one, struct span other);

/* The name in `names` that is nearest to `word`, or NULL if all are further than half of the
 * longer of the two words. */
const char *text_nearest(struct span word, const char *const *names, size_t count);

#endif
