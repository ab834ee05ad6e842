#ifndef REFEREE_SANDBOX_CPU_USE_H
#define REFEREE_SANDBOX_CPU_USE_H

/* The CPU time that a process and everything it started have used, and how long they were kept
 * waiting for it, since they began. */

#include <stdbool.h>
#include <stdint.h>

struct process;

#define CPU_USE_UNKNOWN (-1)

/* Two books of the time in which something of it was ready to run, and nothing of it ran. */
struct cpu_use {
    int64_t cpu_us;
    int64_t group_wait_us;  /* of its group, or CPU_USE_UNKNOWN */
    int64_t thread_wait_us; /* of its only thread, or CPU_USE_UNKNOWN */
    bool is_waiting; /* that thread is ready to run, and its wait is booked when it runs again */
};

/* The kernel keeps complete books where the process has a group of its own. Elsewhere there are
 * books about each thread only, and a bot could make its threads wait for each other: so its wait
 * is known only if it has never been seen with a second thread or a child. A process that has ended
 * has used nothing. */
void cpu_use_read(struct process *process, struct cpu_use *use);

/* How long it was kept waiting between two readings; 0 if that is not known. */
int64_t cpu_use_waited_us(const struct cpu_use *before, const struct cpu_use *after);

/* Whether something of it runs or is ready to run now. */
bool cpu_use_is_busy(const struct process *process);

/* The CPU time alone, which is quick with a group. */
int64_t cpu_use_read_cpu(struct process *process);

#endif
