#ifndef REFEREE_SERVE_LOBBY_H
#define REFEREE_SERVE_LOBBY_H

/* Bots that play from elsewhere wait here for their next match, each on a connection of its own. A
 * connection is for one match: it is handed over as it is, and never comes back. */

struct event_base;
struct lobby;
struct lobby_order;

#define LOBBY_WAITING_MAX 64 /* connections of one bot */
#define LOBBY_ALL_MAX 512    /* of all */

/* The connection of the bot is `fd`, the receiver's now, and does not block. Called once, from the loop. */
typedef void lobby_fn(void *context, int fd);

/* `on_arrival` is told, from the loop, when a bot has come that nobody waits for yet. */
struct lobby *lobby_new(struct event_base *base, void (*on_arrival)(void *context), void *context);

/* Closes all connections. NULL is fine. */
void lobby_free(struct lobby *lobby);

/* A bot has come. Takes `fd`, to which nothing may be left to be sent. It is closed if it ends, or says
 * something before it was asked. Returns 0, or -1 if there are too many: then `fd` stays the caller's. */
int lobby_take(struct lobby *lobby, const char *name, int fd);

/* How many bots of that name wait. */
unsigned lobby_count(const struct lobby *lobby, const char *name);

/* Hands over the next bot of that name, when there is one: `start` and a line end are written to it
 * first, and everything after that is the bot protocol. Orders are served as they came. */
struct lobby_order *lobby_order(struct lobby *lobby, const char *name, lobby_fn *give,
                                void *context);

/* The order is not wanted any more. Not after it was served. NULL is fine. */
void lobby_cancel(struct lobby_order *order);

#endif
