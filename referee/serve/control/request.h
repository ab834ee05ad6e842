#ifndef REFEREE_SERVE_CONTROL_REQUEST_H
#define REFEREE_SERVE_CONTROL_REQUEST_H

/* Requests of the control protocol, as lines: `VERB [WORD…] [KEY=VALUE…]`. Pure: bytes in, a struct out.
 * One table says everything about each request; reader, help, errors and tests share it. */

#include "base/text.h"
#include "serve/queue/serve_error.h"

#include <stdbool.h>
#include <stddef.h>

#define REQUEST_LINE_MAX 4096 /* bytes, without the line end */
#define REQUEST_WORDS_MAX 8
#define REQUEST_PAIRS_MAX 48
#define REQUEST_KEYS_MAX 12   /* of one request */
#define REQUEST_HELP_MAX 8192 /* bytes of the help */

enum request_verb {
    REQUEST_HELLO,
    REQUEST_HELP,
    REQUEST_SUBMIT,
    REQUEST_MATCH,
    REQUEST_TOURNAMENT,
    REQUEST_STATUS,
    REQUEST_QUEUE,
    REQUEST_BOTS,
    REQUEST_WATCH,
    REQUEST_CANCEL,
    REQUEST_RESULT,
    REQUEST_LOG,
    REQUEST_PLAY,
    REQUEST_FETCH,
    REQUEST_SHUTDOWN,
    REQUEST_VERB_COUNT,
};

enum request_kind {
    REQUEST_TEXT,   /* any text that is not empty */
    REQUEST_NUMBER, /* `least` to `most` */
    REQUEST_YES,    /* `yes`, and nothing else */
};

struct request_key {
    const char *name;
    const char *takes; /* for the help: "PATH" */
    enum request_kind kind;
    long least;
    long most;
    bool is_repeated; /* may be there several times */
    bool is_block;    /* says that a block follows; `bytes` says how long it is */
};

/* Everything about one request. */
struct request_form {
    const char *name;
    const char *words; /* for the help: "WORK BLOCK.MATCH" */
    unsigned least_words;
    unsigned most_words;
    bool has_block;     /* always, not only with a key that says so */
    bool is_for_owner;  /* nobody else may */
    bool is_for_remote; /* only where bots may play from elsewhere */
    const char *meaning;
    struct request_key keys[REQUEST_KEYS_MAX]; /* a key without a name ends them */
};

/* The table, by verb. */
extern const struct request_form request_forms[REQUEST_VERB_COUNT];

struct request_pair {
    const struct request_key *key;
    const char *value;
    long number; /* of REQUEST_NUMBER */
};

/* A request that was read. It points into itself: never copy it. */
struct request {
    enum request_verb verb;
    const char *words[REQUEST_WORDS_MAX]; /* behind the verb */
    unsigned word_count;
    struct request_pair pairs[REQUEST_PAIRS_MAX]; /* as they came */
    unsigned pair_count;
    bool is_followed;      /* by a block of `block_length` bytes; known for a refused request too */
    bool is_block_unknown; /* how long it is, or whether there is one, cannot be said */
    size_t block_length;
    char bytes[REQUEST_LINE_MAX + 1];
};

/* Reads a line without its line end. Returns 0, or -1 with a error; then only the members about the
 * block are set. */
int request_read(struct request *request, struct span line, struct serve_error *error);

/* The value of a key, or NULL; its number, or `otherwise`. */
const char *request_text(const struct request *request, const char *key);
long request_number(const struct request *request, const char *key, long otherwise);

/* Adds somebody's text as a word or value that can be read again: in quotes if it needs them, and with
 * `?` for each letter that is not printable ASCII. */
void request_add_word(struct text *text, const char *words);

/* Adds the same letters without quotes. */
void request_add_plain(struct text *text, const char *words);

/* Adds how a request is written, "log WORK BLOCK.MATCH"; adds all of them with their meanings. */
void request_add_usage(struct text *text, const struct request_form *form);
void request_add_help(struct text *text);

#endif
