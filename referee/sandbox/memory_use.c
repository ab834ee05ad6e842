/* The resident size of a process is in a small file in /proc. Pages that processes share count in
 * each of them, so a bot that forked looks larger than it is: before it is judged too large, the
 * kernel is asked for the shares, for which it walks all pages. */

#include "sandbox/memory_use.h"

#include "sandbox/process_tree.h"
#include "sandbox/procfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 80

static int64_t resident_kb(pid_t pid)
{
    char path[PATH_BYTES];
    char content[200];
    long pages = 0;

    (void)snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    if (!procfs_read(path, content, sizeof content) || sscanf(content, "%*s %ld", &pages) != 1)
        return 0;
    return (int64_t)pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Its share of what it shares with others; its whole resident size if we may not know that. */
static int64_t share_kb(pid_t pid)
{
    char path[PATH_BYTES];
    char content[2048];
    const char *line;

    (void)snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    if (!procfs_read(path, content, sizeof content) || (line = strstr(content, "\nPss:")) == NULL)
        return resident_kb(pid);
    return strtoll(line + strlen("\nPss:"), NULL, 10);
}

int64_t memory_use_kb(pid_t pid, int64_t most_kb)
{
    struct process_tree tree;
    int64_t total_kb = 0;
    int64_t shares_kb = 0;

    process_tree_list(&tree, pid);
    for (unsigned i = 0; i < tree.count; i++)
        total_kb += resident_kb(tree.pids[i]);
    if (total_kb <= most_kb || tree.count == 1)
        return total_kb;
    for (unsigned i = 0; i < tree.count; i++)
        shares_kb += share_kb(tree.pids[i]);
    return shares_kb;
}
