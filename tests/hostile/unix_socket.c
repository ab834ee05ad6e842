/* Talks to services of the machine, or to an accomplice, through a socket with a path. */

#include "attack.h"

#include <sys/socket.h>
#include <sys/un.h>

int main(void)
{
    struct sockaddr_un address = {AF_UNIX, "hostile-socket"};
    int fd;

    await_moment();
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (tried("", fd) &&
        tried("a socket with a path", bind(fd, (struct sockaddr *)&address, sizeof address)))
        (void)unlink(address.sun_path);
    conclude_and_play_on();
}
