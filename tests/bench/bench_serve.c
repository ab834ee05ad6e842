/* Measures the daemon under the load of a large class: many clients and watchers, all in one event
 * loop here, while the daemon plays matches.
 *
 * First, clients send cheap requests, each as soon as it has the last reply; then the same with
 * TLS, if openssl can make a certificate. Then others watch, some never read, and clients submit
 * a match and bots, each as soon as the last one is acknowledged. The event of a marker bot,
 * submitted when all clients are done, ends the timed part. A second marker bot, submitted when
 * all matches are over, ends the benchmark. */

#include "base/clock.h"
#include "base/memory.h"
#include "support/bench_output.h"
#include "base/directory_tree.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <limits.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_BYTES (PATH_MAX + 100)
#define CLIENTS 50
#define WATCHERS 200
#define STALLED 3
#define BOTS_EACH 18
#define REQUEST_US 2000000
#define SUBMIT_US 6000000 /* after which clients submit no more */
#define PLAYER_BYTES (1 << 20)
#define TRIES 500 /* to connect, a hundredth of a second apart */
#define STREAM_SEED 1469598103934665603U
#define STREAM_FACTOR 1099511628211U

struct bench;
struct client;

typedef void line_fn(struct client *client, const char *line, size_t length);

/* One connection. */
struct client {
    struct bench *bench;
    struct bufferevent *stream;
    line_fn *on_line;
    unsigned number;
    unsigned long replies;
    size_t block_left;    /* bytes of a block still to skip */
    unsigned long events; /* that a watcher has received, */
    unsigned long ends;   /* of them ends of jobs, */
    unsigned long bots;   /* and new bots; */
    uint64_t sum;         /* and a checksum of all */
};

struct bench {
    char referee[PATH_BYTES];
    char bot[PATH_BYTES];
    char folder[PATH_BYTES];
    struct event_base *base;
    SSL_CTX *tls; /* spoken by new clients; NULL: not */
    bool has_certificate;
    pid_t pid;
    struct client clients[CLIENTS];
    struct client watchers[WATCHERS];
    struct client stalled[STALLED];
    struct client submitter; /* submits what all need, and waits */
    unsigned long answers;   /* to cheap requests */
    unsigned long watching;  /* watchers that have started, */
    unsigned long marked;    /* and marker bots that they have seen, in total */
    unsigned long finished;  /* clients that have submitted everything */
    unsigned long submits;
    int64_t start_us;
};

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(1);
}

/* Connections. */

static void on_readable(struct bufferevent *stream, void *context)
{
    struct client *client = context;
    struct evbuffer *input = bufferevent_get_input(stream);
    char *line;
    size_t length;

    for (;;) {
        size_t here = evbuffer_get_length(input);

        if (client->block_left > 0) {
            size_t skipped = here < client->block_left ? here : client->block_left;

            (void)evbuffer_drain(input, skipped);
            client->block_left -= skipped;
            if (client->block_left > 0)
                return;
        }
        line = evbuffer_readln(input, &length, EVBUFFER_EOL_LF);
        if (line == NULL)
            return;
        if (strncmp(line, "error ", 6) == 0 || strstr(line, " over failed ") != NULL) {
            fprintf(stderr, "bench serve: %s\n", line);
            exit(1);
        }
        if (strncmp(line, "block ", 6) == 0)
            client->block_left = strtoul(line + 6, NULL, 10);
        client->on_line(client, line, length);
        free(line);
    }
}

static void on_trouble(struct bufferevent *stream, short what, void *context)
{
    (void)stream;
    (void)context;
    if ((what & BEV_EVENT_CONNECTED) != 0)
        return;
    fprintf(stderr, "bench serve: the daemon closed a connection\n");
    exit(1);
}

