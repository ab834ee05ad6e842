/* /proc/PID/task/TID/syscall names the system call in which a thread is blocked, and its arguments.
 * A thread waits for input if it reads what is the standard input of its process, or waits for
 * descriptors without a time limit. It does something else if it runs, sleeps, or waits for
 * descriptors for a time, as an event loop with a timer does. All other calls say nothing: most of
 * them are threads of a runtime that wait for each other.
 *
 * A bot may consist of several processes, such as a shell and what it has started, and then one of
 * them waits for the other. So all of them are looked at, and one that is active is enough. */

#include "sandbox/input_wait.h"

#include "base/text.h"
#include "sandbox/jail.h"
#include "sandbox/process.h"
#include "sandbox/process_tree.h"
#include "sandbox/procfs.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define PATH_BYTES 80
#define ARGUMENTS 6

/* What a thread does. */
enum doing {
    DOING_OTHER,
    DOING_HIDDEN, /* we may not look */
    DOING_WORK,   /* it runs, sleeps, or waits for a time */
    DOING_WAIT,   /* it waits for input */
};

/* How a call waits. */
enum call_kind {
    CALL_READS,  /* its first argument is what it reads */
    CALL_SLEEPS, /* for a time */
    CALL_MS,     /* for milliseconds, which are negative if there is no limit */
    CALL_TIME,   /* for a time to which there is a pointer, or NULL if there is no limit */
};

static const struct {
    long number;
    enum call_kind kind;
    unsigned limit; /* which argument is its time limit */
} calls[] = {
    {SYS_read, CALL_READS, 0},        {SYS_readv, CALL_READS, 0},
    {SYS_recvfrom, CALL_READS, 0},    {SYS_recvmsg, CALL_READS, 0},
    {SYS_nanosleep, CALL_SLEEPS, 0},  {SYS_clock_nanosleep, CALL_SLEEPS, 0},
    {SYS_ppoll, CALL_TIME, 2},        {SYS_pselect6, CALL_TIME, 4},
    {SYS_epoll_pwait, CALL_MS, 3},
#ifdef SYS_epoll_pwait2
    {SYS_epoll_pwait2, CALL_TIME, 3},
#endif
#ifdef SYS_poll
    {SYS_poll, CALL_MS, 2},           {SYS_select, CALL_TIME, 4},
    {SYS_epoll_wait, CALL_MS, 3},
#endif
};

static bool is_standard_input(pid_t pid, unsigned long long fd)
{
    char path[PATH_BYTES];
    struct stat input;
    struct stat other;

    (void)snprintf(path, sizeof path, "/proc/%d/fd/0", (int)pid);
    if (stat(path, &input) != 0)
        return false;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%llu", (int)pid, fd);
    return stat(path, &other) == 0 && input.st_dev == other.st_dev && input.st_ino == other.st_ino;
}

static enum doing doing_in_call(pid_t pid, long number, const unsigned long long *arguments)
{
    for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
        unsigned long long limit = arguments[calls[i].limit];

        if (calls[i].number != number)
            continue;
        switch (calls[i].kind) {
        case CALL_READS:
            return is_standard_input(pid, arguments[0]) ? DOING_WAIT : DOING_OTHER;
        case CALL_SLEEPS:
            return DOING_WORK;
        case CALL_MS:
            return (int)limit < 0 ? DOING_WAIT : DOING_WORK;
        case CALL_TIME:
            return limit == 0 ? DOING_WAIT : DOING_WORK;
        }
    }
    return DOING_OTHER;
}

static enum doing doing_of_thread(pid_t pid, const char *thread)
{
    unsigned long long arguments[ARGUMENTS];
    char path[PATH_BYTES + NAME_MAX];
    char line[300];
    char *next;
    long number;

    (void)snprintf(path, sizeof path, "/proc/%d/task/%s/syscall", (int)pid, thread);
    if (!procfs_read(path, line, sizeof line))
        return DOING_HIDDEN;
    if (strncmp(line, "running", strlen("running")) == 0)
        return DOING_WORK;
    number = strtol(line, &next, 10);
    for (unsigned i = 0; i < ARGUMENTS; i++)
        arguments[i] = strtoull(next, &next, 16);
    return doing_in_call(pid, number, arguments);
}

/* Adds what the threads of a process do to `seen`, a set. */
static void look_at(pid_t pid, bool seen[DOING_WAIT + 1])
{
    char path[PATH_BYTES];
    const struct dirent *entry;
    DIR *threads;

    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = opendir(path);
    while (threads != NULL && (entry = readdir(threads)) != NULL) {
        if (entry->d_name[0] != '.')
            seen[doing_of_thread(pid, entry->d_name)] = true;
    }
    if (threads != NULL)
        closedir(threads);
}

enum input_wait input_wait_of(const struct process *process)
{
    bool is_wrapped = process->jail != NULL && jail_is_bubblewrap(process->jail);
    bool seen[DOING_WAIT + 1] = {false};
    struct process_tree tree;

    process_tree_list(&tree, process->pid);
    for (unsigned i = is_wrapped ? JAIL_BUBBLEWRAPS : 0; i < tree.count; i++)
        look_at(tree.pids[i], seen);
    if (seen[DOING_WORK])
        return INPUT_WAIT_NO;
    if (seen[DOING_HIDDEN])
        return INPUT_WAIT_UNKNOWN;
    return seen[DOING_WAIT] ? INPUT_WAIT_YES : INPUT_WAIT_NO;
}
