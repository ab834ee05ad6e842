/* Waits for an accomplice at a socket that has a name and no path. */

#include "attack.h"

#include <sys/socket.h>
#include <sys/un.h>

int main(void)
{
    struct sockaddr_un address = {AF_UNIX, "\0hostile"};
    int fd;

    await_moment();
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (tried("", fd))
        (void)tried("a socket without a path",
                    bind(fd, (struct sockaddr *)&address, sizeof address));
    conclude_and_play_on();
}
