#ifndef TESTS_SUPPORT_WEB_H
#define TESTS_SUPPORT_WEB_H

/* An queue with pages, and people who look at them: all in one loop, over real sockets of this
 * machine. Nobody sleeps: whoever waits lets the loop run. What fails here fails the test. */

#include "serve/http/http.h"
#include "serve/queue/queue.h"

#include <stdbool.h>
#include <stddef.h>

struct event_base;

#define WEB_TITLE "<b>\"A & B\"</b>"
#define WEB_USER "anna"

struct web {
    struct event_base *base;
    struct queue *queue;
    struct users *users;
    struct http *http;
    char token[33];          /* of WEB_USER */
    unsigned short ports[2]; /* by `is_open` */
};

extern struct web web;

/* Begins with at most that many connections. There is job 1, called WEB_TITLE, with papers and the
 * log 1.1; job 2, of which nothing is decided; bots `a`, in two versions, and `b`. Uses
 * scratch_dir.h. */
void web_begin(unsigned connections);
void web_end(void);

/* Somebody at a door. */
struct web_client {
    int fd;
    bool is_closed; /* the other side has ended it */
    char *bytes;    /* what it has got, with a NUL behind */
    size_t length;
};

struct web_client *web_connect(bool is_open);
void web_leave(struct web_client *client);

/* Sends all of it. */
void web_send(struct web_client *client, const char *bytes, size_t length);
void web_say(struct web_client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Takes what there is. */
void web_read(struct web_client *client);

/* Lets the loop run once. False when the test has gone on for too long. */
bool web_turn(void);

/* Lets the loop run until it has got these message, or until the other side has ended it. */
void web_wait(struct web_client *client, const char *message);
void web_wait_end(struct web_client *client);

/* Asks on a connection of its own: "GET /path HTTP/1.1" and a Host are put before `more`, which is
 * header lines with their ends. Returns all of the reply, lent until the next call. */
const char *web_ask(bool is_open, const char *request, const char *more);

/* The status of a reply; what follows its headers. */
int web_status(const char *reply);
const char *web_body(const char *reply);

#endif
