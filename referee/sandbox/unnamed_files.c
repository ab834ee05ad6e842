/* A file without a name is still reached through a descriptor, a mapping, or a message that waits
 * in a socket, and /proc shows all three. */

#include "sandbox/unnamed_files.h"

#include "sandbox/open_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#define PATH_BYTES 80
#define DELETED " (deleted)\n"

struct count {
    dev_t device;
    int64_t file_bytes;
    int64_t bytes;
    struct open_files_seen seen;
};

static void add_open(const struct stat *status, unsigned in_flight, void *context)
{
    struct count *count = context;

    count->bytes += in_flight * count->file_bytes;
    if (S_ISREG(status->st_mode) && status->st_nlink == 0 && status->st_dev == count->device &&
        open_files_is_new(&count->seen, status->st_ino))
        count->bytes += (int64_t)status->st_blocks * 512;
}

/* Whether a line of a process' maps is about such a file: then its number is in `number`. */
static bool is_unnamed(const struct count *count, const char *line, size_t length, ino_t *number)
{
    unsigned major_number;
    unsigned minor_number;
    unsigned long found;
    size_t end = strlen(DELETED);

    if (length <= end || strcmp(line + length - end, DELETED) != 0 ||
        sscanf(line, "%*s %*s %*s %x:%x %lu", &major_number, &minor_number, &found) != 3)
        return false;
    *number = found;
    return makedev(major_number, minor_number) == count->device;
}

/* After the open ones, whose size is known. */
static void add_mapped(struct count *count, pid_t pid)
{
    char path[PATH_BYTES];
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    ino_t number;
    FILE *maps;

    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    while (maps != NULL && (length = getline(&line, &room, maps)) > 0) {
        if (is_unnamed(count, line, (size_t)length, &number) &&
            open_files_is_new(&count->seen, number))
            count->bytes += count->file_bytes;
    }
    free(line);
    if (maps != NULL)
        fclose(maps);
}

int64_t unnamed_files_measure(pid_t pid, dev_t device, int64_t file_bytes, int64_t most_bytes)
{
    struct count count = {.device = device, .file_bytes = file_bytes};
    struct process_tree tree;

    process_tree_list(&tree, pid);
    open_files_list(&tree, add_open, &count);
    for (unsigned i = 0; i < tree.count && count.bytes <= most_bytes; i++)
        add_mapped(&count, tree.pids[i]);
    return count.bytes;
}
