/* One buffer holds what was received and not used yet: lines are cut off its front, blocks are moved out
 * of it. The daemon may be anybody's, so a line has a limit and is made printable before anyone sees it,
 * and a block grows as its bytes come and not as they are announced. */

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
#define BLOCK_MAX (1L << 30)
#define HELLO_S 10

struct connection {
    int fd;
    int passed_fd; /* that came with the last bytes, or -1 */
    size_t used;   /* of the buffer: these belong to the last reply */
    size_t length;
    char *block;
    char words[LINE_BYTES + 1];
    char buffer[LINE_BYTES];
};

/* Requests. */

void request_start(struct request *request, const char *verb)
{
    text_start(&request->text, request->bytes, sizeof request->bytes);
    request->is_plain = true;
    text_add(&request->text, verb);
}

static bool is_printable(char letter)
{
    return letter >= ' ' && letter <= '~';
}

static void add_value(struct request *request, const char *value)
{
    bool is_quoted = value[0] == '\0' || strpbrk(value, " \"\\") != NULL;

    if (is_quoted)
        text_add_char(&request->text, '"');
    for (; *value != '\0'; value++) {
        request->is_plain &= is_printable(*value);
        if (*value == '"' || *value == '\\')
            text_add_char(&request->text, '\\');
        text_add_char(&request->text, *value);
    }
    if (is_quoted)
        text_add_char(&request->text, '"');
}

void request_add(struct request *request, const char *key, const char *value)
{
    text_add_char(&request->text, ' ');
    if (key != NULL) {
        text_add(&request->text, key);
        text_add_char(&request->text, '=');
    }
    add_value(request, value);
}

void request_add_number(struct request *request, const char *key, unsigned long number)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%lu", number);
    request_add(request, key, digits);
}

void request_append(struct request *request, const struct request *keys)
{
    text_add(&request->text, keys->bytes);
    request->text.is_cut |= keys->text.is_cut;
    request->is_plain &= keys->is_plain;
}

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

/* A daemon that refuses a block may end the connection before it has all of it. Then the reply tells
 * more than the failure, so that is left to whoever reads it. */
int connection_send(struct connection *client, const struct request *request, struct span block,
                    struct text *problem)
{
    if (!request->is_plain || request->text.is_cut || request->text.length + 1 >= REQUEST_MAX) {
        text_add(problem, request->is_plain ? "the request is longer than the daemon takes"
                                            : "only printable ASCII can be sent to the daemon");
        return -1;
    }
    if (send_all(client->fd, request->bytes, request->text.length) == 0 &&
        send_all(client->fd, "\n", 1) == 0)
        (void)send_all(client->fd, block.start, block.length);
    return 0;
}

/* Receiving. */

static void keep_descriptor(struct connection *client, struct msghdr *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
         part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        if (client->passed_fd >= 0)
            close(client->passed_fd);
        memcpy(&client->passed_fd, CMSG_DATA(part), sizeof client->passed_fd);
    }
}

/* Reads more into the buffer, which has room. Returns false at the end. */
static bool receive(struct connection *client)
{
    struct iovec place = {client->buffer + client->length, LINE_BYTES - client->length};
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
        count = recvmsg(client->fd, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return false;
    keep_descriptor(client, &message);
    client->length += (size_t)count;
    return true;
}

static void drop_used(struct connection *client)
{
    client->length -= client->used;
    memmove(client->buffer, client->buffer + client->used, client->length);
    client->used = 0;
}

static bool read_line(struct connection *client)
{
    char *end;
    size_t length;

    drop_used(client);
    while ((end = memchr(client->buffer, '\n', client->length)) == NULL) {
        if (client->length == LINE_BYTES || !receive(client))
            return false;
    }
    length = (size_t)(end - client->buffer);
    client->used = length + 1;
    for (size_t i = 0; i < length; i++)
        client->words[i] = is_printable(client->buffer[i]) ? client->buffer[i] : '?';
    client->words[length] = '\0';
    return true;
}

static bool read_block(struct connection *client, size_t length)
{
    size_t count = 0;

    free(client->block);
    client->block = xcalloc(1, 1);
    while (count < length) {
        size_t part;

        drop_used(client);
        if (client->length == 0 && !receive(client))
            return false;
        part = length - count < client->length ? length - count : client->length;
        client->block = xrealloc(client->block, count + part + 1);
        memcpy(client->block + count, client->buffer, part);
        client->used = part;
        count += part;
    }
    client->block[length] = '\0';
    return true;
}

static const struct {
    const char *word;
    enum reply_kind kind;
} kinds[] = {
    {"ok", REPLY_OK},       {"block", REPLY_BLOCK}, {"error", REPLY_ERROR},
    {"event", REPLY_EVENT}, {"start", REPLY_START},
};

static enum reply_kind kind_of(struct span word)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (span_is(word, kinds[i].word))
            return kinds[i].kind;
    }
    return REPLY_LOST;
}

void connection_read(struct connection *client, struct reply *reply)
{
    struct span rest, size;
    long length = 0;

    *reply = (struct reply){.kind = REPLY_LOST, .words = "", .block = ""};
    if (!read_line(client))
        return;
    rest = span_of(client->words);
    reply->kind = kind_of(span_cut(&rest, ' '));
    reply->words = rest.start != NULL ? rest.start : "";
    if (reply->kind != REPLY_BLOCK)
        return;
    rest = span_of(reply->words);
    size = span_cut(&rest, ' ');
    if (span_read_number(size, 0, BLOCK_MAX, &length) != 0 || !read_block(client, (size_t)length)) {
        reply->kind = REPLY_LOST;
        return;
    }
    reply->words = rest.start != NULL ? rest.start : "";
    reply->block = client->block;
    reply->length = (size_t)length;
}

