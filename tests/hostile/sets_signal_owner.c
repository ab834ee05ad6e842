/* Makes the referee the receiver of the signals of its stderr pipe. */

#include "attack.h"

int main(void)
{
    start_attack();
    /* SIGURG is ignored by default, and nothing ever sends it. */
    if (referee_pid() == 0) {
        (void)note_refusal("the referee", ESRCH);
    } else {
        (void)fcntl(STDERR_FILENO, F_SETSIG, SIGURG);
        (void)fcntl(STDERR_FILENO, F_SETOWN, referee_pid());
    }
    keep_playing();
}
