/* Starts children that end at once, and never waits for them. */

#include "attack.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        for (int i = 0; i < 5; i++) {
            if (fork() == 0)
                _exit(0);
        }
        answer();
    }
}
