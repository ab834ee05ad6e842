/* Reading a request. A line is split at single spaces; quotes and escapes are resolved while
 * characters are copied, so that each piece is a string of its own. A piece is a pair if it begins
 * with a key and `=`; everything else is a word, and so is a piece that begins with a quote. Then
 * the pieces are checked against the row of their verb.
 *
 * Whatever is wrong with a line, the next line begins after the block, if this line announces one.
 * So the block is looked for first, and if its length cannot be found, the request says so. */

#include "wire/request.h"

#include <limits.h>

#define SENTENCE_BYTES 600
#define PIECES_MAX (1 + REQUEST_ARGUMENTS_MAX + REQUEST_PAIRS_MAX)

struct piece {
    struct span key;   /* lies in the line; empty: it is a word */
    const char *value; /* or the word */
};

struct pieces {
    struct piece list[PIECES_MAX];
    unsigned count;
};

/* Splitting. */

struct splitter {
    struct span rest;
    char *end; /* of what was copied */
    struct request_error *error;
};

static bool is_at(const struct splitter *splitter, char character)
{
    return splitter->rest.length > 0 && *splitter->rest.start == character;
}

static char take(struct splitter *splitter)
{
    splitter->rest.length--;
    return *splitter->rest.start++;
}

static int split_quoted(struct splitter *splitter)
{
    (void)take(splitter);
    while (splitter->rest.length > 0 && !is_at(splitter, '"')) {
        char character = take(splitter);

        if (character == '\\') {
            if (!is_at(splitter, '"') && !is_at(splitter, '\\'))
                return request_error_set(splitter->error, REQUEST_ERROR_UNREADABLE,
                                         "in quotes a \\ stands only before \" or another \\");
            character = take(splitter);
        }
        *splitter->end++ = character;
    }
    if (splitter->rest.length == 0)
        return request_error_set(splitter->error, REQUEST_ERROR_UNREADABLE,
                                 "the quotes have no end");
    (void)take(splitter);
    if (splitter->rest.length > 0 && !is_at(splitter, ' '))
        return request_error_set(splitter->error, REQUEST_ERROR_UNREADABLE,
                                 "only a space may follow a closing quote");
    return 0;
}

static int split_piece(struct splitter *splitter, struct piece *piece)
{
    size_t length = 0;

    if (splitter->rest.length == 0 || is_at(splitter, ' '))
        return request_error_set(splitter->error, REQUEST_ERROR_UNREADABLE,
                                 "arguments are separated by one space, with none at the end");
    while (length < splitter->rest.length &&
           ((splitter->rest.start[length] >= 'a' && splitter->rest.start[length] <= 'z') ||
            splitter->rest.start[length] == '_'))
        length++;
    if (length == splitter->rest.length || splitter->rest.start[length] != '=')
        length = 0;
    piece->key = (struct span){splitter->rest.start, length};
    for (size_t i = 0; length > 0 && i <= length; i++)
        (void)take(splitter);
    piece->value = splitter->end;
    if (is_at(splitter, '"')) {
        if (split_quoted(splitter) != 0)
            return -1;
    } else {
        while (splitter->rest.length > 0 && !is_at(splitter, ' ')) {
            if (is_at(splitter, '"'))
                return request_error_set(splitter->error, REQUEST_ERROR_UNREADABLE,
                                         "a quote stands only at the beginning of a word or value");
            *splitter->end++ = take(splitter);
        }
    }
    *splitter->end++ = '\0';
    return 0;
}

/* Copies are never longer than their originals: the NUL of each piece but the last takes the place
 * of a space. */
static int split_line(struct span line, char bytes[REQUEST_LINE_MAX + 1], struct pieces *pieces,
                      struct request_error *error)
{
    struct splitter splitter = {.rest = line, .end = bytes, .error = error};

