/* Why a document cannot be read. The parser has taken everything up to some byte; from there on
 * this file reads by itself, with the same grammar, until it comes to what is wrong, and says
 * so. It is never run on a document without a fault, and it looks at one step only: the blanks,
 * the comma or colon, and the value or key that should follow. */

#include "wire/json_private.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

/* The byte at `at`; NUL past the end, where no rule expects one. */
static char byte_at(struct span source, size_t at)
{
    return at < source.length ? source.start[at] : '\0';
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_hex(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

/* The end of the comment that begins at `at`; `at` itself if there is none or if it is not
 * closed. */
static size_t skip_comment(struct span source, size_t at)
{
    const char *start = source.start + at;
    size_t left = source.length - at;
    const char *end;

    if (left >= 2 && start[0] == '/' && start[1] == '/') {
        end = memchr(start, '\n', left);
        return end != NULL ? at + (size_t)(end - start) : source.length;
    }
    if (left >= 2 && start[0] == '/' && start[1] == '*') {
        end = memmem(start + 2, left - 2, "*/", 2);
        return end != NULL ? at + (size_t)(end - start) + 2 : at;
    }
    return at;
}

size_t json_skip_blanks(struct span source, size_t at)
{
    while (at < source.length) {
        char byte = source.start[at];
        bool is_blank = byte == ' ' || (byte >= '\t' && byte <= '\r');
        size_t next = is_blank ? at + 1 : skip_comment(source, at);

        if (next == at)
            break;
        at = next;
    }
    return at;
}

static bool is_escape(struct span source, size_t at)
{
    if (byte_at(source, at + 1) != 'u')
        return at + 1 < source.length && source.start[at + 1] != '\0' &&
               strchr("\"\\/bfnrt", source.start[at + 1]) != NULL;
    for (size_t i = 2; i < 6; i++) {
        if (!is_hex(byte_at(source, at + i)))
            return false;
    }
    return true;
}

const char *json_text_fault(struct span source, size_t start, size_t *at)
{
    size_t i = start + 1;

    while (i < source.length && source.start[i] != '"') {
        uint8_t byte = (uint8_t)source.start[i];
        size_t letter = utf8_length((const uint8_t *)source.start + i, source.length - i);

        *at = i;
        if (byte == '\n' || byte == '\r')
            break;
        if (byte < ' ')
            return "write a control character in a text as \\t, \\n or \\u and four digits";
        if (letter == 0)
            return "this byte is not UTF-8: save the file as UTF-8";
        if (byte == '\\' && !is_escape(source, i))
            return "after a backslash comes one of \" \\ / b f n r t, or u and four "
                   "hexadecimal digits; a backslash itself is \\\\";
        i += byte == '\\' ? 2 : letter;
    }
    if (byte_at(source, i) == '"')
        return NULL;
    *at = start;
    return "this text has no closing quote on its line";
}

static const char *number_fault(struct span source, size_t start, size_t *at)
{
    size_t i = start + (byte_at(source, start) == '-');

    for (; is_digit(byte_at(source, i)); i++)
        continue;
    *at = start;
    return byte_at(source, i) == '.' || (byte_at(source, i) | 0x20) == 'e' || i == start + 1
               ? "this number is not complete: a digit is missing"
               : NULL;
}

static bool begins_with(struct span source, const char *bytes)
{
    size_t length = strlen(bytes);

    return source.length >= length && memcmp(source.start, bytes, length) == 0;
}

/* What is wrong at a byte where a value should begin. */
static const char *value_fault(struct span source, size_t start, size_t *at)
{
    char byte = byte_at(source, start);

    *at = start;
    if (start == 0 && begins_with(source, "\xef\xbb\xbf"))
        return "the file begins with a byte order mark: save it as UTF-8 without one";
    if (start == 0 && (begins_with(source, "\xff\xfe") || begins_with(source, "\xfe\xff")))
        return "the file is UTF-16: save it as UTF-8";
    if (byte == '"')
        return json_text_fault(source, start, at);
    if (byte == '-' || is_digit(byte))
        return number_fault(source, start, at);
    if (byte == '\'')
        return "texts are written in double quotes";
    if (byte == '+')
        return "a number has no plus sign";
    return "expected a value: a text in double quotes, a number, true, false, null, a list or a "
           "map";
}

static const char *slash_fault(struct span source, size_t at)
{
    return byte_at(source, at + 1) == '*' ? "this comment has no end: */ is missing"
                                          : "a comment begins with // or with /*";
}

/* Adds "the list that begins in line 3". */
static void add_inside(const struct json_progress *progress, struct text *problem)
{
    text_add(problem, progress->inside->kind == JSON_MAP ? "the map" : "the list");
    text_add(problem, " that begins in line ");
    text_add_number(problem, json_place_at(progress->source, progress->inside->at).line);
}

static size_t report(struct text *problem, const char *why, size_t at)
{
    text_add(problem, why);
    return at;
}

/* Inside a list or map, after a value, where a comma is missing. */
static size_t tell_no_comma(const struct json_progress *progress, size_t at, struct text *problem)
{
    char byte = byte_at(progress->source, at);

    if (byte == ']' || byte == '}') {
        add_inside(progress, problem);
        return report(problem,
                      byte == ']' ? " ends with }, not with ]" : " ends with ], not with }", at);
    }
    if (at == progress->end && is_digit(byte) && is_digit(progress->source.start[at - 1]))
        return report(problem, "a number has no leading zeros", at);
    text_add(problem, "expected a comma before this, or the end of ");
    add_inside(progress, problem);
    return at;
}

/* A key or value is due at `at`; `comma` is the comma before it, if there is one. */
static size_t tell_no_value(const struct json_progress *progress, size_t at, size_t comma,
                            struct text *problem)
{
    const char *fault;
    char byte = byte_at(progress->source, at);
    bool is_map = progress->inside != NULL && progress->inside->kind == JSON_MAP;
    bool is_key = is_map && progress->last != JSON_LAST_KEY;

    if ((byte == ']' || byte == '}') && comma != JSON_NO_PLACE)
        return report(problem, "nothing follows this comma: remove it", comma);
    if (byte == ',')
        return report(problem, "there is an extra comma", at);
    if (is_key && byte != '"')
        return report(problem, "expected a key in double quotes", at);
    if (is_map && !is_key && byte == '}')
        return report(problem, "the key before this has no value", at);
    if (progress->inside != NULL && progress->last == JSON_LAST_OPEN &&
        (byte == ']' || byte == '}'))
        return tell_no_comma(progress, at, problem);
    fault = value_fault(progress->source, at, &at);
    return report(problem, fault != NULL ? fault : "this cannot be read", at);
}

static size_t tell_end(const struct json_progress *progress, struct text *problem)
{
    if (progress->inside == NULL)
        return report(problem, "there is nothing in the file", 0);
    text_add(problem, "the file ends here, but ");
    add_inside(progress, problem);
    text_add(problem, " does not");
    return progress->source.length;
}

size_t json_find_fault(const struct json_progress *progress, struct text *problem)
{
    struct span source = progress->source;
    size_t at = json_skip_blanks(source, progress->end);
    size_t comma = JSON_NO_PLACE;
    bool has_colon = false;
    bool is_behind = progress->last == JSON_LAST_VALUE && progress->inside != NULL;

    if (is_behind && byte_at(source, at) == ',') {
        comma = at;
        at = json_skip_blanks(source, at + 1);
    } else if (progress->last == JSON_LAST_KEY && byte_at(source, at) == ':') {
        has_colon = true;
        at = json_skip_blanks(source, at + 1);
    }
    if (at == source.length)
        return tell_end(progress, problem);
    if (source.start[at] == '/')
        return report(problem, slash_fault(source, at), at);
    if (progress->last == JSON_LAST_KEY && !has_colon)
        return report(problem, "expected a colon between the key and its value", at);
    if (is_behind && comma == JSON_NO_PLACE)
        return tell_no_comma(progress, at, problem);
    if (progress->last == JSON_LAST_VALUE && progress->inside == NULL)
        return report(problem, "this comes after the end of the document", at);
    return tell_no_value(progress, at, comma, problem);
}
