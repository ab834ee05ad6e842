#include "support/web.h"

#include "base/clock.h"
#include "base/memory.h"
#include "support/patience.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOCKET_BYTES 16384 /* small, so that a slow reader is soon a burden */

struct web web;

static char *answer;
static char *program; /* of the queue */
static int64_t began_us;

static int listen_somewhere(unsigned short *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int bytes = SOCKET_BYTES;

    cr_assert_geq(fd, 0);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    cr_assert_eq(bind(fd, (struct sockaddr *)&address, length), 0);
    cr_assert_eq(listen(fd, 64), 0);
    cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static void submit_bot(const char *name)
{
    static const struct caller caller = {"owner", true};
    struct request_error error = {0};
    struct new_bot offer = {.name = name, .command = "/bin/true"};

    cr_assert_geq(queue_submit_bot(web.queue, &caller, &offer, &error), 0, "%s", error.message);
}

static void submit_job(const char *file)
{
    static const struct caller caller = {"owner", true};
    struct request_error error = {0};

    cr_assert_gt(queue_submit_job(web.queue, &caller, span_of(file), false, &error), 0, "%s",
                 error.message);
}

static void write_words(const char *name, const char *message)
{
    scratch_write(name, message, strlen(message));
}

static void write_papers(void)
{
    write_words("store/jobs/1/store/standings.txt", "the standings");
    write_words("store/jobs/1/store/standings.json", "{\"bots\":[]}");
    write_words("store/jobs/1/store/standings.csv", "place,bot\r\n");
    write_words("store/jobs/1/store/cross.csv", "row,column\r\n");
    write_words("store/jobs/1/store/matches.csv", "block,match\r\n");
    write_words("store/jobs/1/store/report.html", "<title>report</title>");
    write_words("store/jobs/1/store/logs/000001/01.ndjson", "{\"a\":\"</script>\"}\n");
    write_words("store/jobs/1/store/open/000002/01.ndjson", "secret");
}

/* Its program only waits: so job 1 is being played, and job 2 is in the queue. */
static void open_queue(void)
{
    char message[400];
    struct text problem;
    char *folder = xstrdup(scratch_path("store"));
    struct queue_setup setup = {
        .base = web.base, .folder = folder, .slots = 1, .level = SANDBOX_GUARDED};

    setup.program = program = xstrdup(scratch_path("program"));
    write_words("program", "#!/bin/sh\nexec sleep 1000\n");
    cr_assert_eq(chmod(program, 0755), 0);
    text_start(&problem, message, sizeof message);
    web.queue = queue_new(&setup, &problem);
    cr_assert_not_null(web.queue, "%s", message);
    cr_assert_eq(users_add(scratch_path("users"), WEB_USER, web.token, &problem), 0, "%s", message);
    web.users = users_open(scratch_path("users"), &problem);
    cr_assert_not_null(web.users, "%s", message);
    free(folder);
}

void web_begin(unsigned connections)
{
    struct http_setup setup;

    scratch_begin();
    began_us = clock_now_us();
    web.base = event_base_new();
    open_queue();
    submit_bot("a");
    submit_bot("a");
    submit_bot("b");
    submit_job("{\"name\": \"<b>\\\"A & B\\\"</b>\", \"bots\": [\"a\", \"b\"], \"seats\": 2}");
    submit_job("{\"name\": \"second\", \"bots\": [\"a\", \"b\"], \"seats\": 2}");
    write_papers();
    setup = (struct http_setup){web.base, web.queue, web.users, connections};
    web.http = http_new(&setup);
    cr_assert_not_null(web.http);
    for (int is_open = 0; is_open < 2; is_open++)
        cr_assert_eq(http_listen(web.http, listen_somewhere(&web.ports[is_open]), is_open), 0);
}

void web_end(void)
{
    http_free(web.http);
    queue_free(web.queue);
    users_free(web.users);
    event_base_free(web.base);
    free(answer);
    answer = NULL;
    free(program);
    scratch_end();
}

struct web_client *web_connect(bool is_open)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons(web.ports[is_open])};
    struct web_client *client = xcalloc(1, sizeof *client);
    int bytes = SOCKET_BYTES;

    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    client->bytes = xstrdup("");
    setsockopt(client->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    cr_assert_eq(connect(client->fd, (struct sockaddr *)&address, sizeof address), 0);
    return client;
}

void web_leave(struct web_client *client)
{
    close(client->fd);
    free(client->bytes);
    free(client);
}

bool web_turn(void)
{
    event_base_loop(web.base, EVLOOP_NONBLOCK);
    return clock_now_us() - began_us < PATIENCE_US;
}

void web_send(struct web_client *client, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = send(client->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (done < 0 && errno != EAGAIN) {
            client->is_closed = true;
            return;
        }
        bytes += done > 0 ? done : 0;
        length -= done > 0 ? (size_t)done : 0;
        cr_assert(web_turn(), "nobody takes what is sent");
    }
}

void web_say(struct web_client *client, const char *format, ...)
{
    char message[20000];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    web_send(client, message, strlen(message));
}

void web_read(struct web_client *client)
{
    char part[65536];
    ssize_t got;

    while (!client->is_closed) {
        got = recv(client->fd, part, sizeof part, MSG_DONTWAIT);
        if (got < 0 && errno == EAGAIN)
            return;
        if (got <= 0) {
            client->is_closed = true;
            return;
        }
        client->bytes = xrealloc(client->bytes, client->length + (size_t)got + 1);
        memcpy(client->bytes + client->length, part, (size_t)got);
        client->length += (size_t)got;
        client->bytes[client->length] = '\0';
    }
}

void web_wait(struct web_client *client, const char *message)
{
    while (strstr(client->bytes, message) == NULL) {
        cr_assert(web_turn(), "%s never came: %s", message, client->bytes);
        cr_assert_not(client->is_closed, "%s never came: %s", message, client->bytes);
        web_read(client);
    }
}

void web_wait_end(struct web_client *client)
{
    for (web_read(client); !client->is_closed; web_read(client))
        cr_assert(web_turn(), "it is not ended: %s", client->bytes);
}

const char *web_ask(bool is_open, const char *request, const char *more)
{
    struct web_client *client = web_connect(is_open);

    web_say(client, "%s HTTP/1.1\r\nConnection: close\r\n%s\r\n", request, more);
    web_wait_end(client);
    free(answer);
    answer = client->bytes;
    client->bytes = NULL;
    web_leave(client);
    return answer;
}

int web_status(const char *reply)
{
    int status = 0;

    return sscanf(reply, "HTTP/1.%*d %d", &status) == 1 ? status : -1;
}

const char *web_body(const char *reply)
{
    const char *end = strstr(reply, "\r\n\r\n");

    return end != NULL ? end + 4 : "";
}
