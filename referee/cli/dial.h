#ifndef REFEREE_CLI_DIAL_H
#define REFEREE_CLI_DIAL_H

/* Connecting to a daemon: its address, and the token that identifies the user. */

#include "base/text.h"
#include "cli/options.h"

/* What the command line says about it; NULL: nothing. Lent. */
struct dial {
    const char *socket;
    const char *host_port;
    const char *token_file;
};

extern const struct option_row dial_rows[];

/* --socket, --connect and --token-file, as one row of the table of a command. */
#define DIAL_OPTIONS(type, member) OPTION_GROUP(type, member, struct dial, dial_rows)

/* --token-file alone. */
#define DIAL_TOKEN_FILE(type, member)                                                              \
    "--token-file", "FILE", "a file with your token; otherwise $REFEREE_TOKEN",                    \
        OPTION_TEXT(type, member)

/* Whether it is HOST:PORT. Reports it if not; `what` names the option or argument. */
bool dial_check_host(const char *what, const char *host_port);

/* Adds the path of the socket that daemon and clients use by default: $REFEREE_SOCKET; for root
 * /run/referee.socket; otherwise referee.socket in $XDG_RUNTIME_DIR. Returns false if that is
 * not set. */
bool dial_default_socket(struct text *path);

/* Connects. Returns a blocking descriptor, or -1 with one sentence in `problem`. */
int dial_open(const struct dial *dial, struct text *problem);

/* The token, to be freed; or NULL, with one sentence in `problem` if it cannot be read, and none
 * if there is no token. */
char *dial_token(const struct dial *dial, struct text *problem);

#endif
