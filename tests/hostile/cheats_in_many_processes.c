/* Uses CPU time in forty children, behind thirty-one that sleep: there might be more processes than
 * are counted, and what they wait for each other might be forgiven. */

#include "cheat.h"

#include <signal.h>
#include <sys/wait.h>

#define SLEEPERS 31
#define WORKERS 40

static pid_t sleepers[SLEEPERS];

static pid_t start(void (*work)(long us), long us)
{
    pid_t pid = fork();

    if (pid == 0) {
        work(us);
        _exit(0);
    }
    return pid;
}

static void sleep_on(long us)
{
    (void)us;
    (void)alarm(120);
    wait_forever();
}

static void burn(long us)
{
    pid_t workers[WORKERS];

    for (int i = 0; i < SLEEPERS; i++)
        sleepers[i] = start(sleep_on, 0);
    for (int i = 0; i < WORKERS; i++)
        workers[i] = start(burn_us, us / WORKERS);
    for (int i = 0; i < WORKERS; i++)
        if (workers[i] > 0)
            (void)waitpid(workers[i], NULL, 0);
    for (int i = 0; i < SLEEPERS; i++) {
        if (sleepers[i] <= 0)
            continue;
        (void)kill(sleepers[i], SIGKILL);
        (void)waitpid(sleepers[i], NULL, 0);
    }
}

int main(int argc, char **argv)
{
    cheat(argc, argv, burn);
}
