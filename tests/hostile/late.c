/* Sleeps before each answer: as many milliseconds as its argument says, or a minute. */

#include "hostile.h"

int main(int argc, char **argv)
{
    long ms = argc > 1 ? strtol(argv[1], NULL, 10) : 60000;

    say_hello();
    for (;;) {
        wait_for_question();
        (void)usleep((useconds_t)ms * 1000);
        answer();
    }
}
