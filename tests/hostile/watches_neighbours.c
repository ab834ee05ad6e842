/* Lists the processes of the machine, to learn who plays. */

#include "attack.h"

#include <dirent.h>

int main(void)
{
    struct dirent *entry;
    DIR *folder;

    await_moment();
    folder = opendir("/proc");
    if (!tried("", folder != NULL ? 0 : -1))
        conclude_and_play_on();
    while ((entry = readdir(folder)) != NULL) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

        if (pid > 1 && pid != getpid())
            (void)tried("the command line of another process", open_proc(pid, "cmdline"));
    }
    conclude_and_play_on();
}
