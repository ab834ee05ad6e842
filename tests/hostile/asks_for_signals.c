/* Makes the referee the one who gets the signals of its own pipe. */

#include "attack.h"

int main(void)
{
    await_moment();
    /* SIGURG, which is ignored unless somebody wants it; and nothing ever sends it. */
    if (referee_pid() == 0) {
        (void)refused("the referee", ESRCH);
    } else {
        (void)fcntl(STDERR_FILENO, F_SETSIG, SIGURG);
        (void)fcntl(STDERR_FILENO, F_SETOWN, referee_pid());
    }
    play_on();
}
