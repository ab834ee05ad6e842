/* Tries to lock a file that others can read, and to see the locks of others on it. */

#include "attack.h"

#include <sys/file.h>

#define SYSTEM_FILE "/etc/passwd"

int main(void)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(SYSTEM_FILE, O_RDONLY | O_CLOEXEC);
    int folder = open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    start_attack();
    (void)note_result("flock", flock(fd, LOCK_EX | LOCK_NB));
    (void)note_result("flock on a folder", flock(folder, LOCK_EX | LOCK_NB));
    (void)note_result("a lock for writing", fcntl(fd, F_SETLK, &whole));
    (void)note_result("a query for locks", fcntl(fd, F_GETLK, &whole));
    whole.l_pid = 0;
    (void)note_result("a query for locks of open files", fcntl(fd, F_OFD_GETLK, &whole));
    (void)note_result("a lease", fcntl(fd, F_SETLEASE, F_RDLCK));
    (void)note_result("a query for leases", fcntl(fd, F_GETLEASE));
    report_and_keep_playing();
}
