#ifndef REFEREE_SERVE_QUEUE_CHILD_H
#define REFEREE_SERVE_QUEUE_CHILD_H

/* A process that plays a job, and its stdout, line by line. It dies with the daemon, however the
 * daemon dies. */

#include "base/text.h"

#include <stdbool.h>

struct event_base;
struct child;

#define CHILD_LINE_MAX 4095 /* longer ones are cut */

struct child_setup {
    const char *const *argv;
    const char *stderr_path; /* a file, which is overwritten */
    /* A line without its end, of printable characters. */
    void (*on_line)(void *context, const char *line);
    /* It has ended and was reaped, and all lines are read. `status` is that of waitpid(). Called
     * once, from the loop; it may free the child. */
    void (*on_end)(void *context, int status);
    void *context;
};

/* Starts it. `setup` is copied. Returns NULL with errno. */
struct child *child_start(struct event_base *base, const struct child_setup *setup);

/* Writes a text to its stdin. Returns 0, or -1 if it does not read: nothing of it is written. */
int child_send(struct child *child, struct span text);

/* Its stdin ends after what was sent. */
void child_end_input(struct child *child);

/* Asks it to finish its matches; asks it to stop at once. */
void child_stop(struct child *child);
void child_stop_now(struct child *child);

/* Kills it; on_end is called as always. */
void child_kill(struct child *child);

/* Kills it if it still runs, and waits for its end. on_end is not called. NULL is fine. */
void child_free(struct child *child);

#endif