    if (line.length > REQUEST_LINE_MAX)
        return request_error_set(error, REQUEST_ERROR_TOO_LONG, "a line has at most %d bytes",
                                 REQUEST_LINE_MAX);
    if (line.length == 0)
        return request_error_set(error, REQUEST_ERROR_UNREADABLE, "the line is empty");
    for (size_t i = 0; i < line.length; i++) {
        if (line.start[i] < ' ' || line.start[i] > '~')
            return request_error_set(error, REQUEST_ERROR_UNREADABLE,
                                     "byte %zu is not printable ASCII", i + 1);
    }
    while (pieces->count < PIECES_MAX) {
        if (split_piece(&splitter, &pieces->list[pieces->count]) != 0)
            return -1;
        if (pieces->list[0].key.length > 0)
            return request_error_set(error, REQUEST_ERROR_UNREADABLE,
                                     "a line begins with the name of a request");
        pieces->count++;
        if (splitter.rest.length == 0)
            return 0;
        (void)take(&splitter);
    }
    return request_error_set(error, REQUEST_ERROR_UNREADABLE, "the line has too many arguments");
}

/* The block. */

static bool mentions_block(struct span line)
{
    return line.length > REQUEST_LINE_MAX ||
           memmem(line.start, line.length, "bytes=", strlen("bytes=")) != NULL;
}

/* A key of that name announces a block in any request, even in one that has no such key. */
static void find_block(struct request *request, const struct pieces *pieces,
                       const struct request_form *form)
{
    bool is_announced = form != NULL && form->has_block;
    unsigned lengths = 0;
    long length = 0;

    for (unsigned i = 1; i < pieces->count; i++) {
        const struct piece *piece = &pieces->list[i];

        if (span_is(piece->key, "file"))
            is_announced = true;
        if (span_is(piece->key, "bytes") && ++lengths > 0 &&
            span_read_number(span_of(piece->value), 0, LONG_MAX, &length) != 0)
            lengths = 2;
    }
    request->is_followed = lengths == 1;
    request->block_length = lengths == 1 ? (size_t)length : 0;
    request->is_block_unknown = lengths > 1 || (lengths == 0 && is_announced);
}

/* Checking against the table. */

/* Adds "; did you mean …?" if a name is near. */
static void add_nearest(struct text *text, struct span word, const char *const *names, size_t count)
{
    const char *nearest = text_nearest(word, names, count);

    if (nearest != NULL)
        text_printf(text, "; did you mean %s?", nearest);
}

static const struct request_form *find_form(struct span verb, struct request_error *error)
{
    const char *names[REQUEST_VERB_COUNT];
    char sentence[SENTENCE_BYTES];
    struct text text;

    for (size_t i = 0; i < REQUEST_VERB_COUNT; i++) {
        if (span_is(verb, request_forms[i].name))
            return &request_forms[i];
        names[i] = request_forms[i].name;
    }
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, "there is no request ");
    text_add_quoted(&text, verb);
    add_nearest(&text, verb, names, REQUEST_VERB_COUNT);
    (void)request_error_set(error, REQUEST_ERROR_UNKNOWN, "%s", sentence);
    return NULL;
}

static const struct request_key *find_key(const struct request_form *form, struct span name,
                                          struct request_error *error)
{
    const char *names[REQUEST_KEYS_MAX];
    size_t count = 0;
    char sentence[SENTENCE_BYTES];
    struct text text;

    for (const struct request_key *key = form->keys; key->name != NULL; key++) {
        if (span_is(name, key->name))
            return key;
        names[count++] = key->name;
    }
    text_start(&text, sentence, sizeof sentence);
    text_printf(&text, "%s has no key ", form->name);
    text_add_quoted(&text, name);
    add_nearest(&text, name, names, count);
    (void)request_error_set(error, REQUEST_ERROR_VALUE, "%s", sentence);
    return NULL;
}

