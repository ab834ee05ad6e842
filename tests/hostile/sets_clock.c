/* Tries to adjust the system clock, by zero. */

#include "attack.h"

#include <sys/timex.h>
#include <time.h>

int main(void)
{
    struct timex step = {.modes = ADJ_SETOFFSET};

    start_attack();
    (void)note_result("a clock adjustment", clock_adjtime(0, &step));
    report_and_keep_playing();
}
