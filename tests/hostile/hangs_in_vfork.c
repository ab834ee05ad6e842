/* Waits forever for a vfork() child, in a sleep that only SIGKILL interrupts. */

#include "attack.h"

int main(void)
{
    start_attack();
    if (vfork() == 0)
        wait_forever();
    keep_playing();
}
