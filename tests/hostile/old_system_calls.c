/* Makes system calls of 32-bit programs, which have other numbers: a child opens a socket so. */

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
    await_moment();
    try_in_child("a 32-bit system call", open_socket);
    conclude_and_play_on();
}
