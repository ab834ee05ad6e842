#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_GEARMAN_LINK_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_GEARMAN_LINK_H

/* A connection to a Gearman job server that comes back by itself, for clients and workers. It
 * belongs to the event loop like every other connection of ours: nothing waits for it. */

#include "wire/gearman_packet.h"

#include <stdbool.h>

struct event_base;
struct gearman_link;

/* Called from the loop. None of them may free the link. */
struct gearman_link_observer {
    void (*on_up)(void *context);
    /* All that was asked of the server is forgotten. */
    void (*on_down)(void *context, const char *why);
    void (*on_packet)(void *context, const struct gearman_packet *packet);
    void *context;
    size_t packet_max; /* a server that sends a longer packet is left; 0: GEARMAN_PACKET_MAX */
};

/* Whether a text is HOST, HOST:PORT or [ADDRESS]:PORT. */
bool gearman_link_is_address(const char *address);

/* Starts to connect; `address` is lent. */
struct gearman_link *gearman_link_new(struct event_base *base, const char *address,
                                      const struct gearman_link_observer *observer);
void gearman_link_free(struct gearman_link *link);

const char *gearman_link_address(const struct gearman_link *link);
bool gearman_link_is_up(const struct gearman_link *link);

/* Bytes that a server may leave unread; tests make it smaller. */
extern size_t gearman_link_waiting_max;

/* Sends a request; does nothing while the link is down. A server that leaves more than that unread
 * is disconnected soon after. */
void gearman_link_send(struct gearman_link *link, enum gearman_type type,
                       const struct span *arguments, unsigned count);

/* How many bytes wait to be sent. */
size_t gearman_link_waiting(const struct gearman_link *link);

#endif
