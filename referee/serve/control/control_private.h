#ifndef REFEREE_SERVE_CONTROL_CONTROL_PRIVATE_H
#define REFEREE_SERVE_CONTROL_CONTROL_PRIVATE_H

/* Only for the files of control.h: one connection, and what its requests need. */

#include "serve/control/control.h"
#include "serve/queue/origin.h"
#include "wire/request_reply.h"
#include "wire/request.h"

#include <event2/bufferevent.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <sys/types.h>

#define CONTROL_VERSION 1

/* Limits of a connection besides the settings; tests make them small. */
struct control_limits {
    size_t block_step;    /* bytes of a block for which there is `request_ms` */
    long write_ms;        /* in which the client must read something */
    long linger_ms;       /* for the client to close, after we have */
    size_t waiting_bytes; /* to be sent; above this no request is read */
    size_t event_bytes;   /* of events that wait after those; above this the client is lost */
    size_t upload_bytes;  /* of all connections together */
    size_t user_bytes;    /* of all connections of one user; the owner may use all */
};

/* What a client has to do before its deadline. */
enum client_debt {
    CLIENT_OWES_NOTHING,
    CLIENT_OWES_HELLO,   /* the end of its first line */
    CLIENT_OWES_LINE,    /* the end of a line that has begun */
    CLIENT_OWES_BLOCK,   /* the next part of a block */
    CLIENT_OWES_REQUEST, /* anything: it is idle and does not watch */
    CLIENT_OWES_END,     /* to close its side */
};

enum client_state {
    CLIENT_HELLO,     /* its first line is due */
    CLIENT_READY,     /* it may send a request */
    CLIENT_BLOCK,     /* the block of `request` is being read */
    CLIENT_SKIPPING,  /* the block of a refused request is being skipped */
    CLIENT_TRYING,    /* waits until a bot was tried, or logs deleted; nothing is read */
    CLIENT_PLAYING,   /* becomes a bot when its reply is sent */
    CLIENT_FETCHING,  /* waits for a bot; it may send nothing more */
    CLIENT_LEAVING,   /* nothing is read any more; replies are still being sent */
    CLIENT_LINGERING, /* all is sent and our side is closed; input is dropped */
    CLIENT_LOST,      /* the loop will free it; callers may still use it */
    CLIENT_STATE_COUNT,
};

struct client {
    struct control *control;
    struct client *next, **link; /* in the list of all */
    struct bufferevent *stream;
    struct event *deadline;
    enum client_state state;
    enum control_address address;
    struct origin origin;
    uid_t uid; /* of CONTROL_LOCAL */
    char user[USERS_NAME_MAX + 1];
    bool is_owner;
    bool is_tls;
    bool is_input_over; /* the client has closed its side */
    bool is_busy; /* a request is being answered: events that it causes come after its reply */
    enum client_debt debt; /* the deadline is for this */
    struct request request;
    char *block; /* of `request`, as far as it was read */
    size_t block_length, block_capacity;
    size_t block_left;       /* bytes that are missing */
    size_t block_due;        /* how many of them may be missing at the deadline */
    struct evbuffer *events; /* that wait until replies are sent */
    struct broadcast_watcher *watcher;
    struct remote_bots_order *order;
    struct unpacking *unpacking;  /* of CLIENT_TRYING */
    struct trial_wait *trial;     /* the same, later */
    unsigned bot;                 /* likewise: the place of the bot in the ledger */
    struct pruning_wait *pruning; /* of CLIENT_TRYING, too */
    int fetched_fd;               /* a bot to hand over, or -1 */
};

struct listener;
struct relay;

struct control {
    struct control_setup setup;
    struct control_limits limits;
    struct listener *listeners;
    struct client *clients;
    struct relay *relays;
    unsigned count;
    size_t uploaded_bytes; /* in the blocks of all connections */
};

/* control.c: whether a user of this machine is the owner. */
bool control_is_owner(uid_t user);

/* control.c: how many clients a user has after their hello. */
unsigned control_count_user(const struct control *control, const char *user);

/* client.c: takes `fd`. NULL if it is lost at once. */
struct client *client_start(struct control *control, int fd, enum control_address address,
                            const struct tls *tls);

/* Closes it now. Not while one of its functions is running. */
void client_free(struct client *client);

/* The one place where the state changes. */
void client_enter(struct client *client, enum client_state state);

/* Ends it when all replies are sent; ends it at once. */
void client_leave(struct client *client);
void client_lose(struct client *client);

/* Says what the client owes; a deadline for the same debt stays as it is. */
void client_set_debt(struct client *client, enum client_debt debt);

/* Hands the connection over to the caller, as a plain socket; the client is lost. -1 with errno. */
int client_take_fd(struct client *client);

struct caller client_caller(const struct client *client);
size_t client_waiting(const struct client *client); /* bytes to be sent */

/* tls_relay.c: takes a stream with TLS and returns the other end of a plain socket, -1 with errno:
 * what is sent on one comes out of the other. */
int tls_relay_start(struct control *control, struct bufferevent *stream);
void tls_relay_free_all(struct control *control);

/* client_read.c: handles input, as far as it may be read now. */
void client_read(struct client *client);
void client_drop_block(struct client *client);

/* client_write.c: one reply per request, and events. Characters that are not printable become
 * `?`. */
void client_ok(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, and `body` as the block after it; takes `body`. Without one (NULL) it is the same. */
void client_ok_block(struct client *client, struct evbuffer *body, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void client_refuse(struct client *client, const struct request_error *error);
void client_send_block(struct client *client, struct evbuffer *body); /* takes `body` */
void client_send_file(struct client *client, int fd, size_t length);  /* takes `fd` */

/* Sends an event, or lets it wait; sends those that wait, if that is possible now. */
void client_send_event(struct client *client, const char *line);
void client_flush_events(struct client *client);

/* Adds a line, made printable. */
void client_add_line(struct evbuffer *body, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* handle.c: answers `client->request`, whose block is complete. `handle_check` refuses what can be
 * refused before the block is read. */
int handle_check(struct client *client, struct request_error *error);

/* The client is that user, without a hello. Returns 0, or -1 with an error: then it is lost. */
int handle_greet(struct client *client, const char *user, struct request_error *error);
void handle_answer(struct client *client);

/* One function per request. Each replies and returns 0, or returns -1 with an error. */
typedef int handle_fn(struct client *client, struct request_error *error);

handle_fn handle_hello, handle_help, handle_submit, handle_match, handle_tournament, handle_status,
    handle_queue, handle_bots, handle_ladder, handle_watch, handle_cancel, handle_resume,
    handle_rerun, handle_replay, handle_prune, handle_disqualify, handle_reinstate, handle_remove,
    handle_grades, handle_result, handle_log, handle_stderr, handle_output, handle_languages,
    handle_play, handle_fetch, handle_shutdown;

/* The number of an existing job, from a word; 0 with an error. */
unsigned handle_find_job(const struct client *client, const char *word,
                         struct request_error *error);

/* The newest bot of that name, or NULL with an error. */
const struct ledger_bot *handle_find_bot(const struct client *client, const char *name,
                                         struct request_error *error);

/* handle_remote.c: all is sent, so `play` or `fetch` can continue. */
void handle_remote_continue(struct client *client);

/* control.c: the limits of the protocol. */
extern const struct control_limits control_limits;

#endif
