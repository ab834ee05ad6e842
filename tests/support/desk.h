#ifndef TESTS_SUPPORT_DESK_H
#define TESTS_SUPPORT_DESK_H

/* Conversations with the daemon's control protocol, over real sockets and with a real queue in a
 * folder of its own, which lets nothing be played. The loop runs while somebody listens. */

#include "serve/control/control_private.h"

#include <stdbool.h>
#include <stddef.h>

#define DESK_TOKEN_USER "alice"

struct desk {
    struct event_base *base;
    struct event_base *idle_base; /* the queue's: never runs, so no job ever begins */
    struct queue *queue;
    struct users *users;
    struct remote_bots *remote_bots;
    struct control *control;
    char token[USERS_TOKEN_BYTES]; /* of DESK_TOKEN_USER */
    unsigned shutdowns;
    bool was_urgent;
};

/* One side of a connection. */
struct peer {
    int fd;
    size_t length;
    char bytes[1 << 16]; /* come and not heard yet */
};

extern struct desk desk;

void desk_open(void);
void desk_close(void);

/* Lets the loop run as long as it has something to do at once. */
void desk_turn(void);

/* Connects by that address; by_socketpair, so the owner is at the local one. */
void peer_connect(struct peer *peer, enum control_address address);
void peer_hang_up(struct peer *peer);

/* Connects and says hello. */
void peer_begin(struct peer *peer, enum control_address address);

/* Sends a line; any bytes; nothing more. */
void say(struct peer *peer, const char *line);
void say_bytes(struct peer *peer, const char *bytes, size_t length);
void say_no_more(struct peer *peer);

/* The next line is exactly that, or begins so; the next bytes are; the connection ends. */
void hears(struct peer *peer, const char *line);
void hears_beginning(struct peer *peer, const char *beginning);
void hears_block(struct peer *peer, const char *body);
void hears_end(struct peer *peer);

/* The next line, lent until the next call. */
const char *next_line(struct peer *peer);

/* Says a line, and hears the other. */
void asks(struct peer *peer, const char *line, const char *reply);

#endif
