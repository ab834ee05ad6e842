#ifndef TESTS_SUPPORT_HTTP_FIXTURE_H
#define TESTS_SUPPORT_HTTP_FIXTURE_H

/* The HTTP side of the daemon with a real queue, and browsers that connect to it: all in one event
 * loop, over real sockets of this machine. Nothing sleeps: a function that waits runs the loop. Any
 * failure here fails the test. */

#include "serve/control/control.h"
#include "serve/http/http.h"
#include "serve/queue/queue.h"

#include <stdbool.h>
#include <stddef.h>

struct event_base;

#define HTTP_FIXTURE_TITLE "<b>\"A & B\"</b>"
#define HTTP_FIXTURE_USER "anna"

struct http_fixture {
    struct event_base *base;
    struct queue *queue;
    struct users *users;
    struct control *control;
    struct http *http;
    struct settings settings; /* the defaults; a test may change them at any time */
    char token[33];           /* of HTTP_FIXTURE_USER */
    unsigned short ports[2];  /* by `is_open` */
};

extern struct http_fixture http_fixture;

/* Starts with at most that many connections. Job 1, called HTTP_FIXTURE_TITLE, has artifacts and
 * the log 1.1; job 2 has no decided match; there are bots `a`, in two versions, and `b`. Uses
 * support/scratch.h. */
void http_fixture_begin(unsigned connections);
void http_fixture_end(void);

/* One connection. */
struct http_client {
    int fd;
    bool is_closed; /* by the server */
    char *bytes;    /* what it has received, NUL-terminated */
    size_t length;
};

struct http_client *http_client_connect(bool is_open);
void http_client_leave(struct http_client *client);

/* Sends all of it. */
void http_client_send(struct http_client *client, const char *bytes, size_t length);
void http_client_say(struct http_client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads what has arrived. */
void http_client_read(struct http_client *client);

/* Lets the loop run once. Returns false if the test has taken too long. */
bool http_fixture_turn(void);

/* Runs the loop until the client has received `message`, or until the server has closed the
 * connection. */
void http_client_wait(struct http_client *client, const char *message);
void http_client_wait_end(struct http_client *client);

/* Makes a request on a new connection: "GET /path HTTP/1.1" and a Host, then `more`, which is
 * header lines with their line ends. Returns all of the reply, lent until the next call. */
const char *http_client_ask(bool is_open, const char *request, const char *more);

/* The status of a reply; what follows its headers. */
int http_client_status(const char *reply);
const char *http_client_body(const char *reply);

#endif
