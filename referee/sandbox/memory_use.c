/* The resident size of a process is in a small file in /proc; each of its threads lists its
 * children. Pages that processes share count in each of them, so a bot that forked looks larger
 * than it is: before it is judged too large, the kernel is asked for the shares, for which it walks
 * all pages. */

#include "sandbox/memory_use.h"

#include "sandbox/procfs.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROCESSES_MAX 512
#define PATH_BYTES 80

struct tree {
    pid_t pids[PROCESSES_MAX];
    unsigned count;
};

static void add_children(struct tree *tree, pid_t pid, const char *thread)
{
    char path[PATH_BYTES + NAME_MAX];
    char list[4096];
    char *next = list;
    char *end;

    (void)snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, thread);
    if (!procfs_read(path, list, sizeof list))
        return;
    for (long child = strtol(next, &end, 10); end != next && tree->count < PROCESSES_MAX;
         child = strtol(next, &end, 10)) {
        tree->pids[tree->count++] = (pid_t)child;
        next = end;
    }
}

static void add_descendants(struct tree *tree, pid_t pid)
{
    char path[PATH_BYTES];
    const struct dirent *entry;
    DIR *threads;

    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = opendir(path);
    while (threads != NULL && (entry = readdir(threads)) != NULL) {
        if (entry->d_name[0] != '.')
            add_children(tree, pid, entry->d_name);
    }
    if (threads != NULL)
        closedir(threads);
}

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
    struct tree tree = {.pids = {pid}, .count = 1};
    int64_t total_kb = 0;
    int64_t shares_kb = 0;

    for (unsigned i = 0; i < tree.count; i++) {
        total_kb += resident_kb(tree.pids[i]);
        add_descendants(&tree, tree.pids[i]);
    }
    if (total_kb <= most_kb || tree.count == 1)
        return total_kb;
    for (unsigned i = 0; i < tree.count; i++)
        shares_kb += share_kb(tree.pids[i]);
    return shares_kb;
}
