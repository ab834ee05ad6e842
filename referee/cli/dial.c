/* The daemon listens on a Unix socket, unless a host is named. Each failure is one sentence that
 * names the address that was tried. */

#include "cli/dial.h"

#include "base/memory.h"
#include "base/message.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define TOKEN_MAX 200
#define HOST_MAX 256
#define PORT_BYTES 8
#define KEEPALIVE_IDLE_S 60

/* "host:4000" or "[::1]:4000"; the last colon counts. */
static int cut_host(const char *host_port, char *host, char *port)
{
    const char *colon = strrchr(host_port, ':');
    size_t length = colon != NULL ? (size_t)(colon - host_port) : 0;
    long number;

    if (length == 0 || length >= HOST_MAX ||
        span_read_number(span_of(colon + 1), 1, 65535, &number) != 0)
        return -1;
    if (host_port[0] == '[' && host_port[length - 1] == ']') {
        host_port++;
        length -= 2;
    }
    memcpy(host, host_port, length);
    host[length] = '\0';
    snprintf(port, PORT_BYTES, "%ld", number);
    return 0;
}

bool dial_check_host(const char *what, const char *host_port)
{
    char host[HOST_MAX], port[PORT_BYTES];

    if (cut_host(host_port, host, port) == 0)
        return true;
    message_say("%s takes HOST:PORT with a port from 1 to 65535, not `%.60s`", what, host_port);
    return false;
}

/* --socket PATH or --connect HOST:PORT. */
static int read_address(void *destination, const char *name, const char *value)
{
    struct dial *dial = destination;

    if (strcmp(name, "--socket") == 0)
        dial->socket = value;
    else if (dial_check_host(name, value))
        dial->host_port = value;
    else
        return -1;
    if (dial->socket == NULL || dial->host_port == NULL)
        return 0;
    message_say("one daemon at a time: --socket or --connect");
    return -1;
}

/* --ca FILE or --fingerprint SHA256. */
static int read_trust(void *destination, const char *name, const char *value)
{
    struct dial *dial = destination;

    dial->tls.is_wanted = true;
    if (strcmp(name, "--ca") == 0) {
        dial->tls.authorities = value;
        return 0;
    }
    dial->tls.fingerprint = value;
    if (dial_tls_is_fingerprint(value))
        return 0;
    message_say("--fingerprint takes the 64 digits that `referee serve` prints, not `%.70s`",
                value);
    return -1;
}

const struct option_row dial_tls_rows[] = {
    {"--tls", NULL, "speak TLS; the certificate is checked with the system's authorities",
     OPTION_FLAG(struct dial, tls.is_wanted)},
    {"--ca", "FILE", "speak TLS; these authorities, or this certificate, are trusted instead",
     .kind = OPTION_KIND_READ, .read = read_trust},
    {"--fingerprint", "HEX", "speak TLS; only the certificate with this SHA-256 is trusted",
     .kind = OPTION_KIND_READ, .read = read_trust},
    {"--plaintext", NULL, "send your token without TLS even to another machine",
     OPTION_FLAG(struct dial, is_plaintext)},
    {.name = NULL},
};

const struct option_row dial_rows[] = {
    {"--socket", "PATH", "the daemon's Unix socket; otherwise $REFEREE_SOCKET or the default",
     .kind = OPTION_KIND_READ, .read = read_address},
    {"--connect", "HOST:PORT", "connect to the daemon by TCP", .kind = OPTION_KIND_READ,
     .read = read_address},
    {DIAL_TOKEN_FILE(struct dial, token_file)},
    {.group = dial_tls_rows},
    {.name = NULL},
};

bool dial_default_socket(struct text *path)
{
    const char *given = getenv("REFEREE_SOCKET");
    const char *folder = geteuid() == 0 ? "/run" : getenv("XDG_RUNTIME_DIR");

    if (given != NULL && given[0] != '\0') {
        text_add(path, given);
        return true;
    }
    if (folder == NULL || folder[0] == '\0')
        return false;
    text_printf(path, "%s/referee.socket", folder);
    return true;
}

static int explain(struct text *problem, const char *address)
{
    if (errno == ENOENT || errno == ECONNREFUSED)
        text_printf(problem, "no daemon is at %s; `referee serve` starts one", address);
    else
        text_printf(problem, "cannot connect to the daemon at %s: %s", address, strerror(errno));
    return -1;
}

static int open_socket(const char *path, struct text *problem)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct text text;
    int fd;

    text_start(&text, address.sun_path, sizeof address.sun_path);
    text_add(&text, path);
    if (text.is_cut) {
        errno = ENAMETOOLONG;
        return explain(problem, path);
    }
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    explain(problem, path);
    if (fd >= 0)
        close(fd);
    return -1;
}

