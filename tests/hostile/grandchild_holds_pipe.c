/* Ends when it is asked, but leaves a child behind, in a session of its own, that holds all its pipes
 * open until its input ends. */

#include "hostile.h"

int main(void)
{
    char line[LINE_BYTES];

    greet();
    await_question();
    if (fork() == 0) {
        (void)setsid();
        for (;;)
            read_line(line);
    }
    return 3;
}
