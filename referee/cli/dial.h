#ifndef REFEREE_CLI_DIAL_H
#define REFEREE_CLI_DIAL_H

/* Connecting to a daemon: its address, and the token that identifies the user. */

#include "base/text.h"
#include "cli/dial_tls.h"
#include "cli/options.h"

/* What the command line says about it; NULL: nothing. Lent. */
struct dial {
    const char *socket;
    const char *host_port;
    const char *token_file;
    struct dial_tls tls;
    bool is_plaintext; /* the token may be sent in the clear to another machine */
};

extern const struct option_row dial_rows[];
extern const struct option_row dial_tls_rows[]; /* also in dial_rows; for a struct dial, too */

/* --socket, --connect, --token-file and those of TLS, as one row of the table of a command. */
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

/* Connects. Returns a blocking descriptor, or -1 with one sentence in `problem`; `is_hopeless` says
 * that another try would fail, too. If `has_token`, the connection is one on which a token can be
 * sent: nobody else can read it. */
int dial_open(const struct dial *dial, bool has_token, bool *is_hopeless, struct text *problem);

/* The token, to be freed; or NULL, with one sentence in `problem` if it cannot be read, and none
 * if there is no token. */
char *dial_token(const struct dial *dial, struct text *problem);

#endif
