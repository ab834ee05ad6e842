/* Tries to capture network packets. */

#include "attack.h"

#include <arpa/inet.h>
#include <sys/socket.h>

int main(void)
{
    start_attack();
    (void)note_result("a packet socket", socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(3)));
    (void)note_result("a raw IP socket", socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP));
    report_and_keep_playing();
}
