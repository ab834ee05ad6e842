/* A file without a name is still reached through a descriptor, a mapping, or a message that waits
 * in a socket, and /proc shows all three. Several processes may hold the same file, so those that
 * were counted are remembered by number; nobody needs more of them than fit into the list. */

#include "sandbox/unnamed_files.h"

#include "sandbox/process_tree.h"
#include "sandbox/procfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define COUNTED_MAX 1024
#define PATH_BYTES 80
#define DELETED " (deleted)\n"
#define IN_FLIGHT "\nscm_fds:"

struct count {
    dev_t device;
    int64_t file_bytes;
    int64_t most_bytes;
    int64_t bytes;
    ino_t counted[COUNTED_MAX];
    unsigned length;
};

static void add_file(struct count *count, ino_t number, int64_t bytes)
{
    for (unsigned i = 0; i < count->length; i++) {
        if (count->counted[i] == number)
            return;
    }
    if (count->length < COUNTED_MAX)
        count->counted[count->length++] = number;
    else
        count->bytes = count->most_bytes;
    count->bytes += bytes;
}

/* Descriptors in messages that nobody has received yet. */
static void add_in_flight(struct count *count, pid_t pid, const char *fd)
{
    char path[PATH_BYTES + NAME_MAX];
    char content[500];
    const char *found;

    (void)snprintf(path, sizeof path, "/proc/%d/fdinfo/%s", (int)pid, fd);
    if (procfs_read(path, content, sizeof content) && (found = strstr(content, IN_FLIGHT)) != NULL)
        count->bytes += strtol(found + strlen(IN_FLIGHT), NULL, 10) * count->file_bytes;
}

static void add_open(struct count *count, pid_t pid)
{
    char path[PATH_BYTES];
    DIR *folder;
    const struct dirent *entry;

    (void)snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct stat status;

        if (entry->d_name[0] == '.' || fstatat(dirfd(folder), entry->d_name, &status, 0) != 0)
            continue;
        if (S_ISSOCK(status.st_mode))
            add_in_flight(count, pid, entry->d_name);
        else if (S_ISREG(status.st_mode) && status.st_nlink == 0 && status.st_dev == count->device)
            add_file(count, status.st_ino, (int64_t)status.st_blocks * 512);
    }
    if (folder != NULL)
        closedir(folder);
}

/* After the open ones, whose size is known. */
static void add_mapped(struct count *count, pid_t pid)
{
    char path[PATH_BYTES];
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    FILE *maps;

    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    while (maps != NULL && (length = getline(&line, &room, maps)) > 0) {
        unsigned major_number;
        unsigned minor_number;
        unsigned long number;
        size_t end = strlen(DELETED);

        if ((size_t)length > end && strcmp(line + length - end, DELETED) == 0 &&
            sscanf(line, "%*s %*s %*s %x:%x %lu", &major_number, &minor_number, &number) == 3 &&
            makedev(major_number, minor_number) == count->device)
            add_file(count, number, count->file_bytes);
    }
    free(line);
    if (maps != NULL)
        fclose(maps);
}

int64_t unnamed_files_measure(pid_t pid, dev_t device, int64_t file_bytes, int64_t most_bytes)
{
    struct count count = {.device = device, .file_bytes = file_bytes, .most_bytes = most_bytes};
    struct process_tree tree;

    process_tree_list(&tree, pid);
    for (unsigned i = 0; i < tree.count && count.bytes <= most_bytes; i++)
        add_open(&count, tree.pids[i]);
    for (unsigned i = 0; i < tree.count && count.bytes <= most_bytes; i++)
        add_mapped(&count, tree.pids[i]);
    return count.bytes;
}