int reply_error(const struct reply *reply, const char **sentence)
{
    struct span rest = span_of(reply->words);
    struct span class = span_cut(&rest, ' ');

    if (rest.start != NULL)
        (void)span_cut(&rest, ' ');
    *sentence = rest.start != NULL ? rest.start : reply->words;
    if (span_is(class, "yours"))
        return CLI_USAGE;
    return span_is(class, "bots") ? CLI_BOT_FAULT : CLI_FAILED;
}

int connection_ask(struct connection *client, const struct request *request, struct span block,
                   struct reply *reply)
{
    char words[200];
    struct text problem;
    const char *sentence;
    int code;

    text_start(&problem, words, sizeof words);
    if (connection_send(client, request, block, &problem) != 0) {
        message_say("%s", words);
        return CLI_USAGE;
    }
    do
        connection_read(client, reply);
    while (reply->kind == REPLY_EVENT);
    if (reply->kind == REPLY_OK || reply->kind == REPLY_BLOCK)
        return CLI_FINE;
    if (reply->kind != REPLY_ERROR) {
        message_say("the daemon ended the connection");
        return CLI_FAILED;
    }
    code = reply_error(reply, &sentence);
    message_say("%s", sentence);
    return code;
}

/* Words of replies. */

bool reply_cut(struct span *rest, struct text *key, struct text *value)
{
    bool is_quoted = false, has_key = false;

    while (rest->start != NULL && rest->length > 0 && *rest->start == ' ')
        *rest = (struct span){rest->start + 1, rest->length - 1};
    if (rest->start == NULL || rest->length == 0)
        return false;
    for (; rest->length > 0; rest->start++, rest->length--) {
        char letter = *rest->start;

        if (letter == ' ' && !is_quoted)
            break;
        if (letter == '"') {
            is_quoted = !is_quoted;
        } else if (letter == '=' && !is_quoted && !has_key) {
            has_key = true;
            text_add_bytes(key, value->buffer, value->length);
            text_start(value, value->buffer, value->capacity);
        } else {
            if (letter == '\\' && is_quoted && rest->length > 1)
                *rest = (struct span){rest->start + 1, rest->length - 1};
            text_add_char(value, *rest->start);
        }
    }
    return true;
}

void reply_find(const struct reply *reply, const char *key, struct text *value)
{
    char name[64], found[1024];
    struct span rest = span_of(reply->words);
    struct text name_text, found_text;

    text_start(&name_text, name, sizeof name);
    text_start(&found_text, found, sizeof found);
    while (reply_cut(&rest, &name_text, &found_text)) {
        if (strcmp(name, key) == 0) {
            text_add(value, found);
            return;
        }
        text_start(&name_text, name, sizeof name);
        text_start(&found_text, found, sizeof found);
    }
}

/* Beginning and end. */

static void set_patience(int fd, long seconds)
{
    struct timeval limit = {.tv_sec = seconds};

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

/* Something else may listen there, and never say a word. */
static int greet(struct connection *client, const char *token, struct text *problem)
{
    struct request request;
    struct reply reply;
    const char *sentence;
    int code = CLI_FAILED;

    request_start(&request, "hello");
    request_add(&request, NULL, "1");
    if (token != NULL)
        request_add(&request, "token", token);
    if (connection_send(client, &request, span_of(""), problem) != 0)
        return CLI_USAGE;
    set_patience(client->fd, HELLO_S);
    connection_read(client, &reply);
    set_patience(client->fd, 0);
    if (reply.kind == REPLY_OK)
        return CLI_FINE;
    if (reply.kind == REPLY_ERROR) {
        code = reply_error(&reply, &sentence);
        text_add(problem, sentence);
    } else {
        text_add(problem, "no daemon of the referee answers there");
    }
    return code;
}

struct connection *connection_open(const struct dial *dial, int *code, struct text *problem)
{
    struct connection *client = NULL;
    char *token = dial_token(dial, problem);
    int fd;

    *code = CLI_USAGE;
    if (token == NULL && problem->length > 0)
        return NULL;
    *code = CLI_FAILED;
    fd = dial_open(dial, problem);
    if (fd >= 0) {
        client = xcalloc(1, sizeof *client);
        client->fd = fd;
        client->passed_fd = -1;
        *code = greet(client, token, problem);
    }
    free(token);
    if (*code != CLI_FINE) {
        connection_free(client);
        return NULL;
    }
    return client;
}

struct connection *connection_begin(const struct dial *dial, int *code)
{
    char words[600];
    struct text problem;
    struct connection *client;

    text_start(&problem, words, sizeof words);
    client = connection_open(dial, code, &problem);
    if (client == NULL)
        message_say("%s", words);
    return client;
}

void connection_free(struct connection *client)
{
    if (client == NULL)
        return;
    if (client->fd >= 0)
        close(client->fd);
    if (client->passed_fd >= 0)
        close(client->passed_fd);
    free(client->block);
    free(client);
}

int connection_fd(const struct connection *client)
{
    return client->fd;
}

int connection_take_fd(struct connection *client)
{
    int fd = client->passed_fd;

    client->passed_fd = -1;
    return fd;
}

int connection_steal(struct connection *client, struct span *unread)
{
    int fd = client->fd;

    drop_used(client);
    *unread = (struct span){client->buffer, client->length};
    client->fd = -1;
    return fd;
}
