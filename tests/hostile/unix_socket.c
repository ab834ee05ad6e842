/* Tries to bind a Unix socket, through which it could reach an accomplice. */

#include "attack.h"

#include <sys/socket.h>
#include <sys/un.h>

int main(void)
{
    struct sockaddr_un address = {AF_UNIX, "hostile-socket"};
    int fd;

    start_attack();
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (note_result("", fd) &&
        note_result("a socket with a path", bind(fd, (struct sockaddr *)&address, sizeof address)))
        (void)unlink(address.sun_path);
    report_and_keep_playing();
}
