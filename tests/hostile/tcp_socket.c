/* Opens connections by TCP. */

#include "attack.h"

#include <sys/socket.h>

int main(void)
{
    await_moment();
    (void)tried("TCP", socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    (void)tried("TCP over IPv6", socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
    conclude_and_play_on();
}
