/* A line that was cut into pieces (request_private.h) is held against the row of its verb.
 *
 * Whatever is wrong with a line, the next question is where the next line begins: behind the block, if
 * this one was to have one. So that is found out first, and whenever it cannot be, the request says so. */

#include "serve/control/request.h"

#include "serve/control/request_private.h"

#include <limits.h>
#include <string.h>

#define SENTENCE_BYTES 600

/* The block. */

static bool mentions_block(struct span line)
{
    return line.length > REQUEST_LINE_MAX ||
           memmem(line.start, line.length, "bytes=", strlen("bytes=")) != NULL;
}

/* A key of that name in any request says that a block follows, even where it has no business. */
static void find_block(struct request *request, const struct request_pieces *pieces,
                       const struct request_form *form)
{
    bool is_said = form != NULL && form->has_block;
    unsigned lengths = 0;
    long length = 0;

    for (unsigned i = 1; i < pieces->count; i++) {
        const struct request_piece *piece = &pieces->list[i];

        if (span_is(piece->key, "file"))
            is_said = true;
        if (span_is(piece->key, "bytes") && ++lengths > 0 &&
            span_read_number(span_of(piece->value), 0, LONG_MAX, &length) != 0)
            lengths = 2;
    }
    request->is_followed = lengths == 1;
    request->block_length = lengths == 1 ? (size_t)length : 0;
    request->is_block_unknown = lengths > 1 || (lengths == 0 && is_said);
}

/* Holding it against the table. */

static const struct request_form *find_form(struct span verb)
{
    for (size_t i = 0; i < REQUEST_VERB_COUNT; i++) {
        if (span_is(verb, request_forms[i].name))
            return &request_forms[i];
    }
    return NULL;
}

/* Adds "; did you mean …?" if a name is near. */
static void add_nearest(struct text *text, struct span word, const char *const *names, size_t count)
{
    const char *nearest = text_nearest(word, names, count);

    if (nearest == NULL)
        return;
    text_add(text, "; did you mean ");
    text_add(text, nearest);
    text_add_char(text, '?');
}

static int refuse_verb(const struct request_piece *piece, struct serve_error *error)
{
    const char *names[REQUEST_VERB_COUNT];
    char sentence[SENTENCE_BYTES];
    struct text text;

    for (size_t i = 0; i < REQUEST_VERB_COUNT; i++)
        names[i] = request_forms[i].name;
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, "there is no request ");
    text_add_quoted(&text, span_of(piece->value));
    add_nearest(&text, span_of(piece->value), names, REQUEST_VERB_COUNT);
    return serve_error_set(error, SERVE_ERROR_UNKNOWN, "%s", sentence);
}

static int refuse_key(const struct request_form *form, const struct request_piece *piece,
                      struct serve_error *error)
{
    const char *names[REQUEST_KEYS_MAX];
    size_t count = 0;
    char sentence[SENTENCE_BYTES];
    struct text text;

    for (const struct request_key *key = form->keys; key->name != NULL; key++)
        names[count++] = key->name;
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, form->name);
    text_add(&text, " has no key ");
    text_add_quoted(&text, piece->key);
    add_nearest(&text, piece->key, names, count);
    return serve_error_set(error, SERVE_ERROR_VALUE, "%s", sentence);
}

static int refuse_value(const struct request_key *key, const char *value, struct serve_error *error)
{
    char sentence[SENTENCE_BYTES];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    text_add(&text, key->name);
    text_add(&text, " takes ");
    if (key->kind == REQUEST_NUMBER) {
        text_add_number(&text, key->least);
        text_add(&text, " to ");
        text_add_number(&text, key->most);
    } else {
        text_add(&text, key->kind == REQUEST_YES ? "yes" : "a text");
    }
    text_add(&text, ", not ");
    text_add_quoted(&text, span_of(value));
    return serve_error_set(error, SERVE_ERROR_VALUE, "%s", sentence);
}

static int refuse_usage(const struct request_form *form, struct serve_error *error)
{
    char sentence[SENTENCE_BYTES];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    request_add_usage(&text, form);
    return serve_error_set(error, SERVE_ERROR_VALUE, "the request is: %s", sentence);
}

