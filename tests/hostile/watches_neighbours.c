/* Tries to list other processes and to read their command lines. */

#include "attack.h"

#include <dirent.h>

int main(void)
{
    struct dirent *entry;
    DIR *folder;

    start_attack();
    folder = opendir("/proc");
    if (!note_result("", folder != NULL ? 0 : -1))
        report_and_keep_playing();
    while ((entry = readdir(folder)) != NULL) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

        if (pid > 1 && pid != getpid())
            (void)note_result("the command line of another process", open_proc(pid, "cmdline"));
    }
    report_and_keep_playing();
}
