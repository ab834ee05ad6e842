/* Uses CPU time in children that nobody waits for, so that they leave no trace in the books of
 * their parent, while the parent itself keeps ready to run. */

#include "cheat.h"

#include <signal.h>

#define WORKERS 8

static void burn(long us)
{
    int ends[2];
    char byte;

    (void)signal(SIGCHLD, SIG_IGN);
    if (pipe(ends) != 0)
        return;
    for (int i = 0; i < WORKERS; i++) {
        if (fork() == 0) {
            burn_us(us / WORKERS);
            _exit(0);
        }
    }
    (void)close(ends[1]);
    while (read(ends[0], &byte, 1) > 0)
        continue;
    (void)close(ends[0]);
}

int main(int argc, char **argv)
{
    cheat(argc, argv, burn);
}
