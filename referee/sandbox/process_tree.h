#ifndef REFEREE_SANDBOX_PROCESS_TREE_H
#define REFEREE_SANDBOX_PROCESS_TREE_H

/* A process and its descendants, as /proc lists them. */

#include <sys/types.h>

#define PROCESS_TREE_MAX 512

struct process_tree {
    pid_t pids[PROCESS_TREE_MAX];
    unsigned count;
};

/* Lists a process and what it has started, as far as that can still be found from it. It comes
 * first. */
void process_tree_list(struct process_tree *tree, pid_t pid);

#endif
