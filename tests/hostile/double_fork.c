/* Leaves a grandchild in a session of its own: the referee must find and kill it. */

#include "attack.h"

int main(void)
{
    pid_t child;

    start_attack();
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
    keep_playing();
}
