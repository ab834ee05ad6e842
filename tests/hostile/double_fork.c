/* Leaves a grandchild in a session of its own, which nothing but a sweep finds again. */

#include "attack.h"

int main(void)
{
    pid_t child;

    await_moment();
    child = fork();
    if (child == 0) {
        (void)setsid();
        if (fork() == 0) {
            (void)setsid();
            (void)close(STDIN_FILENO);
            (void)close(STDOUT_FILENO);
            (void)close(STDERR_FILENO);
            linger();
        }
        _exit(0);
    }
    (void)waitpid(child, NULL, 0);
    play_on();
}
