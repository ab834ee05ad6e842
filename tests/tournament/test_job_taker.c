/* A job server is not trusted: it gets no more work or memory out of a taker than was offered. */

#include "tournament/distribute/job_taker.h"

#include "base/memory.h"
#include "support/patience.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MORE_BYTES ((size_t)16 << 20) /* than a socket takes */

static struct event_base *base;
static struct job_taker *taker;
static int door = -1, server = -1;
static unsigned most, taken, ups;
static char lost[100];
static size_t waiting_max;

static bool wants_job(void *context)
{
    (void)context;
    return taken < most;
}

static void on_job(void *context, struct job_taker *from, const char *handle, struct span data)
{
    (void)context;
    (void)from;
    (void)handle;
    (void)data;
    taken++;
}

static void on_lost(void *context, struct job_taker *from, const char *why)
{
    (void)context;
    (void)from;
    snprintf(lost, sizeof lost, "%s", why);
}

static void on_up(void *context, struct job_taker *from)
{
    (void)context;
    (void)from;
    ups++;
}

static void begin(void)
{
    static const char functions[1][JOB_TAKER_FUNCTION_MAX] = {"play"};
    static const struct job_taker_observer observer = {wants_job, on_job, on_lost, on_up, NULL};
    static char address[40];
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof name;

    waiting_max = gearman_link_waiting_max;
    base = event_base_new();
    door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(bind(door, (struct sockaddr *)&name, sizeof name), 0);
    cr_assert_eq(listen(door, 1), 0);
    cr_assert_eq(getsockname(door, (struct sockaddr *)&name, &length), 0);
    snprintf(address, sizeof address, "127.0.0.1:%u", ntohs(name.sin_port));
    most = 1;
    taker = job_taker_new(base, address, functions, 1, &observer);
    while (ups == 0)
        event_base_loop(base, EVLOOP_ONCE);
    server = accept(door, NULL, NULL);
    cr_assert_geq(server, 0);
}

static void end(void)
{
    gearman_link_waiting_max = waiting_max;
    job_taker_free(taker);
    event_base_free(base);
    close(server);
    close(door);
}

TestSuite(job_taker, .init = begin, .fini = end, .timeout = PATIENCE_TEST_SECONDS);

static void answer(enum gearman_type type, const char *body, size_t length)
{
    char bytes[100];

    gearman_packet_write_head(bytes, type, length);
    memcpy(bytes, "\0RES", 4);
    memcpy(bytes + GEARMAN_HEAD_BYTES, body, length);
    cr_assert_eq(write(server, bytes, GEARMAN_HEAD_BYTES + length),
                 (ssize_t)(GEARMAN_HEAD_BYTES + length));
}

/* The end of the connection comes after all of them. */
Test(job_taker, jobs_that_nobody_asked_for_are_not_taken)
{
    static const char job[] = "H:1\0play\0key\0data";

    for (unsigned i = 0; i < 5; i++)
        answer(GEARMAN_JOB_ASSIGN_UNIQ, job, sizeof job - 1);
    (void)shutdown(server, SHUT_WR);
    while (lost[0] == '\0')
        event_base_loop(base, EVLOOP_ONCE);
    cr_expect_eq(taken, 1, "%u jobs were taken", taken);
}

Test(job_taker, a_server_that_reads_nothing_is_left)
{
    char *data = xcalloc(MORE_BYTES, 1);

    gearman_link_waiting_max = MORE_BYTES + 1000;
    job_taker_send(taker, "H:1", GEARMAN_WORK_COMPLETE, (struct span){data, MORE_BYTES});
    job_taker_send(taker, "H:1", GEARMAN_WORK_COMPLETE, (struct span){data, MORE_BYTES});
    free(data);
    while (lost[0] == '\0')
        event_base_loop(base, EVLOOP_ONCE);
    cr_expect_str_eq(lost, "it does not read");
}
