/* Starts children that exit at once and never waits for them. */

#include "attack.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        for (int i = 0; i < 5; i++) {
            if (fork() == 0)
                _exit(0);
        }
        answer();
    }
}
