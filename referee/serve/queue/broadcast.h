#ifndef REFEREE_SERVE_QUEUE_BROADCAST_H
#define REFEREE_SERVE_QUEUE_BROADCAST_H

/* Who watches. What happens is told in lines, the same for everybody: "WORK WHAT …", without a line end
 * (protocol.md, "Watching"). Work 0 is the daemon itself. */

#include <stddef.h>

struct broadcast;
struct broadcast_watcher;

/* `line` is lent. A watcher may leave in it, itself or others; nobody may join. */
typedef void broadcast_fn(void *context, unsigned job, const char *line);

struct broadcast *broadcast_new(void);
void broadcast_free(struct broadcast *broadcast);

/* Watches one work, or all (0) with the daemon itself. */
struct broadcast_watcher *broadcast_join(struct broadcast *broadcast, unsigned job,
                                         broadcast_fn *hear, void *context);

/* NULL is fine. */
void broadcast_leave(struct broadcast_watcher *watcher);

/* Tells everybody who watches that work, in the order in which they came. */
void broadcast_send(struct broadcast *broadcast, unsigned job, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

unsigned broadcast_count(const struct broadcast *broadcast);

#endif
