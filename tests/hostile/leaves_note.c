/* Leaves a note for its next match wherever a program can write, and looks for that of its last. */

#include "attack.h"

#include <limits.h>

static void look_and_leave(const char *folder)
{
    char path[PATH_MAX];
    int fd;

    (void)snprintf(path, sizeof path, "%s/hostile-note", folder);
    if (tried(path, open(path, O_RDONLY | O_CLOEXEC)))
        return;
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)!write(fd, "note", 4);
}

int main(void)
{
    static const char *const folders[] = {"/tmp", "/var/tmp", "/dev/shm", "/run/lock", "."};

    await_moment();
    look_and_leave(scratch_folder());
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        look_and_leave(folders[i]);
    conclude_and_play_on();
}
