/* Each thread of a process lists the children that it has started. The tree is walked breadth
 * first. Processes come and go meanwhile, and what cannot be read is left out. */

#include "sandbox/process_tree.h"

#include "sandbox/procfs.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_BYTES 80
#define LINKS_OF_ONE_THREAD 3

static void add_children(struct process_tree *tree, pid_t pid, const char *thread)
{
    char path[PATH_BYTES + NAME_MAX];
    char list[4096];
    char *next = list;
    char *end;

    (void)snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, thread);
    if (!procfs_read(path, list, sizeof list))
        return;
    for (long child = strtol(next, &end, 10); end != next && tree->count < PROCESS_TREE_MAX;
         child = strtol(next, &end, 10)) {
        tree->pids[tree->count++] = (pid_t)child;
        next = end;
    }
}

static void add_of_all_threads(struct process_tree *tree, pid_t pid, const char *path)
{
    DIR *threads = opendir(path);
    const struct dirent *entry;

    while (threads != NULL && (entry = readdir(threads)) != NULL) {
        if (entry->d_name[0] != '.')
            add_children(tree, pid, entry->d_name);
    }
    if (threads != NULL)
        closedir(threads);
}

/* Each thread is a link of the folder; most processes have one, and listing it would cost as much
 * as reading it. */
static void add_descendants(struct process_tree *tree, pid_t pid)
{
    char path[PATH_BYTES];
    struct stat folder;

    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    if (stat(path, &folder) != 0)
        return;
    if (folder.st_nlink == LINKS_OF_ONE_THREAD) {
        char thread[16];

        (void)snprintf(thread, sizeof thread, "%d", (int)pid);
        add_children(tree, pid, thread);
    } else {
        add_of_all_threads(tree, pid, path);
    }
}

void process_tree_list(struct process_tree *tree, pid_t pid)
{
    tree->pids[0] = pid;
    tree->count = 1;
    for (unsigned i = 0; i < tree->count; i++)
        add_descendants(tree, tree->pids[i]);
}
