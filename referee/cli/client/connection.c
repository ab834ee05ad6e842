/* One buffer holds bytes that were received and not used yet: lines are cut off its front, blocks
 * are moved out of it. The daemon is not trusted, so a line has a limit and is made printable
 * before anyone sees it, and a block grows as its bytes arrive, not as they are announced. */

#include "cli/client/connection.h"

#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#define LINE_BYTES 65536
#define HELLO_S 10

struct connection {
    int fd;
    int passed_fd; /* that came with the last bytes, or -1 */
    size_t used;   /* bytes of the buffer that belong to the last reply */
    size_t length;
    char *block;
    char line[LINE_BYTES + 1];
    char buffer[LINE_BYTES];
};

/* Sending. */

static int send_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = send(fd, bytes, length, MSG_NOSIGNAL);

        if (count < 0 && errno != EINTR)
            return -1;
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        }
    }
    return 0;
}

/* A daemon that refuses a block may close the connection before it has read all of it. Then its
 * reply says more than our failure, so failures are ignored here. */
int connection_send(struct connection *connection, const struct request_line *request,
                    struct span block, struct text *problem)
{
    if (!request->is_printable || request->text.is_cut) {
        text_add(problem, request->is_printable ? "the request is too long for the daemon"
                                                : "requests can only be printable ASCII");
        return -1;
    }
    if (send_all(connection->fd, request->bytes, request->text.length) == 0 &&
        send_all(connection->fd, "\n", 1) == 0)
        (void)send_all(connection->fd, block.start, block.length);
    return 0;
}

/* Receiving. */

static void keep_descriptor(struct connection *connection, struct msghdr *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
         part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        if (connection->passed_fd >= 0)
            close(connection->passed_fd);
        memcpy(&connection->passed_fd, CMSG_DATA(part), sizeof connection->passed_fd);
    }
}

