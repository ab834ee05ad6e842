#include "support/http_fixture.h"

#include "serve/queue/remote_bots.h"

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

#define SOCKET_BYTES 16384 /* small, so that a slow reader soon blocks */

struct http_fixture http_fixture;

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
    static const struct caller caller = {.user = "owner", .is_owner = true};
    struct request_error error = {0};
    struct new_bot offer = {.name = name, .command = "/bin/true"};

    cr_assert_geq(queue_submit_bot(http_fixture.queue, &caller, &offer, &error), 0, "%s",
                  error.message);
}

static void submit_job(const char *file)
{
    static const struct caller caller = {.user = "owner", .is_owner = true};
    struct request_error error = {0};

    cr_assert_gt(queue_submit_job(http_fixture.queue, &caller, span_of(file), false, &error), 0,
                 "%s", error.message);
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
    write_words("store/jobs/1/store/logs/000001/01.ndjson.zst", "{\"a\":\"</script>\"}\n");
    write_words("store/jobs/1/store/open/000002/01.ndjson.zst", "secret");
}

/* Its program only waits: so job 1 is being played, and job 2 is in the queue. */
/* No remote bot ever plays here. */
static bool is_connected(void *context, const char *name)
{
    (void)context;
    (void)name;
    return false;
}

static void open_queue(void)
{
    char message[400];
    struct text problem;
    char *folder = xstrdup(scratch_path("store"));
    struct queue_setup setup = {.is_connected = is_connected,
                                .socket = "/nowhere",
                                .base = http_fixture.base,
                                .folder = folder,
                                .slots = 1,
                                .level = SANDBOX_GUARDED,
                                .settings = &http_fixture.settings};

    setup.program = program = xstrdup(scratch_path("program"));
    write_words("program", "#!/bin/sh\nexec sleep 1000\n");
    cr_assert_eq(chmod(program, 0755), 0);
    text_start(&problem, message, sizeof message);
    http_fixture.queue = queue_new(&setup, &problem);
    cr_assert_not_null(http_fixture.queue, "%s", message);
    cr_assert_eq(users_add(scratch_path("users"), &(struct new_user){.name = HTTP_FIXTURE_USER},
                           http_fixture.token, &problem),
                 0, "%s", message);
    http_fixture.users = users_open(scratch_path("users"), &problem);
    cr_assert_not_null(http_fixture.users, "%s", message);
    free(folder);
}

static int connect_user(void *context, const char *user, struct request_error *error)
{
    return control_connect(context, user, error);
}

static struct remote_bots *remote_bots;

/* The queue of the fixture plays nothing, so nobody waits for them. */
static void on_arrival(void *context)
{
    (void)context;
}

void http_fixture_begin(unsigned connections)
{
    struct control_setup control = {.connections = 16};
    struct http_setup setup;

    scratch_begin();
    began_us = clock_now_us();
    http_fixture.base = event_base_new();
    http_fixture.settings = settings_default();
    open_queue();
    submit_bot("a");
    submit_bot("a");
    submit_bot("b");
    submit_job("{\"name\": \"<b>\\\"A & B\\\"</b>\", \"bots\": [\"a\", \"b\"], \"seats\": 2}");
    submit_job("{\"name\": \"second\", \"bots\": [\"a\", \"b\"], \"seats\": 2}");
    write_papers();
    control.base = http_fixture.base;
    control.queue = http_fixture.queue;
    control.users = http_fixture.users;
    remote_bots = remote_bots_new(http_fixture.base, on_arrival, NULL);
    control.remote_bots = remote_bots;
    http_fixture.control = control_new(&control);
    setup = (struct http_setup){.base = http_fixture.base,
                                .queue = http_fixture.queue,
                                .users = http_fixture.users,
                                .connections = connections,
                                .connect = connect_user,
                                .context = http_fixture.control};
    http_fixture.http = http_new(&setup);
    cr_assert_not_null(http_fixture.http);
    for (int is_open = 0; is_open < 2; is_open++)
        cr_assert_eq(
            http_listen(http_fixture.http, listen_somewhere(&http_fixture.ports[is_open]), is_open),
            0);
}

void http_fixture_end(void)
{
    http_free(http_fixture.http);
    control_free(http_fixture.control);
    remote_bots_free(remote_bots);
    queue_free(http_fixture.queue);
    users_free(http_fixture.users);
    event_base_free(http_fixture.base);
    free(answer);
    answer = NULL;
    free(program);
    scratch_end();
}

struct http_client *http_client_connect(bool is_open)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons(http_fixture.ports[is_open])};
    struct http_client *client = xcalloc(1, sizeof *client);
    int bytes = SOCKET_BYTES;

    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    client->bytes = xstrdup("");
    setsockopt(client->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    cr_assert_eq(connect(client->fd, (struct sockaddr *)&address, sizeof address), 0);
    return client;
}

void http_client_leave(struct http_client *client)
{
    close(client->fd);
    free(client->bytes);
    free(client);
}

bool http_fixture_turn(void)
{
    event_base_loop(http_fixture.base, EVLOOP_NONBLOCK);
    return clock_now_us() - began_us < PATIENCE_US;
}

void http_client_send(struct http_client *client, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = send(client->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (done < 0 && errno != EAGAIN) {
            client->is_closed = true;
            return;
        }
        bytes += done > 0 ? done : 0;
        length -= done > 0 ? (size_t)done : 0;
        cr_assert(http_fixture_turn(), "nobody takes what is sent");
    }
}

void http_client_say(struct http_client *client, const char *format, ...)
{
    char message[20000];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    http_client_send(client, message, strlen(message));
}

void http_client_read(struct http_client *client)
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

void http_client_wait(struct http_client *client, const char *message)
{
    while (strstr(client->bytes, message) == NULL) {
        cr_assert(http_fixture_turn(), "%s never came: %s", message, client->bytes);
        cr_assert_not(client->is_closed, "%s never came: %s", message, client->bytes);
        http_client_read(client);
    }
}

void http_client_wait_end(struct http_client *client)
{
    for (http_client_read(client); !client->is_closed; http_client_read(client))
        cr_assert(http_fixture_turn(), "it is not ended: %s", client->bytes);
}

const char *http_client_ask(bool is_open, const char *request, const char *more)
{
    struct http_client *client = http_client_connect(is_open);

    http_client_say(client, "%s HTTP/1.1\r\nConnection: close\r\n%s\r\n", request, more);
    http_client_wait_end(client);
    free(answer);
    answer = client->bytes;
    client->bytes = NULL;
    http_client_leave(client);
    return answer;
}

int http_client_status(const char *reply)
{
    int status = 0;

    return sscanf(reply, "HTTP/1.%*d %d", &status) == 1 ? status : -1;
}

const char *http_client_body(const char *reply)
{
    const char *end = strstr(reply, "\r\n\r\n");

    return end != NULL ? end + 4 : "";
}