static const struct request_key *find_key(const struct request_form *form, struct span name)
{
    for (const struct request_key *key = form->keys; key->name != NULL; key++) {
        if (span_is(name, key->name))
            return key;
    }
    return NULL;
}

static bool is_value_fine(struct request_pair *pair)
{
    const struct request_key *key = pair->key;

    if (key->kind == REQUEST_NUMBER)
        return span_read_number(span_of(pair->value), key->least, key->most, &pair->number) == 0;
    if (key->kind == REQUEST_YES)
        return strcmp(pair->value, "yes") == 0;
    return pair->value[0] != '\0';
}

static int add_pair(struct request *request, const struct request_form *form,
                    const struct request_piece *piece, struct serve_error *error)
{
    struct request_pair pair = {.key = find_key(form, piece->key), .value = piece->value};

    if (pair.key == NULL)
        return refuse_key(form, piece, error);
    if (!pair.key->is_repeated && request_text(request, pair.key->name) != NULL)
        return serve_error_set(error, SERVE_ERROR_VALUE, "%s is there twice", pair.key->name);
    if (pair.key->is_block && request->is_followed &&
        request->block_length > (size_t)find_key(form, span_of("bytes"))->most)
        return serve_error_set(error, SERVE_ERROR_TOO_LARGE, "%s takes at most %ld bytes",
                               form->name, find_key(form, span_of("bytes"))->most);
    if (!is_value_fine(&pair))
        return refuse_value(pair.key, pair.value, error);
    if (request->pair_count == REQUEST_PAIRS_MAX)
        return serve_error_set(error, SERVE_ERROR_VALUE, "there are too many keys");
    request->pairs[request->pair_count++] = pair;
    return 0;
}

static int add_word(struct request *request, const struct request_form *form,
                    const struct request_piece *piece, struct serve_error *error)
{
    if (request->word_count == form->most_words || piece->value[0] == '\0')
        return refuse_usage(form, error);
    request->words[request->word_count++] = piece->value;
    return 0;
}

static int add_all(struct request *request, const struct request_pieces *pieces,
                   const struct request_form *form, struct serve_error *error)
{
    for (unsigned i = 1; i < pieces->count; i++) {
        const struct request_piece *piece = &pieces->list[i];
        bool is_pair = piece->key.length > 0;

        if (!is_pair && request->pair_count > 0)
            return serve_error_set(error, SERVE_ERROR_UNREADABLE, "words come before keys");
        if ((is_pair ? add_pair : add_word)(request, form, piece, error) != 0)
            return -1;
    }
    if (request->word_count < form->least_words)
        return refuse_usage(form, error);
    if (request->is_block_unknown)
        return serve_error_set(error, SERVE_ERROR_VALUE,
                               "how long the block is has to be said: bytes=N");
    return 0;
}

int request_read(struct request *request, struct span line, struct serve_error *error)
{
    struct request_pieces pieces = {.count = 0};
    const struct request_form *form;

    request->word_count = 0;
    request->pair_count = 0;
    request->is_followed = false;
    request->block_length = 0;
    request->is_block_unknown = mentions_block(line);
    if (request_cut(line, request->bytes, &pieces, error) != 0)
        return -1;
    form = find_form(span_of(pieces.list[0].value));
    find_block(request, &pieces, form);
    if (form == NULL)
        return refuse_verb(&pieces.list[0], error);
    request->verb = (enum request_verb)(form - request_forms);
    return add_all(request, &pieces, form, error);
}

const char *request_text(const struct request *request, const char *key)
{
    for (unsigned i = 0; i < request->pair_count; i++) {
        if (strcmp(request->pairs[i].key->name, key) == 0)
            return request->pairs[i].value;
    }
    return NULL;
}

long request_number(const struct request *request, const char *key, long otherwise)
{
    for (unsigned i = 0; i < request->pair_count; i++) {
        if (strcmp(request->pairs[i].key->name, key) == 0)
            return request->pairs[i].number;
    }
    return otherwise;
}
