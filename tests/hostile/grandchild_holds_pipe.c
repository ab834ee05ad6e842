/* Exits at its first question and leaves a child in a session of its own that holds its pipes open
 * until its input ends. */

#include "hostile.h"

int main(void)
{
    char line[LINE_BYTES];

    say_hello();
    wait_for_question();
    if (fork() == 0) {
        (void)setsid();
        for (;;)
            read_line(line);
    }
    return 3;
}
