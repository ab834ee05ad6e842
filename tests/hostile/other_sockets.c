/* Opens sockets of every family that there is. */

#include "attack.h"

#include <sys/socket.h>

int main(void)
{
    await_moment();
    for (int family = 0; family < AF_MAX; family++) {
        (void)tried("a socket", socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
        (void)tried("a socket", socket(family, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    }
    conclude_and_play_on();
}
