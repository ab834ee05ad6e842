/* Tries to open UDP sockets, as for a DNS query. */

#include "attack.h"

#include <sys/socket.h>

int main(void)
{
    start_attack();
    (void)note_result("UDP", socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    (void)note_result("UDP over IPv6", socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    report_and_keep_playing();
}