/* Reads more into the buffer, which has room. Returns false if there is no more. */
static bool receive(struct connection *connection)
{
    struct iovec place = {connection->buffer + connection->length, LINE_BYTES - connection->length};
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &place,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t count;

    do
        count = recvmsg(connection->fd, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return false;
    keep_descriptor(connection, &message);
    connection->length += (size_t)count;
    return true;
}

static void drop_used(struct connection *connection)
{
    connection->length -= connection->used;
    memmove(connection->buffer, connection->buffer + connection->used, connection->length);
    connection->used = 0;
}

static bool read_line(struct connection *connection)
{
    char *end;
    size_t length;

    drop_used(connection);
    while ((end = memchr(connection->buffer, '\n', connection->length)) == NULL) {
        if (connection->length == LINE_BYTES || !receive(connection))
            return false;
    }
    length = (size_t)(end - connection->buffer);
    connection->used = length + 1;
    for (size_t i = 0; i < length; i++)
        connection->line[i] = connection->buffer[i] >= ' ' && connection->buffer[i] <= '~'
                                  ? connection->buffer[i]
                                  : '?';
    connection->line[length] = '\0';
    return true;
}

static bool read_block(struct connection *connection, size_t length)
{
    size_t count = 0;

    free(connection->block);
    connection->block = xcalloc(1, 1);
    while (count < length) {
        size_t part;

        drop_used(connection);
        if (connection->length == 0 && !receive(connection))
            return false;
        part = length - count < connection->length ? length - count : connection->length;
        connection->block = xrealloc(connection->block, count + part + 1);
        memcpy(connection->block + count, connection->buffer, part);
        connection->used = part;
        count += part;
    }
    connection->block[length] = '\0';
    return true;
}

void connection_read(struct connection *connection, struct request_reply *reply)
{
    *reply = (struct request_reply){.kind = REQUEST_REPLY_LOST, .text = "", .block = ""};
    if (!read_line(connection))
        return;
    request_reply_read(reply, connection->line);
    if (reply->kind != REQUEST_REPLY_BLOCK && reply->length == 0)
        return;
    if (read_block(connection, reply->length))
        reply->block = connection->block;
    else
        reply->kind = REQUEST_REPLY_LOST;
}

int connection_error(const struct request_reply *reply, const char **message)
{
    static const int codes[] = {
        [REQUEST_ERROR_YOURS] = CLI_USAGE,
        [REQUEST_ERROR_BOTS] = CLI_BOT_FAULT,
        [REQUEST_ERROR_OURS] = CLI_FAILED,
    };

    return codes[request_error_read(reply->text, message)];
}

int connection_ask(struct connection *connection, const struct request_line *request,
                   struct span block, struct request_reply *reply)
{
    char sentence[200];
    struct text problem;
    const char *message;
    int code;

    text_start(&problem, sentence, sizeof sentence);
    if (connection_send(connection, request, block, &problem) != 0) {
        message_say("%s", sentence);
        return CLI_USAGE;
    }
    do
        connection_read(connection, reply);
    while (reply->kind == REQUEST_REPLY_EVENT);
    if (reply->kind == REQUEST_REPLY_OK || reply->kind == REQUEST_REPLY_BLOCK)
        return CLI_FINE;
    if (reply->kind != REQUEST_REPLY_ERROR) {
        message_say("the daemon closed the connection");
        return CLI_FAILED;
    }
    code = connection_error(reply, &message);
    message_say("%s", message);
    return code;
}

/* Start and end. */

static void set_timeout(int fd, long seconds)
{
    struct timeval limit = {.tv_sec = seconds};

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

/* Something else may be listening there that never sends a byte. */
static int say_hello(struct connection *connection, const char *token, bool has_tls,
                     struct text *problem)
{
    struct request_line request;
    struct request_reply reply;
    const char *message = has_tls ? "there is no daemon of the referee"
                                  : "there is no daemon of the referee, or only with --tls";
    int code = CLI_FAILED;

    request_line_start(&request, REQUEST_HELLO);
    request_line_add(&request, NULL, "1");
    if (token != NULL)
        request_line_add(&request, "token", token);
    if (connection_send(connection, &request, span_of(""), problem) != 0)
        return CLI_USAGE;
    set_timeout(connection->fd, HELLO_S);
    connection_read(connection, &reply);
    set_timeout(connection->fd, 0);
    if (reply.kind == REQUEST_REPLY_OK)
        return CLI_FINE;
    if (reply.kind == REQUEST_REPLY_ERROR)
        code = connection_error(&reply, &message);
    text_add(problem, message);
    return code;
}

struct connection *connection_open(const struct dial *dial, int *code, struct text *problem)
{
    struct connection *connection = NULL;
    char *token = dial_token(dial, problem);
    bool is_hopeless = false;
    int fd;

    *code = CLI_USAGE;
    if (token == NULL && problem->length > 0)
        return NULL;
    *code = CLI_FAILED;
    fd = dial_open(dial, token != NULL, &is_hopeless, problem);
    if (is_hopeless)
        *code = CLI_USAGE;
    if (fd >= 0) {
        connection = xcalloc(1, sizeof *connection);
        connection->fd = fd;
        connection->passed_fd = -1;
        *code =
            say_hello(connection, token, dial->tls.is_wanted || dial->host_port == NULL, problem);
    }
    free(token);
    if (*code != CLI_FINE) {
        connection_free(connection);
        return NULL;
    }
    return connection;
}

struct connection *connection_begin(const struct dial *dial, int *code)
{
    char sentence[600];
    struct text problem;
    struct connection *connection;

    text_start(&problem, sentence, sizeof sentence);
    connection = connection_open(dial, code, &problem);
    if (connection == NULL)
        message_say("%s", sentence);
    return connection;
}

void connection_free(struct connection *connection)
{
    if (connection == NULL)
        return;
    if (connection->fd >= 0)
        close(connection->fd);
    if (connection->passed_fd >= 0)
        close(connection->passed_fd);
    free(connection->block);
    free(connection);
}

int connection_fd(const struct connection *connection)
{
    return connection->fd;
}

int connection_take_passed_fd(struct connection *connection)
{
    int fd = connection->passed_fd;

    connection->passed_fd = -1;
    return fd;
}

int connection_take_fd(struct connection *connection, struct span *unread)
{
    int fd = connection->fd;

    drop_used(connection);
    *unread = (struct span){connection->buffer, connection->length};
    connection->fd = -1;
    return fd;
}
