#ifndef TESTS_SUPPORT_PIPE_BENCHMARK_H
#define TESTS_SUPPORT_PIPE_BENCHMARK_H

/* Measures how fast questions and answers can pass through pipes at all: a parent asks two children
 * in turn, 60 bytes out and 8 back, with blocking reads and writes, all on one core. Benchmarks
 * compare the referee with this in the same run, because the result depends on the machine. */

#include <sys/types.h>

struct pipe_benchmark {
    pid_t pids[2];
    int ask_fds[2];
    int answer_fds[2];
};

/* Pins the caller, and so everything that it starts later, to `cpu`, and starts the two children.
 * Returns 0, or -1 with errno. */
int pipe_benchmark_start(struct pipe_benchmark *limit, int cpu);

/* Returns round trips per second, measured for about `run_us`. */
double pipe_benchmark_measure(const struct pipe_benchmark *limit, long run_us);

/* Ends the children. */
void pipe_benchmark_stop(struct pipe_benchmark *limit);

#endif
