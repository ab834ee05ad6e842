/* Tries to open TCP sockets. */

#include "attack.h"

#include <sys/socket.h>

int main(void)
{
    start_attack();
    (void)note_result("TCP", socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    (void)note_result("TCP over IPv6", socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
    report_and_keep_playing();
}
