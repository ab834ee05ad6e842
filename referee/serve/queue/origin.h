#ifndef REFEREE_SERVE_QUEUE_ORIGIN_H
#define REFEREE_SERVE_QUEUE_ORIGIN_H

/* Where a connection comes from, so that the connections of one place can be counted. */

#include <stdbool.h>
#include <sys/types.h>

/* An IPv4 address, the first 64 bits of an IPv6 address, or the user at the other end of a Unix
 * socket. */
struct origin {
    unsigned char bytes[16];
};

struct origin origin_of(int fd);
bool origin_is_same(const struct origin *one, const struct origin *other);

/* The user at the other end of a Unix socket; (uid_t)-1 if it is another kind of socket. */
uid_t origin_uid(int fd);

#endif
