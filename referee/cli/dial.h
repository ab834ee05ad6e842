#ifndef REFEREE_CLI_DIAL_H
#define REFEREE_CLI_DIAL_H

/* Reaching a daemon: where it is, and the token that says who asks. */

#include "base/text.h"
#include "cli/options.h"

/* Rows for the table of a command that talks to the daemon, in this order, followed by its own. */
#define DIAL_ROWS                                                                                  \
    {"--socket", "PATH", "the daemon's Unix socket; otherwise $REFEREE_SOCKET or the usual one"},  \
        {"--connect", "HOST:PORT", "the daemon is there, by TCP"},                                 \
    {                                                                                              \
        "--token-file", "FILE", "holds your token; otherwise $REFEREE_TOKEN"                       \
    }

/* How many rows that are: the number of a command's first own row. */
#define DIAL_COUNT 3

/* What was said about it; NULL: nothing. Lent. */
struct dial {
    const char *socket;
    const char *host_port;
    const char *token_file;
};

/* Takes one of the rows above. Returns 0, or -1 after it said what is wrong. */
int dial_take(struct dial *dial, size_t row, const char *value);

/* Adds the path of the socket that daemon and clients use if nothing is said: $REFEREE_SOCKET; for root
 * /run/referee.socket; otherwise referee.socket in $XDG_RUNTIME_DIR. Returns false if that is not set. */
bool dial_usual_socket(struct text *path);

/* Connects. Returns a descriptor that blocks, or -1 with one sentence in `problem`. */
int dial_open(const struct dial *dial, struct text *problem);

/* The token, to be freed; NULL without a word if there is none, and with one sentence in `problem` if it
 * cannot be read. */
char *dial_token(const struct dial *dial, struct text *problem);

#endif
