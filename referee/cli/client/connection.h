#ifndef REFEREE_CLI_CLIENT_CONNECTION_H
#define REFEREE_CLI_CLIENT_CONNECTION_H

/* A conversation with the daemon (protocol.md, "The daemon"). Everything waits until it is done. */

#include "base/text.h"
#include "cli/dial.h"

#include <stdbool.h>
#include <stddef.h>

struct connection;

#define REQUEST_MAX 4096 /* bytes of a line, with its end */

/* A request that is being put together. */
struct request {
    char bytes[REQUEST_MAX + 1];
    struct text text;
    bool is_plain; /* all of it can be sent: printable ASCII */
};

void request_start(struct request *request, const char *verb);

/* Adds a word (`key` is NULL) or KEY=VALUE, in quotes if it needs them. */
void request_add(struct request *request, const char *key, const char *value);
void request_add_number(struct request *request, const char *key, unsigned long number);

/* Adds all of another, which was started with the verb "". Words have to come before keys. */
void request_append(struct request *request, const struct request *keys);

/* What the daemon says next. */
enum reply_kind {
    REPLY_OK,
    REPLY_BLOCK,
    REPLY_ERROR,
    REPLY_EVENT,
    REPLY_START, /* of a match: from now on the connection speaks the bot protocol */
    REPLY_LOST,  /* nothing: the connection has ended, or it is no daemon */
};

/* Lent until the next one is read. */
struct reply {
    enum reply_kind kind;
    const char *words; /* of its line, without the first; printable ASCII */
    const char *block; /* with a NUL behind it */
    size_t length;
};

/* Connects and says hello. Returns NULL with a sentence in `problem` and the exit code of the program in
 * `code`: CLI_FAILED if it may be different later, CLI_USAGE if not. */
struct connection *connection_open(const struct dial *dial, int *code, struct text *problem);

/* The same, and it says what is wrong. */
struct connection *connection_begin(const struct dial *dial, int *code);

/* NULL is fine. */
void connection_free(struct connection *client);

/* Sends a request and `length` bytes behind it. Returns 0, or -1 with a sentence. */
int connection_send(struct connection *client, const struct request *request, struct span block,
                    struct text *problem);

void connection_read(struct connection *client, struct reply *reply);

/* Sends a request and reads the reply to it, which is REPLY_OK or REPLY_BLOCK. Events before it are
 * dropped. Returns CLI_FINE; or the exit code after it said what is wrong. */
int connection_ask(struct connection *client, const struct request *request, struct span block,
                   struct reply *reply);

/* The exit code for an error by its class, and what it says without class and code. */
int reply_error(const struct reply *reply, const char **sentence);

/* Cuts the next word off `rest`, which begins as the words of a reply. `key` is empty if it has none;
 * quotes are taken off the value, which is cut if it does not fit. Returns false if there is none left. */
bool reply_cut(struct span *rest, struct text *key, struct text *value);

/* The value of a key of a reply; "" if it is not there. */
void reply_find(const struct reply *reply, const char *key, struct text *value);

/* The descriptor of the connection, lent. */
int connection_fd(const struct connection *client);

/* Hands over the descriptor that came with the last reply, or -1. */
int connection_take_fd(struct connection *client);

/* Hands over the connection itself with what was read from it and belongs to nobody yet, which is lent
 * until the client is freed. */
int connection_steal(struct connection *client, struct span *unread);

#endif
