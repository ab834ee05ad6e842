/* Tries to ask the kernel about the network. */

#include "attack.h"

#include <sys/socket.h>

int main(void)
{
    start_attack();
    (void)note_result("a netlink socket", socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
    report_and_keep_playing();
}
