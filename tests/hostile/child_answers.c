/* Lets a child process give its answers, which is allowed. */

#include "hostile.h"

#include <sys/wait.h>

int main(void)
{
    say_hello();
    for (;;) {
        pid_t child;

        wait_for_question();
        child = fork();
        if (child == 0) {
            answer();
            _exit(0);
        }
        (void)waitpid(child, NULL, 0);
    }
}
