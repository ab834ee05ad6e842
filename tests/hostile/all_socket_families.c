/* Tries to open sockets of every family. */

#include "attack.h"

#include <sys/socket.h>

int main(void)
{
    start_attack();
    for (int family = 0; family < AF_MAX; family++) {
        (void)note_result("a socket", socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
        (void)note_result("a socket", socket(family, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    }
    report_and_keep_playing();
}
