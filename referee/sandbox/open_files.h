#ifndef REFEREE_SANDBOX_OPEN_FILES_H
#define REFEREE_SANDBOX_OPEN_FILES_H

/* What the processes of a tree have open. */

#include "sandbox/process_tree.h"

#include <stdbool.h>
#include <sys/stat.h>

/* One descriptor of a process: what it is, and for a socket how many descriptors wait in it for
 * somebody to receive them. */
typedef void open_files_fn(const struct stat *status, unsigned in_flight, void *context);

/* Calls `each` for every descriptor of every process that we may look into. */
void open_files_list(const struct process_tree *tree, open_files_fn *each, void *context);

/* Several processes may have the same file. Remembers a number; returns whether it is new. Beyond
 * OPEN_FILES_MAX all are new. Begins as all zero. */
#define OPEN_FILES_MAX 2048
struct open_files_seen {
    ino_t numbers[OPEN_FILES_MAX];
    unsigned count;
};
bool open_files_is_new(struct open_files_seen *seen, ino_t number);

#endif
