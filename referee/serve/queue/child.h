#ifndef REFEREE_SERVE_QUEUE_CHILD_H
#define REFEREE_SERVE_QUEUE_CHILD_H

/* A process that plays a work, and what it tells on its stdout, line by line. It dies with us, whatever
 * we die of. */

#include <stdbool.h>

struct event_base;
struct child;

#define CHILD_LINE_MAX 4095 /* longer ones are cut */

struct child_setup {
    const char *const *argv;
    const char *words_path; /* the file for its stderr */
    int cpu;                /* to keep it on, or -1 */
    /* A line without its end, of printable letters. */
    void (*on_line)(void *context, const char *line);
    /* It has ended and was reaped, and all lines are read. `status` as waitpid() has it. Called once, from
     * the loop; the run may be freed in it. */
    void (*on_end)(void *context, int status);
    void *context;
};

/* Starts it. `setup` is copied. Returns NULL with errno. */
struct child *child_start(struct event_base *base, const struct child_setup *setup);

/* Asks it to finish what it is at; and then to stop at once. */
void child_stop(struct child *run);
void child_stop_now(struct child *run);

/* Kills it; on_end comes as always. */
void child_kill(struct child *run);

/* Kills it if it still runs, and waits for its end. on_end is not called any more. NULL is fine. */
void child_free(struct child *run);

#endif
