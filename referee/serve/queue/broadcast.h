#ifndef REFEREE_SERVE_HUB_H
#define REFEREE_SERVE_HUB_H

/* Who watches. What happens is told in lines, the same for everybody: "WORK WHAT …", without a line end
 * (protocol.md, "Watching"). Work 0 is the daemon itself. */

#include <stddef.h>

struct hub;
struct hub_watcher;

/* `line` is lent. A watcher may leave in it, itself or others; nobody may join. */
typedef void hub_fn(void *context, unsigned work, const char *line);

struct hub *hub_new(void);
void hub_free(struct hub *hub);

/* Watches one work, or all (0) with the daemon itself. */
struct hub_watcher *hub_join(struct hub *hub, unsigned work, hub_fn *hear, void *context);

/* NULL is fine. */
void hub_leave(struct hub_watcher *watcher);

/* Tells everybody who watches that work, in the order in which they came. */
void hub_tell(struct hub *hub, unsigned work, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

unsigned hub_count(const struct hub *hub);

#endif
