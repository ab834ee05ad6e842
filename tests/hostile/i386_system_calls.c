/* Tries to open a socket with a 32-bit system call, in a child: these have other numbers. */

#include "attack.h"

#define SYS32_SOCKET 359

static int open_socket(void)
{
    long result = -ENOSYS;

#ifdef __x86_64__
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(SYS32_SOCKET), "b"(2), "c"(1), "d"(0)
                     : "memory", "r8", "r9", "r10", "r11");
#endif
    return result >= 0 ? 0 : (int)-result;
}

int main(void)
{
    start_attack();
    try_in_child("a 32-bit system call", open_socket);
    report_and_keep_playing();
}
