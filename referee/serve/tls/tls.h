#ifndef REFEREE_SERVE_TLS_TLS_H
#define REFEREE_SERVE_TLS_TLS_H

/* TLS for all TCP addresses of the daemon: a certificate with its key, and connections that speak
 * it. TLS 1.2 and later, no renegotiation, no sessions to resume. */

#include "base/text.h"
#include "serve/tls/handshakes.h"

struct bufferevent;
struct event_base;
struct tls;

#define TLS_FINGERPRINT_BYTES (32 * 2 + 1)

/* Reads a certificate, with those that it depends on after it, and its key, both PEM. Returns NULL
 * with a sentence in `problem`. */
struct tls *tls_open(const char *certificate, const char *key, struct text *problem);

/* NULL is fine. Connections that exist keep what they need. */
void tls_free(struct tls *tls);

/* Reads both files again, for new connections. Returns 0; or -1 with a sentence: then all stays as
 * it is. */
int tls_reload(struct tls *tls, struct text *problem);

/* The SHA-256 of the certificate, which clients can pin, in hexadecimal. */
void tls_fingerprint(const struct tls *tls, char fingerprint[TLS_FINGERPRINT_BYTES]);

/* Whether an address may begin another handshake now; it is counted (handshakes.h). */
bool tls_admit(struct tls *tls, const unsigned char origin[HANDSHAKES_ORIGIN_BYTES],
               const struct handshakes_limits *limits);

/* The server's end of a new connection, whose handshake is still to come. Takes `fd`, which may be
 * -1 if it is set later. It closes its socket when it is freed. NULL if there is no memory: then
 * `fd` is closed. */
struct bufferevent *tls_accept(const struct tls *tls, struct event_base *base, int fd);

/* Tells the other side that no more will be sent. All output must have been sent. */
void tls_end_output(struct bufferevent *stream);

/* Sends what the socket takes at once, without the loop. */
void tls_send_now(struct bufferevent *stream);

#endif
