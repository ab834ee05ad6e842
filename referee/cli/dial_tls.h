#ifndef REFEREE_CLI_DIAL_TLS_H
#define REFEREE_CLI_DIAL_TLS_H

/* TLS for clients of a daemon. The daemon must prove who it is, before anything is sent to it: by a
 * certificate for its host name that an authority has signed, or by one whose fingerprint is
 * known. */

#include "base/text.h"

#include <stdbool.h>

/* Whom to trust. */
struct dial_tls {
    bool is_wanted;
    const char *authorities; /* a file; NULL: those of the system */
    const char *fingerprint; /* SHA-256 of the certificate, in hexadecimal; NULL: any */
};

/* Whether it is a fingerprint: 64 digits, perhaps with colons. */
bool dial_tls_is_fingerprint(const char *text);

/* Makes a TLS connection of a blocking TCP connection to `host`, which it takes. Returns a socket
 * on which everything is sent and received in the clear, while a process of its own passes it on.
 * -1 with one sentence in `problem`; `is_hopeless` says that another try would fail, too. */
int dial_tls_start(const struct dial_tls *tls, const char *host, int fd, bool *is_hopeless,
                   struct text *problem);

#endif