/* Reads the value of a pair as its key wants it. */
static int read_value(struct request_pair *pair, struct request_error *error)
{
    const struct request_key *key = pair->key;
    char sentence[SENTENCE_BYTES];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    if (key->kind == REQUEST_NUMBER) {
        if (span_read_number(span_of(pair->value), key->least, key->most, &pair->number) == 0)
            return 0;
        text_printf(&text, "%s takes %ld to %ld, not ", key->name, key->least, key->most);
    } else if (key->kind == REQUEST_YES) {
        if (strcmp(pair->value, "yes") == 0)
            return 0;
        text_printf(&text, "%s takes yes, not ", key->name);
    } else {
        if (pair->value[0] != '\0')
            return 0;
        text_printf(&text, "%s takes a text, not ", key->name);
    }
    text_add_quoted(&text, span_of(pair->value));
    return request_error_set(error, REQUEST_ERROR_VALUE, "%s", sentence);
}

static int add_pair(struct request *request, const struct request_form *form,
                    const struct piece *piece, struct request_error *error)
{
    struct request_pair pair = {.key = find_key(form, piece->key, error), .value = piece->value};

    if (pair.key == NULL)
        return -1;
    if (!pair.key->is_repeated && request_text(request, pair.key->name) != NULL)
        return request_error_set(error, REQUEST_ERROR_VALUE, "%s occurs twice", pair.key->name);
    if (pair.key->is_block && request->is_followed) {
        long most = find_key(form, span_of("bytes"), error)->most;

        if (request->block_length > (size_t)most)
            return request_error_set(error, REQUEST_ERROR_TOO_LARGE, "%s takes at most %ld bytes",
                                     form->name, most);
    }
    if (read_value(&pair, error) != 0)
        return -1;
    if (request->pair_count == REQUEST_PAIRS_MAX)
        return request_error_set(error, REQUEST_ERROR_VALUE, "there are too many keys");
    request->pairs[request->pair_count++] = pair;
    return 0;
}

static int refuse_usage(const struct request_form *form, struct request_error *error)
{
    char sentence[SENTENCE_BYTES];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    request_add_usage(&text, form);
    return request_error_set(error, REQUEST_ERROR_VALUE, "the request is: %s", sentence);
}

int request_read(struct request *request, struct span line, struct request_error *error)
{
    struct pieces pieces = {.count = 0};
    const struct request_form *form;

    request->argument_count = 0;
    request->pair_count = 0;
    request->is_followed = false;
    request->block_length = 0;
    request->is_block_unknown = mentions_block(line);
    if (split_line(line, request->bytes, &pieces, error) != 0)
        return -1;
    form = find_form(span_of(pieces.list[0].value), error);
    find_block(request, &pieces, form);
    if (form == NULL)
        return -1;
    request->verb = (enum request_verb)(form - request_forms);
    for (unsigned i = 1; i < pieces.count; i++) {
        const struct piece *piece = &pieces.list[i];

        if (piece->key.length > 0) {
            if (add_pair(request, form, piece, error) != 0)
                return -1;
        } else if (request->pair_count > 0) {
            return request_error_set(error, REQUEST_ERROR_UNREADABLE, "arguments come before keys");
        } else if (request->argument_count == form->most_arguments || piece->value[0] == '\0') {
            return refuse_usage(form, error);
        } else {
            request->arguments[request->argument_count++] = piece->value;
        }
    }
    if (request->argument_count < form->least_arguments)
        return refuse_usage(form, error);
    if (request->is_block_unknown)
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "the length of the block is missing: bytes=N");
    return 0;
}

static const struct request_pair *find_pair(const struct request *request, const char *key)
{
    for (unsigned i = 0; i < request->pair_count; i++) {
        if (strcmp(request->pairs[i].key->name, key) == 0)
            return &request->pairs[i];
    }
    return NULL;
}

const char *request_text(const struct request *request, const char *key)
{
    const struct request_pair *pair = find_pair(request, key);

    return pair != NULL ? pair->value : NULL;
}

long request_number(const struct request *request, const char *key, long otherwise)
{
    const struct request_pair *pair = find_pair(request, key);

    return pair != NULL ? pair->number : otherwise;
}
