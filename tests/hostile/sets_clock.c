/* Asks whether it may set the clock: by no step at all. */

#include "attack.h"

#include <sys/timex.h>
#include <time.h>

int main(void)
{
    struct timex step = {.modes = ADJ_SETOFFSET};

    await_moment();
    (void)tried("the clock", clock_adjtime(0, &step));
    conclude_and_play_on();
}
