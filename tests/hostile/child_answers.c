/* Lets a child of its own give the answers, which is no fault. */

#include "hostile.h"

#include <sys/wait.h>

int main(void)
{
    greet();
    for (;;) {
        pid_t child;

        await_question();
        child = fork();
        if (child == 0) {
            answer();
            _exit(0);
        }
        (void)waitpid(child, NULL, 0);
    }
}
