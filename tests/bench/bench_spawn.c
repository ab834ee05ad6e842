/* What it costs to start a program, let it end at once and clear up after it, at each level of
 * containment. The levels none and guarded take turns, so that both see the same machine. */

#include "sandbox/sandbox.h"
#include "sandbox/spawn.h"
#include "support/figures.h"

#include "base/clock.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

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
    struct spawn_order order = {.argv = argv, .cpu = -1, .sandbox = sandbox};
    struct spawned spawned;
    struct pollfd end = {.events = POLLIN};
    siginfo_t info;
    int64_t start_us = clock_now_us();

    if (spawn_start(&spawned, &order) != 0 || spawned.error != 0) {
        perror("bench spawn");
        exit(1);
    }
    close(spawned.stdin_fd);
    spawned.stdin_fd = -1;
    end.fd = spawned.pidfd;
    (void)poll(&end, 1, -1);
    (void)waitid(P_PIDFD, (id_t)spawned.pidfd, &info, WEXITED);
    spawn_end(&spawned);
    return (double)(clock_now_us() - start_us);
}

int main(int argc, char **argv)
{
    static double times[LEVELS][TURNS];
    struct sandbox *contains[LEVELS];
    char build[256];
    char program[300];
    char words[400];
    struct text problem;

    figures_start(argc, argv);
    if (!figures_folder(argv, build, sizeof build))
        return 1;
    if (!figures_are_wanted("spawn."))
        return 0;
    snprintf(program, sizeof program, "%s/first_bot", build);
    for (size_t level = 0; level < LEVELS; level++) {
        text_start(&problem, words, sizeof words);
        contains[level] = sandbox_new((enum sandbox_level)level, &problem);
        if (contains[level] == NULL)
            fprintf(stderr, "%s is left out: %s\n", names[level], words);
    }
    /* The kernel goes on clearing up after a bubble, which would be in the way of the others. */
    for (size_t i = 0; i < (size_t)TURNS * 2; i++) {
        if (contains[i % 2] != NULL)
            times[i % 2][i / 2] = run_once(contains[i % 2], program);
    }
    for (size_t i = 0; i < TURNS && contains[SANDBOX_SEALED] != NULL; i++)
        times[SANDBOX_SEALED][i] = run_once(contains[SANDBOX_SEALED], program);
    for (size_t level = 0; level < LEVELS; level++) {
        if (contains[level] != NULL)
            figures_print(names[level], figures_median(times[level], TURNS), "us");
        sandbox_free(contains[level]);
    }
    return 0;
}