static int connect_daemon(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static void send_text(const struct client *client, const char *text)
{
    (void)bufferevent_write(client->stream, text, strlen(text));
}

/* The address that the daemon has reported. */
static int connect_tls(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    FILE *said = fopen("stderr", "re");
    char line[300];
    unsigned port = 0;
    int fd;

    while (said != NULL && port == 0 && fgets(line, sizeof line, said) != NULL)
        (void)sscanf(line, "referee: requests with TLS: 127.0.0.1:%u", &port);
    if (said != NULL)
        fclose(said);
    address.sin_port = htons((uint16_t)port);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        die("bench serve: connect with TLS");
    return fd;
}

static void open_client(struct bench *bench, struct client *client, line_fn *on_line)
{
    int fd = bench->tls != NULL ? connect_tls() : connect_daemon();

    if (fd < 0)
        die("bench serve: connect");
    (void)evutil_make_socket_nonblocking(fd);
    *client = (struct client){.bench = bench, .on_line = on_line, .sum = STREAM_SEED};
    client->stream =
        bench->tls != NULL
            ? bufferevent_openssl_socket_new(bench->base, fd, SSL_new(bench->tls),
                                             BUFFEREVENT_SSL_CONNECTING, BEV_OPT_CLOSE_ON_FREE)
            : bufferevent_socket_new(bench->base, fd, BEV_OPT_CLOSE_ON_FREE);
    bufferevent_setcb(client->stream, on_readable, NULL, on_trouble, client);
    (void)bufferevent_enable(client->stream, EV_READ | EV_WRITE);
    send_text(client, "hello 1\n");
}

static void close_clients(struct client *clients, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bufferevent_free(clients[i].stream);
}

/* Runs the loop until a counter reaches its target. */
static void run_until(const struct bench *bench, const unsigned long *count, unsigned long target)
{
    while (*count < target)
        (void)event_base_loop(bench->base, EVLOOP_ONCE);
}

/* The daemon. */

/* Receipts do not wait for trials of bots, which go on in the background. */
static void write_settings(void)
{
    FILE *file = fopen("settings", "we");

    if (file == NULL || fputs("{\"submit_ms\": 0, \"check_seconds\": 0}\n", file) < 0 ||
        fclose(file) != 0)
        _exit(126);
}

static _Noreturn void become_daemon(const struct bench *bench)
{
    write_settings();
    if (freopen("stderr", "w", stderr) == NULL || freopen("/dev/null", "w", stdout) == NULL)
        _exit(126);
    execl(bench->referee, "referee", "serve", "--socket", "socket", "--store", "store",
          "--settings", "settings", bench->has_certificate ? "--listen" : NULL, "127.0.0.1:0",
          "--tls", "cert.pem", "key.pem", (char *)NULL);
    _exit(127);
}

static void start_daemon(struct bench *bench)
{
    int fd = -1;

    bench->pid = fork();
    if (bench->pid == 0)
        become_daemon(bench);
    for (int i = 0; i < TRIES && fd < 0; i++) {
        fd = connect_daemon();
        if (fd < 0)
            (void)usleep(10000);
    }
    if (fd < 0)
        die("bench serve: the daemon does not start");
    close(fd);
}

static void stop_daemon(const struct bench *bench)
{
    int status = -1;

    (void)kill(bench->pid, SIGTERM);
    if (waitpid(bench->pid, &status, 0) != bench->pid || status != 0)
        fprintf(stderr, "bench serve: the daemon exited with status %d\n", status);
}

static double peak_mb(const struct bench *bench)
{
    char line[200];
    double peak = 0;
    FILE *file;

    snprintf(line, sizeof line, "/proc/%ld/status", (long)bench->pid);
    file = fopen(line, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0)
            peak = strtod(line + 6, NULL) / 1024;
    }
    if (file != NULL)
        fclose(file);
    return peak;
}

/* Cheap requests. */

static void on_answer(struct client *client, const char *line, size_t length)
{
    (void)line;
    (void)length;
    if (client->replies++ > 0)
        client->bench->answers++;
    send_text(client, client->replies % 2 == 0 ? "status\n" : "queue\n");
}

