/* Measures the start of a program that ends at once, and the cleanup after it, at each sandbox
 * level. The levels none and guarded take turns, so that both see the same machine. */

#include "sandbox/sandbox.h"
#include "sandbox/process.h"
#include "support/bench_output.h"

#include "base/clock.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#define TURNS 200
#define LEVELS 3

static const char *const names[LEVELS] = {
    [SANDBOX_NONE] = "spawn.none_us",
    [SANDBOX_GUARDED] = "spawn.guarded_us",
    [SANDBOX_SEALED] = "spawn.sealed_us",
};

static double run_once(struct sandbox *sandbox, const char *program)
{
    const char *argv[] = {program, NULL};
    struct process_spec spec = {.argv = argv, .cpu = -1, .sandbox = sandbox};
    struct process process;
    struct pollfd end = {.events = POLLIN};
    char buffer[200];
    struct text problem;
    int64_t start_us = clock_now_us();

    text_start(&problem, buffer, sizeof buffer);
    if (process_start(&process, &spec, &problem) != 0 || process.pid < 0) {
        fprintf(stderr, "bench spawn: %s\n", buffer);
        exit(1);
    }
    process_close_fd(&process.stdin_fd);
    end.fd = process.pidfd;
    (void)poll(&end, 1, -1);
    process_reap(&process);
    process_free(&process);
    return (double)(clock_now_us() - start_us);
}

int main(int argc, char **argv)
{
    static double times[LEVELS][TURNS];
    struct sandbox *sandboxes[LEVELS];
    char build[256];
    char program[300];
    char message[400];
    struct text problem;

    bench_output_init(argc, argv);
    if (!bench_output_folder(argv, build, sizeof build))
        return 1;
    if (!bench_output_is_wanted("spawn."))
        return 0;
    snprintf(program, sizeof program, "%s/first_bot", build);
    for (size_t level = 0; level < LEVELS; level++) {
        text_start(&problem, message, sizeof message);
        sandboxes[level] = sandbox_new((enum sandbox_level)level, &problem);
        if (sandboxes[level] == NULL)
            fprintf(stderr, "%s is left out: %s\n", names[level], message);
    }
    /* Sealed runs last: the kernel cleans up after bubblewrap in the background, which would slow
     * down the others. */
    for (size_t i = 0; i < (size_t)TURNS * 2; i++) {
        if (sandboxes[i % 2] != NULL)
            times[i % 2][i / 2] = run_once(sandboxes[i % 2], program);
    }
    for (size_t i = 0; i < TURNS && sandboxes[SANDBOX_SEALED] != NULL; i++)
        times[SANDBOX_SEALED][i] = run_once(sandboxes[SANDBOX_SEALED], program);
    for (size_t level = 0; level < LEVELS; level++) {
        if (sandboxes[level] != NULL)
            bench_output_print(names[level], bench_output_median(times[level], TURNS), "us");
        sandbox_free(sandboxes[level]);
    }
    return 0;
}
