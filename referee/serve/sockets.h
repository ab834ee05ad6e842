#ifndef REFEREE_SERVE_SOCKETS_H
#define REFEREE_SERVE_SOCKETS_H

/* Listening sockets, made by the daemon, or by systemd before it started the daemon. All are
 * non-blocking and close-on-exec. */

#include "base/text.h"

#include <stdbool.h>

#define SOCKETS_INHERITED_MAX 16

/* A Unix socket that only its owner can connect to. One that a dead daemon left is replaced; one
 * that is in use is not. Returns a descriptor, or -1 with a sentence in `problem`. */
int sockets_unix(const char *path, struct text *problem);

/* "ADDRESS:PORT", "[ADDRESS]:PORT" or "PORT" alone, which is on 127.0.0.1; port 0 is any free port.
 * Returns the same. */
int sockets_tcp(const char *address, struct text *problem);

/* Whether it is such an address, apart from its host, which only the network knows. */
bool sockets_is_address(const char *address);

/* Whether other machines can reach it. */
bool sockets_is_open(int fd);

bool sockets_is_unix(int fd);

/* "127.0.0.1:8080", or the path of a Unix socket. */
void sockets_describe(int fd, struct text *text);

/* A socket that systemd opened for us, and its name in the unit ("" if none). */
struct sockets_inherited {
    int fd;
    char name[32];
};

/* Finds the sockets of systemd. Only the first call finds any. */
unsigned sockets_inherit(struct sockets_inherited list[SOCKETS_INHERITED_MAX]);

#endif
