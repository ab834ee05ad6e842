/* Tries to write something beside the content of a file that its next process can read too: its
 * times, mode, attributes. Each mark is put back or says nothing. */

#include "attack.h"

#include <linux/fs.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define HINT_COMMAND 1036 /* F_SET_RW_HINT */

static void mark_own_program(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status = {0};
    uint64_t hint = 0;
    int flags = 0;

    if (!note_result("", fd) || !note_result("", fstat(fd, &status)))
        return;
    (void)note_result("the mode of its program", fchmod(fd, status.st_mode & 07777));
    (void)note_result("the owner of its program", fchown(fd, (uid_t)-1, (gid_t)-1));
    (void)note_result("the times of its program",
                      futimens(fd, (struct timespec[]){status.st_atim, status.st_mtim}));
    (void)note_result("a hint on its program", fcntl(fd, HINT_COMMAND, &hint));
    if (fsetxattr(fd, "user.hostile", "1", 1, 0) == 0)
        (void)note_result("an attribute of its program", fremovexattr(fd, "user.hostile"));
    if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0)
        (void)note_result("the flags of its program", ioctl(fd, FS_IOC_SETFLAGS, &flags));
    close(fd);
}

int main(int argc, char **argv)
{
    start_attack();
    (void)note_result("the time of /dev/null", utimensat(AT_FDCWD, "/dev/null", NULL, 0));
    if (attack_gain[0] == '\0')
        mark_own_program(argc > 0 ? argv[0] : "");
    report_and_keep_playing();
}
