/* Tries to reach a second copy of itself, at this table or another, through a socket, shared memory
 * or a file lock. */

#include "attack.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

int main(int argc, char **argv)
{
    struct sockaddr_un address = {AF_UNIX, "\0hostile-accomplice"};
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    int fd;

    start_attack();
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (note_result("", fd))
        (void)note_result("a socket", bind(fd, (struct sockaddr *)&address, sizeof address));
    fd = shm_open("/hostile-accomplice", O_RDWR | O_CREAT, 0600);
    if (note_result("shared memory", fd))
        (void)shm_unlink("/hostile-accomplice");
    /* Both copies can see a lock on their program, but it tells them only about each other. */
    fd = open(argc > 0 ? argv[0] : "", O_RDONLY | O_CLOEXEC);
    (void)fcntl(fd, F_SETLK, &lock);
    report_and_keep_playing();
}