static void bench_requests(struct bench *bench, const char *name)
{
    int64_t start_us = clock_now_us();

    bench->answers = 0;

    for (unsigned i = 0; i < CLIENTS; i++)
        open_client(bench, &bench->clients[i], on_answer);
    while (clock_now_us() - start_us < REQUEST_US)
        (void)event_base_loop(bench->base, EVLOOP_ONCE);
    bench_output_print(name, (double)bench->answers * 1e6 / (double)(clock_now_us() - start_us),
                       "requests/s");
    close_clients(bench->clients, CLIENTS);
}

static void bench_tls(struct bench *bench)
{
    if (!bench->has_certificate)
        return;
    bench->tls = SSL_CTX_new(TLS_client_method());
    bench_requests(bench, "serve.tls_requests_per_s");
    SSL_CTX_free(bench->tls);
    bench->tls = NULL;
}

/* The submitter sends one request after the other. */

static void on_submitter(struct client *client, const char *line, size_t length)
{
    (void)line;
    (void)length;
    client->replies++;
}

static void request(struct bench *bench, const char *text, size_t length)
{
    (void)bufferevent_write(bench->submitter.stream, text, length);
    run_until(bench, &bench->submitter.replies, bench->submitter.replies + 1);
}

/* Submits a marker bot, for its event. */
static void submit_marker(struct bench *bench, unsigned number)
{
    char line[100];

    snprintf(line, sizeof line, "submit marker-%u command=/bin/true\n", number);
    request(bench, line, strlen(line));
}

static void submit_player(struct bench *bench)
{
    static char bytes[PLAYER_BYTES];
    FILE *file = fopen(bench->bot, "re");
    size_t length = file != NULL ? fread(bytes + 100, 1, sizeof bytes - 100, file) : 0;
    int before = snprintf(bytes, 100, "submit first file=first_bot bytes=%zu\n", length);

    if (length == 0)
        die(bench->bot);
    fclose(file);
    memmove(bytes + before, bytes + 100, length);
    request(bench, bytes, (size_t)before + length);
}

/* Watchers. */

static void on_event(struct client *client, const char *line, size_t length)
{
    if (strncmp(line, "event ", 6) != 0) {
        if (++client->replies == 2)
            client->bench->watching++;
        return;
    }
    client->events++;
    if (strncmp(line, "event 0 trial ", 14) == 0)
        return; /* they come long after the bots */
    client->ends += strstr(line, " over ") != NULL;
    client->bots += strncmp(line, "event 0 bot ", 12) == 0;
    for (size_t i = 0; i < length; i++)
        client->sum = (client->sum ^ (unsigned char)line[i]) * STREAM_FACTOR;
    if (strncmp(line, "event 0 bot marker-", 19) == 0)
        client->bench->marked++;
}

static unsigned long count_events(const struct bench *bench)
{
    unsigned long count = 0;

    for (unsigned i = 0; i < WATCHERS; i++)
        count += bench->watchers[i].events;
    return count;
}

/* The number of watchers that received the end of every match and every bot, all in the same order.
 * */
static unsigned count_complete(const struct bench *bench)
{
    unsigned count = 0;

    for (unsigned i = 0; i < WATCHERS; i++) {
        const struct client *watcher = &bench->watchers[i];

        if (watcher->ends == CLIENTS && watcher->bots == bench->submits - CLIENTS + 2 &&
            watcher->sum == bench->watchers[0].sum)
            count++;
    }
    return count;
}

/* Clients that never read: they request more than the daemon buffers for a client, and watch. */

static void open_stalled(struct bench *bench)
{
    for (unsigned i = 0; i < STALLED; i++) {
        struct client *client = &bench->stalled[i];

        open_client(bench, client, on_answer);
        (void)bufferevent_disable(client->stream, EV_READ);
        send_text(client, "watch\n");
        for (unsigned k = 0; k < 2000; k++)
            send_text(client, "help\n");
        bufferevent_setcb(client->stream, NULL, NULL, NULL, NULL);
    }
}

/* Clients that submit a match and then bots. */

