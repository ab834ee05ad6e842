/* /proc/PID/fd has an entry for each descriptor, and asking for its status gives that of the file
 * itself. What waits in a socket is in /proc/PID/fdinfo. */

#include "sandbox/open_files.h"

#include "sandbox/procfs.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 80
#define IN_FLIGHT "\nscm_fds:"

static unsigned count_in_flight(pid_t pid, const char *fd)
{
    char path[PATH_BYTES + NAME_MAX];
    char content[500];
    const char *found;

    (void)snprintf(path, sizeof path, "/proc/%d/fdinfo/%s", (int)pid, fd);
    if (!procfs_read(path, content, sizeof content) || (found = strstr(content, IN_FLIGHT)) == NULL)
        return 0;
    return (unsigned)strtoul(found + strlen(IN_FLIGHT), NULL, 10);
}

void open_files_list(const struct process_tree *tree, open_files_fn *each, void *context)
{
    for (unsigned i = 0; i < tree->count; i++) {
        char path[PATH_BYTES];
        const struct dirent *entry;
        struct stat status;
        DIR *folder;

        (void)snprintf(path, sizeof path, "/proc/%d/fd", (int)tree->pids[i]);
        folder = opendir(path);
        while (folder != NULL && (entry = readdir(folder)) != NULL) {
            if (entry->d_name[0] != '.' && fstatat(dirfd(folder), entry->d_name, &status, 0) == 0)
                each(&status,
                     S_ISSOCK(status.st_mode) ? count_in_flight(tree->pids[i], entry->d_name) : 0,
                     context);
        }
        if (folder != NULL)
            closedir(folder);
    }
}

bool open_files_is_new(struct open_files_seen *seen, ino_t number)
{
    for (unsigned i = 0; i < seen->count; i++) {
        if (seen->numbers[i] == number)
            return false;
    }
    if (seen->count < OPEN_FILES_MAX)
        seen->numbers[seen->count++] = number;
    return true;
}
