#ifndef REFEREE_SERVE_CONTROL_CONTROL_PRIVATE_H
#define REFEREE_SERVE_CONTROL_CONTROL_PRIVATE_H

/* For the files of control.h alone: one connection, and what its requests need. */

#include "serve/control/control.h"
#include "serve/control/request.h"

#include <event2/bufferevent.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <sys/types.h>

#define CONTROL_VERSION 1

/* What a connection may do; tests make them small. */
struct control_limits {
    long hello_ms;        /* to the end of the first line */
    long line_ms;         /* from the first byte of a line to its end */
    long block_ms;        /* for each `block_step` of a block */
    size_t block_step;    /* bytes */
    long write_ms;        /* in which something of a reply is read */
    long linger_ms;       /* for the other side to close, after we have */
    size_t waiting_bytes; /* to be sent, over which no request is read */
    size_t event_bytes;   /* that wait behind those */
    size_t upload_bytes;  /* of all connections at once */
};

enum client_state {
    CLIENT_HELLO,     /* the first line has to come */
    CLIENT_READY,     /* a line may come */
    CLIENT_BLOCK,     /* the block of `request` is coming in */
    CLIENT_SKIPPING,  /* the block of a refused request is coming in */
    CLIENT_PLAYING,   /* becomes a bot when its reply is sent */
    CLIENT_FETCHING,  /* waits for a bot; nothing more may come */
    CLIENT_LEAVING,   /* nothing is read any more; what is said is still being sent */
    CLIENT_LINGERING, /* all is sent and our side is closed; what comes is thrown away */
    CLIENT_LOST,      /* to be freed by the loop, because somebody may be working on it */
    CLIENT_STATE_COUNT,
};

struct client {
    struct control *control;
    struct client *next, **link; /* in the list of all */
    struct bufferevent *stream;
    struct event *deadline;
    enum client_state state;
    enum control_door door;
    uid_t uid; /* of CONTROL_LOCAL */
    char user[USERS_NAME_MAX + 1];
    bool is_owner;
    bool is_input_over; /* the other side sends nothing more */
    bool is_busy;       /* a request is being answered: what it causes is told after its reply */
    bool has_deadline;
    struct request request;
    char *block; /* of `request`, as far as it has come */
    size_t block_length, block_capacity;
    size_t block_left;       /* bytes still to come */
    size_t block_due;        /* of them may be left when the deadline comes */
    struct evbuffer *events; /* that wait behind replies */
    struct broadcast_watcher *watcher;
    struct remote_bots_order *order;
    int fetched_fd; /* a bot that is to be handed over; -1 */
};

struct listener;

struct control {
    struct control_setup setup;
    struct control_limits limits;
    struct listener *listeners;
    struct client *clients;
    unsigned count;
    size_t uploaded_bytes; /* held for all connections */
};

/* client.c: takes `fd`. */
void client_start(struct control *control, int fd, enum control_door door);

/* Closes it now. Not while somebody works on it. */
void client_free(struct client *client);

/* The one place where the state changes. */
void client_enter(struct client *client, enum client_state state);

/* Ends it when all that was said is sent; or at once. */
void client_leave(struct client *client);
void client_lose(struct client *client);

/* Begins a deadline, or takes it back. */
void client_set_deadline(struct client *client, long ms);
void client_clear_deadline(struct client *client);

/* Gives the connection itself, which is the caller's then; the client is lost. */
int client_take_fd(struct client *client);

struct caller client_caller(const struct client *client);
size_t client_waiting(const struct client *client); /* bytes to be sent */

/* client_read.c: takes what has come, as far as it may be taken now. */
void client_read(struct client *client);
void client_drop_block(struct client *client);

/* client_write.c: one reply for each request, and events. What is not printable is made so. */
void client_ok(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void client_refuse(struct client *client, const struct serve_error *error);
void client_send_block(struct client *client, struct evbuffer *body); /* takes `body` */
void client_send_file(struct client *client, int fd, size_t length);  /* takes `fd` */

/* Tells an event. Sends those that wait, if they may go. */
void client_tell(struct client *client, const char *line);
void client_pass_events(struct client *client);

/* Adds a line, made printable. */
void client_add_line(struct evbuffer *body, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* handle.c: answers `client->request`, whose block is complete. `handle_check` refuses before the block is
 * read what can be refused by then. */
int handle_check(struct client *client, struct serve_error *error);
void handle_answer(struct client *client);

/* One function a request. Each replies, and returns 0; or returns -1 with a error. */
typedef int handle_fn(struct client *client, struct serve_error *error);

handle_fn verb_hello, verb_help, verb_submit, verb_match, verb_tournament, verb_status, verb_queue,
    verb_bots, verb_watch, verb_cancel, verb_result, verb_log, verb_play, verb_fetch, verb_shutdown;

/* The number of a work that is there, from a word. 0 with a error. */
unsigned handle_job(const struct client *client, const char *word, struct serve_error *error);

/* The newest bot of that name, or NULL with a error. */
const struct ledger_bot *handle_bot(const struct client *client, const char *name,
                                    struct serve_error *error);

/* handle_remote.c: all is sent, and the connection can go on to what it waits for. */
void handle_remote_continue(struct client *client);

/* control.c: the numbers of serve/control.h's protocol. */
extern const struct control_limits control_limits;

#endif