static void on_receipt(struct client *client, const char *line, size_t length)
{
    struct bench *bench = client->bench;
    char submission[600];
    char body[300];

    (void)line;
    (void)length;
    if (client->replies > 0)
        bench->submits++;
    if (client->replies > BOTS_EACH || clock_now_us() - bench->start_us > SUBMIT_US) {
        bench->finished++;
        return;
    }
    if (client->replies++ == 0) {
        send_text(client,
                  "match first first rounds=1 set=turn_limit=6 start_ms=60000 move_ms=60000\n");
        return;
    }
    snprintf(body, sizeof body, "#!/bin/sh\n# %-200lu\n", client->replies);
    snprintf(submission, sizeof submission, "submit bot-%u-%lu file=bot.sh bytes=%zu\n%s",
             client->number, client->replies, strlen(body), body);
    send_text(client, submission);
}

static void submit_all(struct bench *bench)
{
    bench->start_us = clock_now_us();
    for (unsigned i = 0; i < CLIENTS; i++) {
        open_client(bench, &bench->clients[i], on_receipt);
        bench->clients[i].number = i;
    }
    run_until(bench, &bench->finished, CLIENTS);
}

static void bench_load(struct bench *bench)
{
    int64_t submitted_us;
    int64_t received_us;
    unsigned long events;

    open_stalled(bench);
    for (unsigned i = 0; i < WATCHERS; i++) {
        open_client(bench, &bench->watchers[i], on_event);
        send_text(&bench->watchers[i], "watch\n");
    }
    run_until(bench, &bench->watching, WATCHERS);
    submit_all(bench);
    submitted_us = clock_now_us() - bench->start_us;
    submit_marker(bench, 1);
    run_until(bench, &bench->marked, WATCHERS);
    received_us = clock_now_us() - bench->start_us;
    events = count_events(bench);
    run_until(bench, &bench->watchers[0].ends, CLIENTS);
    submit_marker(bench, 2);
    run_until(bench, &bench->marked, 2UL * WATCHERS);
    bench_output_print("serve.watchers", count_complete(bench), "watchers");
    bench_output_print("serve.submits_per_s", (double)bench->submits * 1e6 / (double)submitted_us,
                       "submits/s");
    bench_output_print("serve.events_per_s", (double)events * 1e6 / (double)received_us,
                       "events/s");
    bench_output_print("serve.rss_mb", peak_mb(bench), "MB");
    close_clients(bench->clients, CLIENTS);
    close_clients(bench->watchers, WATCHERS);
    close_clients(bench->stalled, STALLED);
}

static void run(struct bench *bench)
{
    bench->has_certificate =
        system("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
               "-subj /CN=localhost -keyout key.pem -out cert.pem >openssl.log 2>&1") == 0;
    start_daemon(bench);
    open_client(bench, &bench->submitter, on_submitter);
    run_until(bench, &bench->submitter.replies, 1);
    submit_player(bench);
    if (bench_output_is_wanted("serve.requests"))
        bench_requests(bench, "serve.requests_per_s");
    if (bench_output_is_wanted("serve.tls_requests"))
        bench_tls(bench);
    bench_load(bench);
    bufferevent_free(bench->submitter.stream);
    stop_daemon(bench);
}

int main(int argc, char **argv)
{
    struct bench *bench = xcalloc(1, sizeof *bench);
    char own_folder[300];
    char folder[PATH_MAX];

    bench_output_init(argc, argv);
    if (!bench_output_is_wanted("serve"))
        return 0;
    if (!bench_output_folder(argv, own_folder, sizeof own_folder) ||
        realpath(own_folder, folder) == NULL)
        return 1;
    snprintf(bench->referee, sizeof bench->referee, "%s/../referee", folder);
    snprintf(bench->bot, sizeof bench->bot, "%s/first_bot", folder);
    snprintf(bench->folder, sizeof bench->folder, "%s/serve-XXXXXX", folder);
    if (mkdtemp(bench->folder) == NULL || chdir(bench->folder) != 0)
        die(bench->folder);
    (void)signal(SIGPIPE, SIG_IGN);
    bench->base = event_base_new();
    run(bench);
    event_base_free(bench->base);
    directory_tree_remove(bench->folder);
    free(bench);
    return 0;
}
