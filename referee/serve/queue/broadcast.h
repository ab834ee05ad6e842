#ifndef REFEREE_SERVE_QUEUE_BROADCAST_H
#define REFEREE_SERVE_QUEUE_BROADCAST_H

/* Events, sent to everybody who watches a job or all jobs (wire/feed_line.h;
 * serve/protocol.md, "watch"). */

#include "wire/feed_line.h"

#include <stddef.h>

struct broadcast;
struct broadcast_watcher;

/* `line` is an event without a line end, lent. The function may let watchers leave; nobody may
 * join. */
typedef void broadcast_fn(void *context, const char *line);

struct broadcast *broadcast_new(void);
void broadcast_free(struct broadcast *broadcast);

/* Watches one job, or all (0) and the daemon itself. */
struct broadcast_watcher *broadcast_join(struct broadcast *broadcast, unsigned job,
                                         broadcast_fn *send, void *context);

/* The same for a part of the daemon, which is not counted. */
struct broadcast_watcher *broadcast_listen(struct broadcast *broadcast, broadcast_fn *send,
                                           void *context);

/* NULL is fine. */
void broadcast_leave(struct broadcast_watcher *watcher);

/* Sends an event to everybody who watches its job, in the order in which they joined. */
void broadcast_send(struct broadcast *broadcast, const struct feed_line *event);

unsigned broadcast_count(const struct broadcast *broadcast);

#endif
