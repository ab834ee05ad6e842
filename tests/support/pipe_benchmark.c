/* The children do as little as possible: they read a question and write an answer until their input
 * ends. They parse nothing and wait only for the pipe, so no referee that talks to processes over
 * pipes can be faster on one core. */

#include "support/pipe_benchmark.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ASK_BYTES 60
#define ANSWER_BYTES 8
#define BATCH 200

static _Noreturn void child_main(int ask_fd, int answer_fd)
{
    static const char answer[ANSWER_BYTES] = "12 draw";
    char question[ASK_BYTES];

    while (read(ask_fd, question, sizeof question) > 0)
        if (write(answer_fd, answer, sizeof answer) < 0)
            break;
    _exit(0);
}

static int start_child(struct pipe_benchmark *limit, int i)
{
    int ask[2];
    int answer[2];

    if (pipe2(ask, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0)
        return -1;
    limit->pids[i] = fork();
    if (limit->pids[i] == 0) {
        /* The second child must not hold the first child's input open. */
        if (i > 0)
            close(limit->ask_fds[0]);
        close(ask[1]);
        close(answer[0]);
        child_main(ask[0], answer[1]);
    }
    close(ask[0]);
    close(answer[1]);
    limit->ask_fds[i] = ask[1];
    limit->answer_fds[i] = answer[0];
    return limit->pids[i] < 0 ? -1 : 0;
}

int pipe_benchmark_start(struct pipe_benchmark *limit, int cpu)
{
    cpu_set_t cpus;

    CPU_ZERO(&cpus);
    CPU_SET((size_t)cpu, &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0)
        return -1;
    return start_child(limit, 0) != 0 || start_child(limit, 1) != 0 ? -1 : 0;
}

static void ask_once(const struct pipe_benchmark *limit, int i)
{
    static const char question[ASK_BYTES];
    char answer[ANSWER_BYTES];

    if (write(limit->ask_fds[i], question, sizeof question) != ASK_BYTES ||
        read(limit->answer_fds[i], answer, sizeof answer) != ANSWER_BYTES) {
        perror("a child of the pipe benchmark is gone");
        exit(1);
    }
}

double pipe_benchmark_measure(const struct pipe_benchmark *limit, long run_us)
{
    int64_t start_us = clock_now_us();
    int64_t now_us = start_us;
    long trips = 0;

    while (now_us < start_us + run_us) {
        for (int i = 0; i < BATCH; i++)
            ask_once(limit, i % 2);
        trips += BATCH;
        now_us = clock_now_us();
    }
    return (double)trips * 1e6 / (double)(now_us - start_us);
}

void pipe_benchmark_stop(struct pipe_benchmark *limit)
{
    for (int i = 0; i < 2; i++) {
        close(limit->ask_fds[i]);
        close(limit->answer_fds[i]);
        waitpid(limit->pids[i], NULL, 0);
    }
}
