#ifndef REFEREE_CLI_CLIENT_CONNECTION_H
#define REFEREE_CLI_CLIENT_CONNECTION_H

/* A conversation with the daemon (serve/protocol.md). Every call blocks until it is done. */

#include "cli/dial.h"
#include "wire/request_reply.h"
#include "wire/request.h"

#include <stdbool.h>

struct connection;

/* Connects and says hello. Returns NULL with a sentence in `problem` and the exit code of the
 * program in `code`: CLI_FAILED if it may succeed later, CLI_USAGE if not. */
struct connection *connection_open(const struct dial *dial, int *code, struct text *problem);

/* The same, and prints the problem. */
struct connection *connection_begin(const struct dial *dial, int *code);

/* NULL is fine. */
void connection_free(struct connection *connection);

/* Sends a request and the block that follows it. Returns 0, or -1 with a sentence. */
int connection_send(struct connection *connection, const struct request_line *request,
                    struct span block, struct text *problem);

/* Reads the next reply or event, which is lent until the next call. */
void connection_read(struct connection *connection, struct request_reply *reply);

/* Sends a request and reads its reply, which is REQUEST_REPLY_OK or REQUEST_REPLY_BLOCK; events
 * before it are dropped. Returns CLI_FINE; or the exit code after it printed the problem. */
int connection_ask(struct connection *connection, const struct request_line *request,
                   struct span block, struct request_reply *reply);

/* The exit code for REQUEST_REPLY_ERROR, and its message. */
int connection_error(const struct request_reply *reply, const char **message);

/* The descriptor of the connection, lent. */
int connection_fd(const struct connection *connection);

/* Hands over the descriptor that came with the last reply, or -1. */
int connection_take_passed_fd(struct connection *connection);

/* Hands over the connection itself, with bytes that were read and not used yet, which are lent
 * until the connection is freed. */
int connection_take_fd(struct connection *connection, struct span *unread);

#endif
