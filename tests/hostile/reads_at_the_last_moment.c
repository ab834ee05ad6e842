/* Takes its time twice: before it reads its input, and again when it has found the question in it.
 * A question that does not fit into the pipe might have a new clock then. */

#include "hostile.h"

#include <time.h>

#define PAUSE_MS 300

static void take_time(void)
{
    struct timespec time = {0, PAUSE_MS * 1000000L};

    (void)nanosleep(&time, NULL);
}

int main(void)
{
    say_hello();
    for (;;) {
        take_time();
        wait_for_question();
        take_time();
        answer();
    }
}
