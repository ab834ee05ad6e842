/* Uses CPU time before each answer: as many milliseconds as its argument says, or a minute. */

#include "hostile.h"

#include <time.h>

static long cpu_us(void)
{
    struct timespec used;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
    long ms = argc > 1 ? strtol(argv[1], NULL, 10) : 60000;

    say_hello();
    for (;;) {
        long start_us;

        wait_for_question();
        start_us = cpu_us();
        while (cpu_us() - start_us < ms * 1000)
            ;
        answer();
    }
}
