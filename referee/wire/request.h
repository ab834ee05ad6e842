#ifndef REFEREE_WIRE_REQUEST_H
#define REFEREE_WIRE_REQUEST_H

/* Requests of the control protocol, as lines: `VERB [WORD…] [KEY=VALUE…]`. Pure: bytes in, a struct
 * out, and back. One table describes each request; daemon, clients, help, errors and tests share
 * it. */

#include "base/text.h"
#include "wire/request_error.h"

#include <stdbool.h>
#include <stddef.h>

#define REQUEST_LINE_MAX 4096 /* bytes, without the line end */
#define REQUEST_ARGUMENTS_MAX 8
#define REQUEST_PAIRS_MAX 48
#define REQUEST_KEYS_MAX 12            /* of one request */
#define REQUEST_HELP_MAX 8192          /* bytes of the help */
#define REQUEST_UPLOAD_MAX (16L << 20) /* bytes of a bot */
#define REQUEST_CONFIG_MAX (1L << 20)  /* bytes of a tournament file */

enum request_verb {
    REQUEST_HELLO,
    REQUEST_HELP,
    REQUEST_SUBMIT,
    REQUEST_MATCH,
    REQUEST_TOURNAMENT,
    REQUEST_STATUS,
    REQUEST_QUEUE,
    REQUEST_BOTS,
    REQUEST_LANGUAGES,
    REQUEST_LADDER,
    REQUEST_WATCH,
    REQUEST_CANCEL,
    REQUEST_RESUME,
    REQUEST_RERUN,
    REQUEST_REPLAY,
    REQUEST_PRUNE,
    REQUEST_DISQUALIFY,
    REQUEST_REINSTATE,
    REQUEST_REMOVE,
    REQUEST_GRADES,
    REQUEST_RESULT,
    REQUEST_LOG,
    REQUEST_STDERR,
    REQUEST_OUTPUT,
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
    bool is_repeated; /* may occur several times */
    bool is_block;    /* a block follows; `bytes` is its length */
};

/* Everything about one request. */
struct request_form {
    const char *name;
    const char *arguments; /* for the help: "JOB BLOCK.MATCH" */
    unsigned least_arguments;
    unsigned most_arguments;
    bool has_block;         /* always, not only with certain keys */
    bool is_for_owner;      /* nobody else may */
    bool is_for_organisers; /* they and the owner may */
    bool is_for_remote;     /* only where remote bots are allowed */
    const char *meaning;
    struct request_key keys[REQUEST_KEYS_MAX]; /* a key without a name ends them */
};

/* The table, by verb. */
extern const struct request_form request_forms[REQUEST_VERB_COUNT];

/* Adds how a request is written, "log JOB BLOCK.MATCH"; adds all of them with their meanings. */
void request_add_usage(struct text *text, const struct request_form *form);
void request_add_help(struct text *text);

struct request_pair {
    const struct request_key *key;
    const char *value;
    long number; /* of REQUEST_NUMBER */
};

/* A request that was read. It points into itself: never copy it. */
struct request {
    enum request_verb verb;
    const char *arguments[REQUEST_ARGUMENTS_MAX]; /* after the verb */
    unsigned argument_count;
    struct request_pair pairs[REQUEST_PAIRS_MAX]; /* in their order */
    unsigned pair_count;
    bool is_followed;      /* by a block of `block_length` bytes; set for a refused request too */
    bool is_block_unknown; /* whether a block follows, or how long it is, cannot be said */
    size_t block_length;
    char bytes[REQUEST_LINE_MAX + 1];
};

/* Reads a line without its line end. Returns 0, or -1 with an error; then only the members about
 * the block are set. */
int request_read(struct request *request, struct span line, struct request_error *error);

/* The value of a key, or NULL; its number, or `otherwise`. */
const char *request_text(const struct request *request, const char *key);
long request_number(const struct request *request, const char *key, long otherwise);

/* A request that is being written. */
struct request_line {
    char bytes[REQUEST_LINE_MAX + 1];
    struct text text;
    bool is_printable; /* all of it is printable ASCII, as it must be */
};

/* Starts with the name of the request; adds a word (`key` is NULL) or KEY=VALUE, in quotes if it
 * needs them. Words come before keys. */
void request_line_start(struct request_line *line, enum request_verb verb);
void request_line_add(struct request_line *line, const char *key, const char *value);
void request_line_add_number(struct request_line *line, const char *key, unsigned long number);

/* Adds all keys of another one, which begins with the same request and has no arguments. */
void request_line_append(struct request_line *line, const struct request_line *keys);

/* Adds a text as a word or value that can be read again: in quotes if it needs them, and with `?`
 * for each character that is not printable ASCII; adds the same characters without quotes. */
void request_add_quoted(struct text *text, const char *value);
void request_add_printable(struct text *text, const char *value);

#endif
