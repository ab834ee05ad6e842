/* Tries to make a system call of the x32 interface, whose numbers have an extra bit. */

#include "attack.h"

#include <sys/syscall.h>

#define X32_BIT 0x40000000L

static int open_socket(void)
{
    return syscall(X32_BIT | SYS_socket, 2, 1, 0) >= 0 ? 0 : errno;
}

int main(void)
{
    start_attack();
    try_in_child("an x32 system call", open_socket);
    report_and_keep_playing();
}
