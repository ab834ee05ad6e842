#ifndef REFEREE_CLI_DIAL_PUMP_H
#define REFEREE_CLI_DIAL_PUMP_H

/* A process that passes bytes between a TLS connection and a plain socket. */

#include "base/text.h"

#include <openssl/ssl.h>

/* Starts it for a connection whose handshake is over. Returns the socket; or -1 with one sentence
 * in `problem`. The session and its descriptor stay the caller's, who does nothing with them but
 * free and close them. The process ends with the connection, or when the socket is closed. */
int dial_pump_start(SSL *session, struct text *problem);

#endif