/* A connection may be silent for hours, but must notice that the other side is gone. */
static void set_options(int fd)
{
    int idle_s = KEEPALIVE_IDLE_S, yes = 1;

    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

static int connect_first(const struct addrinfo *list)
{
    for (; list != NULL; list = list->ai_next) {
        int fd = socket(list->ai_family, list->ai_socktype | SOCK_CLOEXEC, list->ai_protocol);
        int error;

        if (fd < 0)
            continue;
        if (connect(fd, list->ai_addr, list->ai_addrlen) == 0) {
            set_options(fd);
            return fd;
        }
        error = errno;
        close(fd);
        errno = error;
    }
    return -1;
}

static bool is_this_machine(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } peer = {.any.sa_family = AF_UNSPEC};
    socklen_t length = sizeof peer;

    if (getpeername(fd, &peer.any, &length) != 0)
        return false;
    if (peer.any.sa_family == AF_INET)
        return ntohl(peer.v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    return peer.any.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&peer.v6.sin6_addr);
}

/* Takes a TCP connection, and makes of it one on which a token can be sent if there is one. */
static int secure(const struct dial *dial, bool has_token, int fd, bool *is_hopeless,
                  struct text *problem)
{
    char host[HOST_MAX], port[PORT_BYTES];

    if (dial->tls.is_wanted) {
        (void)cut_host(dial->host_port, host, port);
        return dial_tls_start(&dial->tls, host, fd, is_hopeless, problem);
    }
    if (!has_token || dial->is_plaintext || is_this_machine(fd))
        return fd;
    *is_hopeless = true;
    text_printf(problem,
                "your token would be sent to %s in the clear: add --tls, or --plaintext if you "
                "trust the network",
                dial->host_port);
    close(fd);
    return -1;
}

static int open_host(const char *host_port, struct text *problem)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    char host[HOST_MAX], port[PORT_BYTES];
    int fd, result;

    if (cut_host(host_port, host, port) != 0) {
        text_add(problem, "a host is written as HOST:PORT, not ");
        text_add_quoted(problem, span_of(host_port));
        return -1;
    }
    result = getaddrinfo(host, port, &wanted, &list);
    if (result != 0) {
        text_printf(problem, "cannot find the host of %s: %s", host_port, gai_strerror(result));
        return -1;
    }
    fd = connect_first(list);
    freeaddrinfo(list);
    return fd >= 0 ? fd : explain(problem, host_port);
}

static int check_tls(const struct dial *dial, struct text *problem)
{
    if (dial->tls.is_wanted && dial->is_plaintext)
        text_add(problem, "with --plaintext there is no TLS: remove it, or the options for TLS");
    else if (dial->tls.is_wanted && dial->host_port == NULL)
        text_add(problem, "TLS is for TCP: add --connect HOST:PORT");
    else
        return 0;
    return -1;
}

int dial_open(const struct dial *dial, bool has_token, bool *is_hopeless, struct text *problem)
{
    char default_path[sizeof((struct sockaddr_un *)NULL)->sun_path + 1];
    struct text path;

    int fd;

    *is_hopeless = true;
    if (check_tls(dial, problem) != 0)
        return -1;
    *is_hopeless = false;
    if (dial->host_port != NULL) {
        fd = open_host(dial->host_port, problem);
        return fd < 0 ? -1 : secure(dial, has_token, fd, is_hopeless, problem);
    }
    if (dial->socket != NULL)
        return open_socket(dial->socket, problem);
    text_start(&path, default_path, sizeof default_path);
    if (dial_default_socket(&path))
        return open_socket(default_path, problem);
    text_add(problem, "name the daemon with --socket or --connect: neither $REFEREE_SOCKET nor "
                      "$XDG_RUNTIME_DIR is set");
    return -1;
}

/* Reads the first word of a file. */
static char *read_token(const char *path, struct text *problem)
{
    char line[TOKEN_MAX] = "";
    FILE *file = fopen(path, "re");
    const char *why = strerror(errno);
    struct span rest, token;

    if (file != NULL && fgets(line, sizeof line, file) == NULL)
        why = "it is empty";
    if (file != NULL)
        fclose(file);
    rest = span_of(line);
    token = span_cut_word(&rest);
    if (token.length > 0)
        return xstrndup(token.start, token.length);
    text_printf(problem, "--token-file: cannot read the token from %s: %s", path, why);
    return NULL;
}

char *dial_token(const struct dial *dial, struct text *problem)
{
    const char *given = getenv("REFEREE_TOKEN");

    if (dial->token_file != NULL)
        return read_token(dial->token_file, problem);
    return given != NULL && given[0] != '\0' ? xstrdup(given) : NULL;
}
