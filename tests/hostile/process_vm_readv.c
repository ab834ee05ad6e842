/* Tries to read the referee's memory with process_vm_readv. */

#include "attack.h"

#include <sys/uio.h>

int main(void)
{
    char byte;
    struct iovec local = {&byte, 1};
    struct iovec remote = {(void *)&byte, 1};
    long result;

    start_attack();
    if (referee_pid() == 0) {
        (void)note_refusal("the referee", ESRCH);
        report_and_keep_playing();
    }
    result = process_vm_readv(referee_pid(), &local, 1, &remote, 1, 0);
    /* The kernel checks the permission before the address, so EFAULT means permitted. */
    (void)note_result("the memory of the referee", result < 0 && errno == EFAULT ? 0 : result);
    report_and_keep_playing();
}
