/* Asks the kernel about the network. */

#include "attack.h"

#include <sys/socket.h>

int main(void)
{
    await_moment();
    (void)tried("netlink", socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
    conclude_and_play_on();
}
