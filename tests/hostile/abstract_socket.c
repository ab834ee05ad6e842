/* Binds a socket in the abstract namespace, where an accomplice could find it. */

#include "attack.h"

#include <sys/socket.h>
#include <sys/un.h>

int main(void)
{
    struct sockaddr_un address = {AF_UNIX, "\0hostile"};
    int fd;

    start_attack();
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (note_result("", fd))
        (void)note_result("an abstract socket",
                          bind(fd, (struct sockaddr *)&address, sizeof address));
    report_and_keep_playing();
}
