#ifndef REFEREE_SERVE_CONTROL_CONTROL_H
#define REFEREE_SERVE_CONTROL_CONTROL_H

/* The control protocol (protocol.md, "The daemon"): people and programs connect, send requests of one
 * line, some with a counted block behind it, and get one line or one counted block for each. */

#include "serve/queue/remote_bots.h"
#include "serve/queue/queue.h"
#include "serve/queue/users.h"

#include <stdbool.h>

struct event_base;
struct control;

/* Where somebody comes in, and so who he is without a token. */
enum control_door {
    CONTROL_LOCAL, /* the Unix socket: the owner, if it is his uid or root's; else "uid-NUMBER" */
    CONTROL_LOOPBACK, /* TCP of this machine: "guest", or whose token he has */
    CONTROL_OPEN,     /* TCP of other machines: nobody without a token */
};

struct control_setup {
    struct event_base *base;
    struct queue *queue;
    const struct users *users;
    struct remote_bots *remote_bots; /* NULL: no bots from elsewhere */
    unsigned connections;            /* at once, at most */
    /* The owner wants the daemon to end. */
    void (*on_shutdown)(void *context, bool is_urgent);
    void *context;
};

/* `setup` is copied; what it points to is lent. */
struct control *control_new(const struct control_setup *setup);

/* Closes all connections and listeners. NULL is fine. */
void control_free(struct control *control);

/* Takes connections from a listening socket, which it takes. Returns 0, or -1 with errno. */
int control_listen(struct control *control, int fd, enum control_door door);

/* Lets nobody in any more; those who are there stay. */
void control_close_doors(struct control *control);

unsigned control_count(const struct control *control);

#endif
