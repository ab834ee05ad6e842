/* Tries to signal the referee. It sends signal 0, which does nothing. */

#include "attack.h"

int main(void)
{
    start_attack();
    if (referee_pid() == 0)
        (void)note_refusal("a signal", ESRCH);
    else
        (void)note_result("a signal to the referee", kill(referee_pid(), 0));
    report_and_keep_playing();
}
