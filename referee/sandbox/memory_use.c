/* The resident size of a process is in its status file in /proc, and so is that of its page tables,
 * which can be large where hardly a page is in use. Pages that processes share count in each of
 * them, so a bot that forked looks larger than it is: before it is judged too large, the kernel is
 * asked for the shares, for which it walks all pages.
 *
 * Nothing tells what waits in the buffers of its sockets, so each of them counts as full. A
 * descriptor on its way through a socket may be another one. */

#include "sandbox/memory_use.h"

#include "sandbox/open_files.h"
#include "sandbox/process_tree.h"
#include "sandbox/procfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 80
#define BUFFER_LIMIT "/proc/sys/net/core/wmem_default"
#define BUFFER_BYTES 212992

/* The number after `key`, which begins a line; 0 if it is not there. */
static int64_t find_kb(const char *content, const char *key)
{
    const char *found = strstr(content, key);

    return found != NULL ? strtoll(found + strlen(key), NULL, 10) : 0;
}

/* What a process uses, and how much of that are pages, which it may share. */
static int64_t used_kb(pid_t pid, int64_t *pages_kb)
{
    char path[PATH_BYTES];
    char content[4096];

    *pages_kb = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    if (!procfs_read(path, content, sizeof content))
        return 0;
    *pages_kb = find_kb(content, "\nVmRSS:");
    return *pages_kb + find_kb(content, "\nVmPTE:");
}

/* The same with its share of the pages only, unless we may not know that. */
static int64_t share_kb(pid_t pid)
{
    int64_t pages_kb;
    int64_t kb = used_kb(pid, &pages_kb);
    char path[PATH_BYTES];
    char content[2048];

    (void)snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    if (!procfs_read(path, content, sizeof content) || strstr(content, "\nPss:") == NULL)
        return kb;
    return kb - pages_kb + find_kb(content, "\nPss:");
}

struct sockets {
    int64_t count;
    struct open_files_seen seen;
};

static void add_socket(const struct stat *status, unsigned in_flight, void *context)
{
    struct sockets *sockets = context;

    sockets->count += in_flight;
    if (S_ISSOCK(status->st_mode) && open_files_is_new(&sockets->seen, status->st_ino))
        sockets->count++;
}

/* A buffer that has a byte of room takes one more message, of a quarter of its size or less. */
static int64_t buffers_kb(const struct process_tree *tree)
{
    struct sockets sockets = {0};
    char content[24];
    int64_t bytes = BUFFER_BYTES;

    open_files_list(tree, add_socket, &sockets);
    if (sockets.count == 0)
        return 0;
    if (procfs_read(BUFFER_LIMIT, content, sizeof content))
        bytes = strtoll(content, NULL, 10);
    return sockets.count * (bytes + bytes / 4) / 1024;
}

int64_t memory_use_kb(pid_t pid, int64_t most_kb)
{
    struct process_tree tree;
    int64_t total_kb;
    int64_t shares_kb;
    int64_t pages_kb;

    process_tree_list(&tree, pid);
    total_kb = shares_kb = buffers_kb(&tree);
    for (unsigned i = 0; i < tree.count; i++)
        total_kb += used_kb(tree.pids[i], &pages_kb);
    if (total_kb <= most_kb || tree.count == 1)
        return total_kb;
    for (unsigned i = 0; i < tree.count; i++)
        shares_kb += share_kb(tree.pids[i]);
    return shares_kb;
}
