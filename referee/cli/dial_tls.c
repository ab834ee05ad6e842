/* The handshake is made here, with a time limit. Then a process of its own passes bytes between the
 * connection and a plain socket, so that nothing else in a client has to know about TLS. */

#include "cli/dial_tls.h"

#include "base/memory.h"
#include "cli/dial_pump.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define HANDSHAKE_S 10
#define DIGEST_BYTES 32

/* Reads 64 hexadecimal digits, with or without colons. */
static bool read_fingerprint(const char *text, unsigned char digest[DIGEST_BYTES])
{
    unsigned digits = 0;

    for (; *text != '\0'; text++) {
        int digit =
            isdigit((unsigned char)*text) ? *text - '0' : tolower((unsigned char)*text) - 'a' + 10;

        if (*text == ':')
            continue;
        if (!isxdigit((unsigned char)*text) || digits == 2 * DIGEST_BYTES)
            return false;
        digest[digits / 2] =
            (unsigned char)(digits % 2 == 0 ? digit << 4 : digest[digits / 2] | digit);
        digits++;
    }
    return digits == 2 * DIGEST_BYTES;
}

bool dial_tls_is_fingerprint(const char *text)
{
    unsigned char digest[DIGEST_BYTES];

    return read_fingerprint(text, digest);
}

static SSL_CTX *make_context(const struct dial_tls *tls, struct text *problem)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    bool is_fine = context != NULL;

    if (is_fine) {
        (void)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
        (void)SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
        (void)SSL_CTX_set_mode(context,
                               SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        is_fine = tls->authorities != NULL
                      ? SSL_CTX_load_verify_locations(context, tls->authorities, NULL) == 1
                      : SSL_CTX_set_default_verify_paths(context) == 1;
        SSL_CTX_set_verify(context, tls->fingerprint != NULL ? SSL_VERIFY_NONE : SSL_VERIFY_PEER,
                           NULL);
    }
    if (is_fine)
        return context;
    if (tls->authorities != NULL)
        text_printf(problem, "--ca: %s is not a file of certificates in PEM", tls->authorities);
    else
        text_add(problem, "TLS does not work on this machine");
    SSL_CTX_free(context);
    return NULL;
}

/* The name that the certificate must have. */
static bool set_host(SSL *session, const char *host)
{
    unsigned char address[sizeof(struct in6_addr)];

    if (inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1;
    SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set_tlsext_host_name(session, host) == 1 && SSL_set1_host(session, host) == 1;
}

static void set_time_limit(int fd, long seconds)
{
    struct timeval limit = {.tv_sec = seconds};

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

static void explain_handshake(SSL *session, const char *host, bool *is_hopeless,
                              struct text *problem)
{
    long verdict = SSL_get_verify_result(session);
    const char *why = ERR_reason_error_string(ERR_peek_last_error());

    if (verdict != X509_V_OK) {
        *is_hopeless = true;
        text_printf(problem,
                    "the certificate of %s is not to be trusted: %s; name its authority with --ca "
                    "FILE, or its fingerprint with --fingerprint",
                    host, X509_verify_cert_error_string(verdict));
    } else {
        text_printf(problem, "cannot speak TLS with %s: %s", host,
                    why != NULL ? why : "it closed the connection, or said nothing");
    }
    ERR_clear_error();
}

static bool has_fingerprint(const SSL *session, const char *fingerprint)
{
    X509 *certificate = SSL_get1_peer_certificate(session);
    unsigned char wanted[DIGEST_BYTES];
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    bool is_same = certificate != NULL && read_fingerprint(fingerprint, wanted) &&
                   X509_digest(certificate, EVP_sha256(), digest, &length) == 1 &&
                   length == DIGEST_BYTES && memcmp(wanted, digest, DIGEST_BYTES) == 0;

    X509_free(certificate);
    return is_same;
}

static int shake_hands(const struct dial_tls *tls, SSL *session, const char *host,
                       bool *is_hopeless, struct text *problem)
{
    int result;

    set_time_limit(SSL_get_fd(session), HANDSHAKE_S);
    ERR_clear_error();
    result = set_host(session, host) ? SSL_connect(session) : 0;
    set_time_limit(SSL_get_fd(session), 0);
    if (result != 1) {
        explain_handshake(session, host, is_hopeless, problem);
        return -1;
    }
    if (tls->fingerprint == NULL || has_fingerprint(session, tls->fingerprint))
        return 0;
    *is_hopeless = true;
    text_printf(problem, "the certificate of %s has another fingerprint", host);
    return -1;
}

int dial_tls_start(const struct dial_tls *tls, const char *host, int fd, bool *is_hopeless,
                   struct text *problem)
{
    SSL_CTX *context = make_context(tls, problem);
    SSL *session = context != NULL ? SSL_new(context) : NULL;
    int plain = -1;

    *is_hopeless = context == NULL;
    if (session != NULL && SSL_set_fd(session, fd) == 1 &&
        shake_hands(tls, session, host, is_hopeless, problem) == 0)
        plain = dial_pump_start(session, problem);
    SSL_free(session);
    SSL_CTX_free(context);
    close(fd);
    return plain;
}
