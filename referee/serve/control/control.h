#ifndef REFEREE_SERVE_CONTROL_CONTROL_H
#define REFEREE_SERVE_CONTROL_CONTROL_H

/* The control protocol (serve/protocol.md): clients connect and send requests of one line,
 * some followed by a block; each gets one line or one block as its reply. */

#include "serve/ladder/ladder.h"
#include "serve/queue/remote_bots.h"
#include "serve/queue/queue.h"
#include "serve/queue/users.h"
#include "serve/tls/tls.h"

#include <stdbool.h>

struct event_base;
struct control;

/* The kind of address of a listener, which says who a client without a token is. */
enum control_address {
    CONTROL_LOCAL, /* the Unix socket: "owner" for root and the daemon's uid, else "uid-NUMBER" */
    CONTROL_LOOPBACK, /* TCP on this machine: "guest" */
    CONTROL_OPEN,     /* TCP from other machines: refused */
};

struct control_setup {
    struct event_base *base;
    struct queue *queue;
    const struct users *users;
    struct remote_bots *remote_bots; /* NULL: remote bots are not allowed */
    const struct ladders *ladders;   /* NULL: there are none */
    struct tls *tls;                 /* for all TCP listeners; NULL: none */
    unsigned connections;            /* at most, at once */
    /* The owner wants the daemon to end. */
    void (*on_shutdown)(void *context, bool is_urgent);
    void *context;
};

/* `setup` is copied; what it points to is lent. */
struct control *control_new(const struct control_setup *setup);

/* Closes all connections and listeners. NULL is fine. */
void control_free(struct control *control);

/* Accepts connections from a listening socket, which it owns then. Returns 0, or -1 with errno. */
int control_listen(struct control *control, int fd, enum control_address address);

/* Accepts no more connections; existing ones stay. */
void control_close_listeners(struct control *control);

/* Connects a part of the daemon itself, for a user that it knows: the client has been greeted
 * already. Returns a descriptor, non-blocking, which is the caller's; -1 with an error. */
int control_connect(struct control *control, const char *user, struct request_error *error);

unsigned control_count(const struct control *control);

#endif
