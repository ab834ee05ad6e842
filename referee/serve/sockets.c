/* Turns addresses of all kinds into listening sockets. */

#include "serve/sockets.h"

#include "base/memory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define BACKLOG 256
#define CALL_TRIES 50
#define CALL_PAUSE_NS 20000000L
#define FIRST_INHERITED 3 /* descriptor of the first socket of systemd */

static int complain(struct text *problem, const char *what, const char *why)
{
    text_printf(problem, "cannot listen at %s: %s", what, why);
    return -1;
}

/* Unix sockets. */

static bool is_answered(const struct sockaddr_un *address)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_there = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) == 0;

    if (fd >= 0)
        close(fd);
    return is_there;
}

/* A daemon that was killed while it started a job leaves a process that has its socket for a
 * moment. */
static bool is_in_use(const struct sockaddr_un *address)
{
    struct timespec pause = {.tv_nsec = CALL_PAUSE_NS};

    for (int i = 0; i < CALL_TRIES; i++) {
        if (!is_answered(address))
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Anything but a socket is never removed. */
static void remove_stale(const char *path)
{
    struct stat status;

    if (lstat(path, &status) == 0 && S_ISSOCK(status.st_mode))
        (void)unlink(path);
}

int sockets_unix(const char *path, struct text *problem)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    mode_t mask;
    int fd;
    int result = -1;

    if (strlen(path) >= sizeof address.sun_path)
        return complain(problem, path, "the path of a socket has at most 107 bytes");
    memcpy(address.sun_path, path, strlen(path));
    if (is_in_use(&address))
        return complain(problem, path, "a daemon is listening here already");
    remove_stale(path);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mask = umask(0177);
    if (fd >= 0)
        result = bind(fd, (const struct sockaddr *)&address, sizeof address);
    (void)umask(mask);
    if (result == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    (void)complain(problem, path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* TCP. */

/* Cuts an address into host and port. Both are lent from `copy`, which is changed. */
static const char *cut_port(char *copy, const char **host)
{
    char *colon = strrchr(copy, ':');

    *host = "127.0.0.1";
    if (colon == NULL)
        return copy;
    *colon = '\0';
    *host = copy;
    if (copy[0] == '[' && colon > copy && colon[-1] == ']') {
        colon[-1] = '\0';
        *host = copy + 1;
    }
    return colon + 1;
}

static int open_tcp(const struct addrinfo *info)
{
    int fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;

    if (fd < 0)
        return -1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (info->ai_family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    close(fd);
    return -1;
}

bool sockets_is_address(const char *address)
{
    char *copy = xstrdup(address);
    const char *host;
    long port;
    bool is_address = span_read_number(span_of(cut_port(copy, &host)), 0, 65535, &port) == 0;

    free(copy);
    return is_address;
}

int sockets_tcp(const char *address, struct text *problem)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char *copy = xstrdup(address);
    const char *host;
    const char *port = cut_port(copy, &host);
    int error = getaddrinfo(host[0] != '\0' ? host : NULL, port, &hints, &found);
    int fd = -1;

    if (error == 0 && !sockets_is_address(address)) {
        (void)complain(problem, address, "a port is a number up to 65535");
        freeaddrinfo(found);
    } else if (error != 0) {
        (void)complain(problem, address, gai_strerror(error));
    } else {
        fd = open_tcp(found);
        if (fd < 0)
            (void)complain(problem, address, strerror(errno));
        freeaddrinfo(found);
    }
    free(copy);
    return fd;
}

/* Looking at a socket. */

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
    struct sockaddr_storage space;
};

static union address address_of(int fd)
{
    union address address = {.any.sa_family = AF_UNSPEC};
    socklen_t length = sizeof address;

    (void)getsockname(fd, &address.any, &length);
    return address;
}

/* An unknown kind of address counts as open. */
bool sockets_is_open(int fd)
{
    union address address = address_of(fd);

    switch (address.any.sa_family) {
    case AF_UNIX:
        return false;
    case AF_INET:
        return (ntohl(address.v4.sin_addr.s_addr) >> 24) != IN_LOOPBACKNET;
    case AF_INET6:
        return !IN6_IS_ADDR_LOOPBACK(&address.v6.sin6_addr);
    default:
        return true;
    }
}

bool sockets_is_unix(int fd)
{
    return address_of(fd).any.sa_family == AF_UNIX;
}

void sockets_describe(int fd, struct text *text)
{
    union address address = address_of(fd);
    char host[NI_MAXHOST];
    char port[NI_MAXSERV];

    if (address.any.sa_family == AF_UNIX) {
        text_add(text, address.local.sun_path);
        return;
    }
    if (getnameinfo(&address.any, sizeof address, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return;
    text_printf(text, address.any.sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

/* Sockets of systemd. */

static bool are_for_us(long *count)
{
    const char *pid = getenv("LISTEN_PID");
    const char *fds = getenv("LISTEN_FDS");
    long number;

    return pid != NULL && fds != NULL &&
           span_read_number(span_of(pid), 1, 1L << 30, &number) == 0 && number == (long)getpid() &&
           span_read_number(span_of(fds), 1, SOCKETS_INHERITED_MAX, count) == 0;
}

unsigned sockets_inherit(struct sockets_inherited list[SOCKETS_INHERITED_MAX])
{
    const char *names = getenv("LISTEN_FDNAMES");
    struct span rest = span_of(names != NULL ? names : "");
    long count = 0;

    if (!are_for_us(&count))
        count = 0;
    for (int i = 0; i < count; i++) {
        struct span name = rest.start != NULL ? span_cut(&rest, ':') : (struct span){"", 0};
        int fd = FIRST_INHERITED + i;

        list[i].fd = fd;
        snprintf(list[i].name, sizeof list[i].name, "%.*s", (int)name.length, name.start);
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
        (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
    (void)unsetenv("LISTEN_PID");
    (void)unsetenv("LISTEN_FDS");
    (void)unsetenv("LISTEN_FDNAMES");
    return (unsigned)count;
}
