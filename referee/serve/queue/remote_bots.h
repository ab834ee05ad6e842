#ifndef REFEREE_SERVE_QUEUE_REMOTE_BOTS_H
#define REFEREE_SERVE_QUEUE_REMOTE_BOTS_H

/* Remote bots wait here for their next match, each on a connection of its own. A connection is for
 * one match: it is handed over as it is, and never comes back. */

struct event_base;
struct remote_bots;
struct remote_bots_order;

#define REMOTE_BOTS_WAITING_MAX 64 /* connections of one bot */
#define REMOTE_BOTS_ALL_MAX 512    /* of all */

/* `fd` is the connection of the bot, which is the receiver's now; it does not block. Called once,
 * from the loop. */
typedef void remote_bots_fn(void *context, int fd);

/* `on_arrival` is called from the loop when a bot has connected that nobody waits for yet. */
struct remote_bots *remote_bots_new(struct event_base *base, void (*on_arrival)(void *context),
                                    void *context);

/* Closes all connections. NULL is fine. */
void remote_bots_free(struct remote_bots *remote_bots);

/* A bot of that user has connected. Takes `fd`, on which all output must have been sent. It is
 * closed if the bot disconnects, or sends anything before its match. Returns 0, or -1 if there are
 * too many: then `fd` stays the caller's. */
int remote_bots_take(struct remote_bots *remote_bots, const char *name, const char *user, int fd);

/* Makes a connection notice when the machine at its other end is gone. */
void remote_bots_keep_alive(int fd);

/* How many bots of that name wait; how many of that user. */
unsigned remote_bots_count(const struct remote_bots *remote_bots, const char *name);
unsigned remote_bots_count_user(const struct remote_bots *remote_bots, const char *user);

/* Hands over the next bot of that name, when there is one: `start` and a line end are sent to it
 * first, and everything after that is the bot protocol. Orders are served in their order. */
struct remote_bots_order *remote_bots_order(struct remote_bots *remote_bots, const char *name,
                                            remote_bots_fn *give, void *context);

/* Cancels an order that was not served yet. NULL is fine. */
void remote_bots_cancel(struct remote_bots_order *order);

#endif
