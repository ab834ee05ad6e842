/* Reads the memory of the referee by process_vm_readv. */

#include "attack.h"

#include <sys/uio.h>

int main(void)
{
    char byte;
    struct iovec here = {&byte, 1};
    struct iovec there = {(void *)&byte, 1};
    long result;

    await_moment();
    if (referee_pid() == 0) {
        (void)refused("the referee", ESRCH);
        conclude_and_play_on();
    }
    result = process_vm_readv(referee_pid(), &here, 1, &there, 1, 0);
    /* A wrong address is found out only after the permission. */
    (void)tried("the memory of the referee", result < 0 && errno == EFAULT ? 0 : result);
    conclude_and_play_on();
}
