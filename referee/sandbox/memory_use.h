#ifndef REFEREE_SANDBOX_MEMORY_USE_H
#define REFEREE_SANDBOX_MEMORY_USE_H

/* How much memory a tree of processes uses. */

#include <stdint.h>
#include <sys/types.h>

/* The resident memory of a process and its descendants, their page tables, and the most that can be
 * in the buffers of their sockets, in kilobytes; 0 if it has ended. Shared memory is counted once
 * only if the sum is above `most_kb`, because finding that out is expensive. */
int64_t memory_use_kb(pid_t pid, int64_t most_kb);

#endif
