#ifndef TESTS_SUPPORT_PIPE_LIMIT_H
#define TESTS_SUPPORT_PIPE_LIMIT_H

/* How fast questions and answers can go over pipes at all: a parent and two children that are asked
 * in turn, 60 bytes out and 8 back, blocking reads and writes, all on one core. What a referee makes
 * is measured against this, in the same run, because the figure moves with the machine. */

#include <sys/types.h>

struct pipe_limit {
    pid_t pids[2];
    int ask_fds[2];
    int answer_fds[2];
};

/* Pins the caller to `cpu` (what it starts later stays there too) and starts the two children.
 * Returns 0, or -1 with errno. */
int pipe_limit_start(struct pipe_limit *limit, int cpu);

/* Round trips per second over about `run_us`. */
double pipe_limit_measure(const struct pipe_limit *limit, long run_us);

/* Ends the children. */
void pipe_limit_stop(struct pipe_limit *limit);

#endif
