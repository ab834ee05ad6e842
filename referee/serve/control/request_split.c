/* A line is cut at single spaces. Quotes and escapes are resolved while the letters are copied, so that each
 * piece is a string of its own. A piece is a pair if it begins with a key and `=`; everything else is a
 * word, and so is whatever begins with a quote. */

#include "serve/control/request_private.h"

struct cutter {
    struct span rest;
    char *end; /* of what was copied */
    struct serve_error *error;
};

static bool is_key_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || letter == '_';
}

/* The key before the first `=` of what is left; empty if there is none. */
static struct span key_ahead(struct span rest)
{
    size_t length = 0;

    while (length < rest.length && is_key_letter(rest.start[length]))
        length++;
    if (length == 0 || length == rest.length || rest.start[length] != '=')
        return (struct span){rest.start, 0};
    return (struct span){rest.start, length};
}

static char take(struct cutter *cutter)
{
    char letter = *cutter->rest.start;

    cutter->rest.start++;
    cutter->rest.length--;
    return letter;
}

static bool is_at(const struct cutter *cutter, char letter)
{
    return cutter->rest.length > 0 && *cutter->rest.start == letter;
}

static int cut_quoted(struct cutter *cutter)
{
    (void)take(cutter);
    while (cutter->rest.length > 0 && !is_at(cutter, '"')) {
        char letter = take(cutter);

        if (letter == '\\') {
            if (!is_at(cutter, '"') && !is_at(cutter, '\\'))
                return serve_error_set(cutter->error, SERVE_ERROR_UNREADABLE,
                                       "in quotes a \\ stands only before \" or another \\");
            letter = take(cutter);
        }
        *cutter->end++ = letter;
    }
    if (cutter->rest.length == 0)
        return serve_error_set(cutter->error, SERVE_ERROR_UNREADABLE, "the quotes have no end");
    (void)take(cutter);
    if (cutter->rest.length > 0 && !is_at(cutter, ' '))
        return serve_error_set(cutter->error, SERVE_ERROR_UNREADABLE,
                               "behind the closing quote comes a space, or nothing");
    return 0;
}

static int cut_bare(struct cutter *cutter)
{
    while (cutter->rest.length > 0 && !is_at(cutter, ' ')) {
        if (is_at(cutter, '"'))
            return serve_error_set(cutter->error, SERVE_ERROR_UNREADABLE,
                                   "a quote stands only at the beginning of a word or value");
        *cutter->end++ = take(cutter);
    }
    return 0;
}

static int cut_piece(struct cutter *cutter, struct request_piece *piece)
{
    if (cutter->rest.length == 0 || is_at(cutter, ' '))
        return serve_error_set(cutter->error, SERVE_ERROR_UNREADABLE,
                               "words are separated by one space, and none is at the end");
    piece->key = key_ahead(cutter->rest);
    for (size_t i = 0; piece->key.length > 0 && i <= piece->key.length; i++)
        (void)take(cutter);
    piece->value = cutter->end;
    if ((is_at(cutter, '"') ? cut_quoted(cutter) : cut_bare(cutter)) != 0)
        return -1;
    *cutter->end++ = '\0';
    return 0;
}

/* Copies are never longer than what they are copied from: each piece but the last gives the place of its
 * space to the NUL. */
static int cut_all(struct cutter *cutter, struct request_pieces *pieces)
{
    while (true) {
        if (pieces->count == REQUEST_PIECES_MAX)
            return serve_error_set(cutter->error, SERVE_ERROR_UNREADABLE,
                                   "the line has too many words");
        if (cut_piece(cutter, &pieces->list[pieces->count]) != 0)
            return -1;
        pieces->count++;
        if (cutter->rest.length == 0)
            return 0;
        (void)take(cutter);
    }
}

static int check_bytes(struct span line, struct serve_error *error)
{
    if (line.length > REQUEST_LINE_MAX)
        return serve_error_set(error, SERVE_ERROR_TOO_LONG, "a line has at most %d bytes",
                               REQUEST_LINE_MAX);
    if (line.length == 0)
        return serve_error_set(error, SERVE_ERROR_UNREADABLE, "the line is empty");
    for (size_t i = 0; i < line.length; i++) {
        if (line.start[i] < ' ' || line.start[i] > '~')
            return serve_error_set(error, SERVE_ERROR_UNREADABLE, "byte %zu is not printable ASCII",
                                   i + 1);
    }
    return 0;
}

int request_cut(struct span line, char bytes[REQUEST_LINE_MAX + 1], struct request_pieces *pieces,
                struct serve_error *error)
{
    struct cutter cutter = {.rest = line, .end = bytes, .error = error};

    if (check_bytes(line, error) != 0 || cut_all(&cutter, pieces) != 0)
        return -1;
    if (pieces->list[0].key.length > 0)
        return serve_error_set(error, SERVE_ERROR_UNREADABLE,
                               "a line begins with the name of a request");
    return 0;
}
