#ifndef REFEREE_SERVE_QUEUE_REMOTE_BOTS_H
#define REFEREE_SERVE_QUEUE_REMOTE_BOTS_H

/* Bots that play from elsewhere wait here for their next match, each on a connection of its own. A
 * connection is for one match: it is handed over as it is, and never comes back. */

struct event_base;
struct remote_bots;
struct remote_bots_order;

#define REMOTE_BOTS_WAITING_MAX 64 /* connections of one bot */
#define REMOTE_BOTS_ALL_MAX 512    /* of all */

/* The connection of the bot is `fd`, the receiver's now, and does not block. Called once, from the loop. */
typedef void remote_bots_fn(void *context, int fd);

/* `on_arrival` is told, from the loop, when a bot has come that nobody waits for yet. */
struct remote_bots *remote_bots_new(struct event_base *base, void (*on_arrival)(void *context),
                                    void *context);

/* Closes all connections. NULL is fine. */
void remote_bots_free(struct remote_bots *remote_bots);

/* A bot has come. Takes `fd`, to which nothing may be left to be sent. It is closed if it ends, or says
 * something before it was asked. Returns 0, or -1 if there are too many: then `fd` stays the caller's. */
int remote_bots_take(struct remote_bots *remote_bots, const char *name, int fd);

/* How many bots of that name wait. */
unsigned remote_bots_count(const struct remote_bots *remote_bots, const char *name);

/* Hands over the next bot of that name, when there is one: `start` and a line end are written to it
 * first, and everything after that is the bot protocol. Orders are served as they came. */
struct remote_bots_order *remote_bots_order(struct remote_bots *remote_bots, const char *name,
                                            remote_bots_fn *give, void *context);

/* The order is not wanted any more. Not after it was served. NULL is fine. */
void remote_bots_cancel(struct remote_bots_order *order);

#endif
