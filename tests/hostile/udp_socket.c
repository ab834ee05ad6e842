/* Sends packets by UDP, as a name server is asked. */

#include "attack.h"

#include <sys/socket.h>

int main(void)
{
    await_moment();
    (void)tried("UDP", socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    (void)tried("UDP over IPv6", socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    conclude_and_play_on();
}
