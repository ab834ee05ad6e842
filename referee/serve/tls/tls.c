/* OpenSSL below libevent's bufferevents. A context holds the certificate; each connection refers to
 * the context that it began with, so a reload simply makes another one.
 *
 * What strangers can cost is bounded: a connection counts before its handshake, must have sent its
 * first request soon after it was accepted, and there are only so many handshakes per second
 * (handshakes.h). What is expensive is off: renegotiation, and sessions that would have to be
 * kept. */

#include "serve/tls/tls.h"

#include "base/clock.h"
#include "base/memory.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct tls {
    char *certificate;
    char *key;
    SSL_CTX *context;
    struct handshakes *handshakes;
};

/* A daemon has nobody to ask for the password of a key. */
static int refuse_password(char *password, int size, int is_writing, void *context)
{
    (void)password;
    (void)size;
    (void)is_writing;
    (void)context;
    return -1;
}

static int complain(struct text *problem, const char *path, const char *what)
{
    unsigned long error = ERR_peek_last_error();
    const char *why = ERR_reason_error_string(error);

    text_printf(problem, "--tls: %s: %s", path, what);
    if (why != NULL)
        text_printf(problem, ": %s", why);
    ERR_clear_error();
    return -1;
}

static int load(SSL_CTX *context, const struct tls *tls, struct text *problem)
{
    SSL_CTX_set_default_passwd_cb(context, refuse_password);
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, tls->certificate) != 1)
        return complain(problem, tls->certificate, "this is not a certificate in PEM");
    if (SSL_CTX_use_PrivateKey_file(context, tls->key, SSL_FILETYPE_PEM) != 1)
        return complain(problem, tls->key, "this is not the key of the certificate, in PEM");
    return 0;
}

static SSL_CTX *make_context(const struct tls *tls, struct text *problem)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());

    if (context == NULL) {
        (void)complain(problem, tls->certificate, "no memory");
        return NULL;
    }
    (void)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    (void)SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET |
                                           SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    (void)SSL_CTX_set_num_tickets(context, 0);
    (void)SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    (void)SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                        SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (load(context, tls, problem) == 0)
        return context;
    SSL_CTX_free(context);
    return NULL;
}

struct tls *tls_open(const char *certificate, const char *key, struct text *problem)
{
    struct tls *tls = xcalloc(1, sizeof *tls);

    tls->certificate = xstrdup(certificate);
    tls->key = xstrdup(key);
    tls->handshakes = handshakes_new();
    tls->context = make_context(tls, problem);
    if (tls->context != NULL)
        return tls;
    tls_free(tls);
    return NULL;
}

void tls_free(struct tls *tls)
{
    if (tls == NULL)
        return;
    SSL_CTX_free(tls->context);
    handshakes_free(tls->handshakes);
    free(tls->certificate);
    free(tls->key);
    free(tls);
}

int tls_reload(struct tls *tls, struct text *problem)
{
    SSL_CTX *context = make_context(tls, problem);

    if (context == NULL)
        return -1;
    SSL_CTX_free(tls->context);
    tls->context = context;
    return 0;
}

void tls_fingerprint(const struct tls *tls, char fingerprint[TLS_FINGERPRINT_BYTES])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;

    (void)X509_digest(SSL_CTX_get0_certificate(tls->context), EVP_sha256(), digest, &length);
    fingerprint[0] = '\0';
    for (unsigned i = 0; i < length && 2 * i + 2 < TLS_FINGERPRINT_BYTES; i++)
        snprintf(fingerprint + 2 * (size_t)i, 3, "%02x", digest[i]);
}

bool tls_admit(struct tls *tls, const unsigned char origin[HANDSHAKES_ORIGIN_BYTES],
               const struct handshakes_limits *limits)
{
    return handshakes_admit(tls->handshakes, origin, limits, clock_now_us());
}

struct bufferevent *tls_accept(const struct tls *tls, struct event_base *base, int fd)
{
    SSL *session = SSL_new(tls->context);
    struct bufferevent *stream = NULL;

    if (session != NULL)
        stream = bufferevent_openssl_socket_new(base, fd, session, BUFFEREVENT_SSL_ACCEPTING,
                                                BEV_OPT_CLOSE_ON_FREE);
    if (stream == NULL && session == NULL && fd >= 0)
        (void)close(fd);
    return stream;
}

void tls_end_output(struct bufferevent *stream)
{
    SSL *session = bufferevent_openssl_get_ssl(stream);

    if (SSL_is_init_finished(session))
        (void)SSL_shutdown(session);
    ERR_clear_error();
}

void tls_send_now(struct bufferevent *stream)
{
    SSL *session = bufferevent_openssl_get_ssl(stream);
    struct evbuffer *output = bufferevent_get_output(stream);
    struct evbuffer_iovec part;

    (void)evbuffer_unfreeze(output, 1);
    while (SSL_is_init_finished(session) && evbuffer_peek(output, -1, NULL, &part, 1) > 0 &&
           part.iov_len > 0) {
        int count = SSL_write(session, part.iov_base, (int)part.iov_len);

        if (count <= 0)
            break;
        (void)evbuffer_drain(output, (size_t)count);
    }
    ERR_clear_error();
}
