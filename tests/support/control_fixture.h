#ifndef TESTS_SUPPORT_CONTROL_FIXTURE_H
#define TESTS_SUPPORT_CONTROL_FIXTURE_H

/* Conversations in the daemon's control protocol, over real sockets and with a real queue in a
 * folder of its own, which plays nothing. The loop runs while a client waits for a line. */

#include "serve/control/control_private.h"

#include <stdbool.h>
#include <stddef.h>

#define CONTROL_FIXTURE_TOKEN_USER "alice"

struct control_fixture {
    struct event_base *base;
    struct event_base *idle_base; /* the queue's: never runs, so no job ever begins */
    struct queue *queue;
    struct users *users;
    struct remote_bots *remote_bots;
    struct control *control;
    struct settings settings;      /* the defaults; a test may change them at any time */
    char token[USERS_TOKEN_BYTES]; /* of CONTROL_FIXTURE_TOKEN_USER */
    unsigned shutdowns;
    bool was_urgent;
};

/* One side of a connection. */
struct peer {
    int fd;
    size_t length;
    char bytes[1 << 16]; /* received but not read by the test yet */
};

extern struct control_fixture control_fixture;

void control_fixture_open(void);
void control_fixture_close(void);

/* Lets the loop run as long as it has something to do at once. */
void control_fixture_turn(void);

/* Connects by a socketpair as if to that kind of address; at the local one the client is the
 * owner. */
void peer_connect(struct peer *peer, enum control_address address);
void peer_hang_up(struct peer *peer);

/* Connects and says hello. */
void peer_begin(struct peer *peer, enum control_address address);

/* Sends a line; any bytes; nothing more. */
void say(struct peer *peer, const char *line);
void say_bytes(struct peer *peer, const char *bytes, size_t length);
void say_no_more(struct peer *peer);

/* Asserts that the next line is exactly this; that it begins so; that the next bytes are these;
 * that the connection ends. */
void hears(struct peer *peer, const char *line);
void hears_beginning(struct peer *peer, const char *beginning);
void hears_block(struct peer *peer, const char *body);
void hears_end(struct peer *peer);

/* The next line, lent until the next call. */
const char *next_line(struct peer *peer);

/* Sends a line and asserts its reply. */
void asks(struct peer *peer, const char *line, const char *reply);

#endif
