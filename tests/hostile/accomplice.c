/* Looks for another process of itself at this table or the next: the one that came first leaves its
 * number in a file lock, in shared memory and in a socket for the other to find. */

#include "attack.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

int main(int argc, char **argv)
{
    struct sockaddr_un address = {AF_UNIX, "\0hostile-accomplice"};
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    int fd;

    await_moment();
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (tried("", fd))
        (void)tried("a socket", bind(fd, (struct sockaddr *)&address, sizeof address));
    fd = shm_open("/hostile-accomplice", O_RDWR | O_CREAT, 0600);
    if (tried("shared memory", fd))
        (void)shm_unlink("/hostile-accomplice");
    /* A lock of the file that both of them run can be seen, but says one bit to nobody but itself. */
    fd = open(argc > 0 ? argv[0] : "", O_RDONLY | O_CLOEXEC);
    (void)fcntl(fd, F_SETLK, &lock);
    conclude_and_play_on();
}
