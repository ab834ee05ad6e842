/* All kinds of places in 16 bytes: IPv4 as IPv6 writes it (::ffff:1.2.3.4), IPv6 without the half
 * that a single machine may choose for itself, and users below the prefix ff00, which no connection
 * comes from. */

#include "serve/queue/origin.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define NETWORK_BYTES 8

static void take_v6(struct origin *origin, const struct in6_addr *address)
{
    memcpy(origin->bytes, address->s6_addr,
           IN6_IS_ADDR_V4MAPPED(address) ? sizeof origin->bytes : NETWORK_BYTES);
}

static void take_v4(struct origin *origin, const struct in_addr *address)
{
    origin->bytes[10] = origin->bytes[11] = 0xff;
    memcpy(origin->bytes + 12, &address->s_addr, sizeof address->s_addr);
}

static void take_user(struct origin *origin, uid_t user)
{
    origin->bytes[0] = 0xff;
    memcpy(origin->bytes + 12, &user, sizeof user);
}

uid_t origin_uid(int fd)
{
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t length = sizeof peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
        return (uid_t)-1;
    return peer.uid;
}

struct origin origin_of(int fd)
{
    struct origin origin = {.bytes = {0}};
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_storage space;
    } address = {.any.sa_family = AF_UNSPEC};
    socklen_t length = sizeof address;

    if (getpeername(fd, &address.any, &length) != 0)
        return origin;
    if (address.any.sa_family == AF_INET)
        take_v4(&origin, &address.v4.sin_addr);
    else if (address.any.sa_family == AF_INET6)
        take_v6(&origin, &address.v6.sin6_addr);
    else
        take_user(&origin, origin_uid(fd));
    return origin;
}

bool origin_is_same(const struct origin *one, const struct origin *other)
{
    return memcmp(one->bytes, other->bytes, sizeof one->bytes) == 0;
}
