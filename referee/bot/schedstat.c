/* A bot is a tree of processes, each of one or more threads. /proc/PID/task/TID/schedstat holds, in
 * nanoseconds, how long a thread has run and how long it was ready to run and did not; `stat`
 * beside it holds its state, `children` the processes that it started. The kernel adds a wait only
 * when the thread runs again, and brings the time of a running thread up to date at its timer
 * ticks. Nothing here can fail: processes come and go between two reads, and what cannot be read is
 * left out. A walk costs tens of microseconds, so it is made only where an answer is slow or a
 * limit short. */

#include "bot/schedstat.h"

#include "sandbox/procfs.h"
#include "base/clock.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES_MAX 32
#define PATH_BYTES 80
#define LINKS_OF_ONE_THREAD 3

/* Whether the host of this machine takes time from it, as far as we have looked. */
static enum { THEFT_UNKNOWN, THEFT_NONE, THEFT_SEEN } theft;

/* The processes that are still to be looked at; the tree is walked breadth first. */
struct walk {
    struct schedstat *probe;
    pid_t pids[PROCESSES_MAX];
    unsigned count;
};

static bool read_of_thread(pid_t pid, pid_t tid, const char *file, char *buffer, size_t capacity)
{
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)pid, (int)tid, file);
    return procfs_read(path, buffer, capacity);
}

static bool read_schedstat(const char *line, int64_t *cpu_ns, int64_t *wait_ns)
{
    char *end;

    *cpu_ns = strtoll(line, &end, 10);
    if (end == line || *end != ' ')
        return false;
    *wait_ns = strtoll(end, NULL, 10);
    return true;
}

/* The state follows the name, which may itself hold any byte. */
static bool is_ready(pid_t pid, pid_t tid)
{
    char line[256];
    const char *name_end;

    if (!read_of_thread(pid, tid, "stat", line, sizeof line))
        return false;
    name_end = strrchr(line, ')');
    return name_end != NULL && name_end[1] == ' ' && name_end[2] == 'R';
}

static void add_children(struct walk *walk, pid_t pid, pid_t tid)
{
    char line[512];
    char *next = line;

    if (!read_of_thread(pid, tid, "children", line, sizeof line))
        return;
    while (walk->count < PROCESSES_MAX) {
        char *end;
        long child = strtol(next, &end, 10);

        if (end == next)
            break;
        walk->pids[walk->count++] = (pid_t)child;
        next = end;
    }
}

/* The state is read before the counters: if the thread runs and falls asleep between the two, its
 * counters may be complete without anybody knowing, but never the other way round. */
static void add_thread(struct walk *walk, pid_t pid, pid_t tid)
{
    struct schedstat *probe = walk->probe;
    struct schedstat_thread thread = {.tid = tid};
    bool was_ready = is_ready(pid, tid);
    char line[100];

    if (probe->count < SCHEDSTAT_THREADS_MAX &&
        read_of_thread(pid, tid, "schedstat", line, sizeof line) &&
        read_schedstat(line, &thread.cpu_ns, &thread.wait_ns)) {
        probe->threads[probe->count++] = thread;
        probe->is_waiting = probe->is_waiting || was_ready;
    }
    add_children(walk, pid, tid);
}

static void add_threads(struct walk *walk, pid_t pid, const char *path)
{
    DIR *tasks = opendir(path);
    const struct dirent *entry;

    if (tasks == NULL)
        return;
    while ((entry = readdir(tasks)) != NULL) {
        long tid = strtol(entry->d_name, NULL, 10);

        if (tid > 0)
            add_thread(walk, pid, (pid_t)tid);
    }
    closedir(tasks);
}

static void add_process(struct walk *walk, pid_t pid)
{
    char path[PATH_BYTES];
    struct stat folder;

    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    if (stat(path, &folder) != 0)
        return;
    /* Each thread is a link; most bots have one, and listing it would cost as much as reading
     * it. */
    if (folder.st_nlink == LINKS_OF_ONE_THREAD)
        add_thread(walk, pid, pid);
    else
        add_threads(walk, pid, path);
}

/* All that is left where the kernel shows no waits: the CPU time of the process itself. */
static void add_cpu_clock(struct schedstat *probe, pid_t pid)
{
    struct schedstat_thread process = {.tid = pid};
    struct timespec used;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return;
    process.cpu_ns = (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
    probe->threads[probe->count++] = process;
}

void schedstat_take(struct schedstat *probe, pid_t pid)
{
    struct walk walk = {.probe = probe, .pids = {pid}, .count = 1};

    probe->at_us = clock_now_us();
    probe->count = 0;
    probe->is_waiting = false;
    for (unsigned i = 0; i < walk.count; i++)
        add_process(&walk, walk.pids[i]);
    probe->has_waits = probe->count > 0;
    if (!probe->has_waits)
        add_cpu_clock(probe, pid);
}

static const struct schedstat_thread *find_thread(const struct schedstat *probe, pid_t tid)
{
    for (unsigned i = 0; i < probe->count; i++)
        if (probe->threads[i].tid == tid)
            return &probe->threads[i];
    return NULL;
}

void schedstat_compare(const struct schedstat *before, const struct schedstat *after,
                       struct clock_rule_sample *sample)
{
    int64_t cpu_ns = 0;
    int64_t wait_ns = 0;

    for (unsigned i = 0; i < after->count; i++) {
        const struct schedstat_thread *now = &after->threads[i];
        const struct schedstat_thread *then = find_thread(before, now->tid);

        cpu_ns += now->cpu_ns - (then != NULL ? then->cpu_ns : 0);
        wait_ns += now->wait_ns - (then != NULL ? then->wait_ns : 0);
    }
    sample->cpu_us = cpu_ns / 1000;
    sample->wait_us = wait_ns / 1000;
    sample->is_waiting = after->is_waiting;
    if (!after->has_waits && after->count > 0)
        sample->wait_us = (after->at_us - before->at_us) / 3 * 2;
}

int64_t schedstat_own_us(void)
{
    char line[100];
    int64_t cpu_ns;
    int64_t wait_ns;

    if (!procfs_read("/proc/thread-self/schedstat", line, sizeof line) ||
        !read_schedstat(line, &cpu_ns, &wait_ns))
        return 0;
    return (cpu_ns + wait_ns) / 1000;
}

int64_t schedstat_stolen_us(void)
{
    char line[256];
    long long ticks[8] = {0};

    if (!procfs_read("/proc/stat", line, sizeof line))
        return 0;
    /* The eighth figure of the first line. */
    (void)sscanf(line, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &ticks[0], &ticks[1],
                 &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]);
    theft = ticks[7] > 0 ? THEFT_SEEN : THEFT_NONE;
    return (int64_t)ticks[7] * SCHEDSTAT_STEP_US;
}

int64_t schedstat_stolen_before_us(void)
{
    return theft == THEFT_NONE ? 0 : schedstat_stolen_us();
}
