/* Listens to everything that comes over the wire. */

#include "attack.h"

#include <arpa/inet.h>
#include <sys/socket.h>

int main(void)
{
    await_moment();
    (void)tried("packets", socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(3)));
    (void)tried("raw IP", socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP));
    conclude_and_play_on();
}
