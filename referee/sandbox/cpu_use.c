/* With a group there are two files to read. The kernel's figure for waiting is a mean over the
 * cores that the group was on since it was last read, so it is exact for a process that is pinned
 * to one; for others it may be too low, and where more is known about a single thread that counts.
 *
 * Without a group, /proc/PID/task/TID/schedstat holds, in nanoseconds, how long a thread has run
 * and how long it was ready to run and did not. The kernel adds a wait only when the thread runs
 * again. Three things give away that a process is not alone: other threads and children that are
 * there now, children that it has waited for, and CPU time of the process that its only thread has
 * not used. In bubblewrap the bot is the only child of an only child. */

#include "sandbox/cpu_use.h"

#include "sandbox/jail.h"
#include "sandbox/process.h"
#include "sandbox/process_tree.h"
#include "sandbox/procfs.h"
#include "sandbox/sandbox_private.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATH_BYTES 80
#define LINKS_OF_ONE_THREAD 3
#define HIDDEN_US 1000 /* the CPU time of other threads that counts as a trace of them */
#define CHILD_FAULTS 8 /* fields of `stat`, counted from the state, which is 0 */
#define CHILD_TICKS 13 /* the first of two */
#define STAT_FIELDS 15

/* What `stat` says about a process. */
struct status {
    bool is_ready;
    long long fields[STAT_FIELDS];
};

static bool read_status(const char *path, struct status *status)
{
    char line[1024];
    char *next;

    /* The state follows the name, which may itself hold any byte. */
    if (!procfs_read(path, line, sizeof line) || (next = strrchr(line, ')')) == NULL ||
        next[1] != ' ')
        return false;
    status->is_ready = next[2] == 'R';
    next += 3;
    for (unsigned i = 1; i < STAT_FIELDS; i++)
        status->fields[i] = strtoll(next, &next, 10);
    return true;
}

/* Of the whole process, the threads that have ended too. */
static int64_t process_cpu_us(pid_t pid)
{
    struct timespec used;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static bool has_one_thread(pid_t pid)
{
    char path[PATH_BYTES];
    struct stat folder;

    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    return stat(path, &folder) == 0 && folder.st_nlink == LINKS_OF_ONE_THREAD;
}

/* Reads the books of the only thread. Returns false if there is a trace of another one. The state
 * is read before the counters: if the thread falls asleep between the two, they may be complete
 * without anybody knowing, but never the other way round. */
static bool read_only_thread(pid_t pid, struct cpu_use *use)
{
    struct status status;
    char path[PATH_BYTES];
    char line[100];
    char *end;

    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!has_one_thread(pid) || !read_status(path, &status) || status.fields[CHILD_FAULTS] != 0)
        return false;
    (void)snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    if (!procfs_read(path, line, sizeof line))
        return false;
    use->cpu_us = strtoll(line, &end, 10) / 1000;
    use->thread_wait_us = strtoll(end, NULL, 10) / 1000;
    use->is_waiting = status.is_ready;
    return process_cpu_us(pid) - use->cpu_us < HIDDEN_US;
}

static bool has_busy_thread(pid_t pid)
{
    char path[PATH_BYTES + NAME_MAX];
    const struct dirent *entry;
    bool is_busy = false;
    DIR *threads;

    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = opendir(path);
    while (threads != NULL && !is_busy && (entry = readdir(threads)) != NULL) {
        struct status status;

        (void)snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)pid, entry->d_name);
        is_busy = read_status(path, &status) && status.is_ready;
    }
    if (threads != NULL)
        closedir(threads);
    return is_busy;
}

bool cpu_use_is_busy(const struct process *process)
{
    struct process_tree tree;
    bool is_busy = false;

    process_tree_list(&tree, process->pid);
    for (unsigned i = 0; i < tree.count && !is_busy; i++)
        is_busy = has_busy_thread(tree.pids[i]);
    return is_busy;
}

static int64_t tree_cpu_us(const struct process_tree *tree)
{
    long long tick_us = 1000000 / sysconf(_SC_CLK_TCK);
    int64_t total_us = 0;

    for (unsigned i = 0; i < tree->count; i++) {
        struct status status = {0};
        char path[PATH_BYTES];

        (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)tree->pids[i]);
        total_us += process_cpu_us(tree->pids[i]);
        if (read_status(path, &status))
            total_us += (status.fields[CHILD_TICKS] + status.fields[CHILD_TICKS + 1]) * tick_us;
    }
    return total_us;
}

static void read_tree(struct process *process, struct cpu_use *use)
{
    struct process_tree tree;
    bool is_wrapped = process->jail != NULL && jail_is_bubblewrap(process->jail);
    unsigned alone = is_wrapped ? 1 + JAIL_BUBBLEWRAPS : 1;

    process_tree_list(&tree, process->pid);
    process->had_company = process->had_company || tree.count > alone;
    /* bubblewrap takes a moment to get there. */
    if (process->had_company || tree.count < alone ||
        !read_only_thread(tree.pids[tree.count - 1], use)) {
        process->had_company = process->had_company || tree.count == alone;
        use->cpu_us = tree_cpu_us(&tree);
        use->thread_wait_us = CPU_USE_UNKNOWN;
        use->is_waiting = false;
    }
}

void cpu_use_read(struct process *process, struct cpu_use *use)
{
    int64_t cpu_us;

    *use = (struct cpu_use){0, CPU_USE_UNKNOWN, CPU_USE_UNKNOWN, false};
    if (!process_is_running(process))
        return;
    if (process->group == NULL || !cgroup_read_cpu(process->group, &cpu_us)) {
        read_tree(process, use);
        return;
    }
    if (!cgroup_read_wait(&process->sandbox->cgroups, process->group, &use->group_wait_us) ||
        process->cpu < 0)
        read_tree(process, use);
    use->cpu_us = cpu_us;
}

int64_t cpu_use_waited_us(const struct cpu_use *before, const struct cpu_use *after)
{
    int64_t group_us = after->group_wait_us - before->group_wait_us;
    int64_t thread_us = after->thread_wait_us - before->thread_wait_us;

    if (before->group_wait_us == CPU_USE_UNKNOWN || after->group_wait_us == CPU_USE_UNKNOWN)
        group_us = 0;
    if (before->thread_wait_us == CPU_USE_UNKNOWN || after->thread_wait_us == CPU_USE_UNKNOWN)
        thread_us = 0;
    return group_us > thread_us ? group_us : thread_us;
}

int64_t cpu_use_read_cpu(struct process *process)
{
    struct cpu_use use;

    if (process->group != NULL && cgroup_read_cpu(process->group, &use.cpu_us))
        return use.cpu_us;
    cpu_use_read(process, &use);
    return use.cpu_us;
}
