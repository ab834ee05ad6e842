/* A process whose parent has ended becomes the child of the nearest subreaper above it, which is
 * us. So whatever a bot started can be found among our children sooner or later, even if it left
 * its session. A child of ours is either in our own session (we started it for something else), or
 * excepted (the first process of a bot; of the daemon's children, a process that plays a job), or
 * such an orphan.
 *
 * Orphans are stopped from the root of their tree downwards before they are killed: a stopped
 * process cannot fork, so even a tree that grows all the time is caught. Where the bot has a user
 * of its own one kill() reaches all processes of this user, and no others. That takes a child
 * process, so it is done only if there is an orphan. There always is one if anything is left: every
 * process has a parent, and we are at the top. The list of our children only shrinks when we reap,
 * so nothing in it is overlooked. */

#include "sandbox/reaper.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PASSES_MAX 1000
#define DEPTH_MAX 64
#define CHILDREN_BYTES 16384

/* The first processes of all bots, or those that play jobs; few, so they are looked up one by
 * one. */
static pid_t *excepted;
static size_t excepted_count;
static size_t excepted_room;
static pid_t begun_by; /* who became a subreaper: a fork of it did not */

int reaper_start(void)
{
    if (begun_by == getpid())
        return 0;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
        return -1;
    begun_by = getpid();
    return 0;
}

void reaper_except(pid_t pid)
{
    if (excepted_count == excepted_room) {
        excepted_room = excepted_room * 2 + 16;
        excepted = xrealloc(excepted, excepted_room * sizeof *excepted);
    }
    excepted[excepted_count++] = pid;
}

void reaper_forget(pid_t pid)
{
    for (size_t i = 0; i < excepted_count; i++) {
        if (excepted[i] == pid) {
            excepted[i] = excepted[--excepted_count];
            break;
        }
    }
    if (excepted_count == 0) {
        free(excepted);
        excepted = NULL;
        excepted_room = 0;
    }
}

static bool is_excepted(pid_t pid)
{
    for (size_t i = 0; i < excepted_count; i++)
        if (excepted[i] == pid)
            return true;
    return false;
}

/* Reads the children of one thread of a process as text. Returns false if there are none. */
static bool read_children(pid_t pid, char list[CHILDREN_BYTES])
{
    char path[80];
    ssize_t length = 0;
    ssize_t piece = 1;
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (piece > 0 && length < CHILDREN_BYTES - 1) {
        piece = read(fd, list + length, (size_t)(CHILDREN_BYTES - 1 - length));
        length += piece > 0 ? piece : 0;
    }
    close(fd);
    list[length] = '\0';
    /* A number that was cut off would be that of another process. */
    if (length == CHILDREN_BYTES - 1)
        list[strrchr(list, ' ') - list + 1] = '\0';
    return length > 0;
}

/* Stops a process before its children are looked for, so that it gets no more of them. Children of
 * other threads than the first are found when it has ended. */
static void stop_tree(pid_t pid, int depth)
{
    char list[CHILDREN_BYTES];
    char *next = list;
    char *end;

    (void)kill(pid, SIGSTOP);
    if (depth == DEPTH_MAX || !read_children(pid, list))
        return;
    for (long child = strtol(next, &end, 10); end != next; child = strtol(next, &end, 10)) {
        stop_tree((pid_t)child, depth + 1);
        next = end;
    }
    for (next = list; (void)(pid = (pid_t)strtol(next, &end, 10)), end != next; next = end)
        (void)kill(pid, SIGKILL);
}

static bool is_orphan(pid_t pid)
{
    return !is_excepted(pid) && getsid(pid) != getsid(0);
}

static void end_orphan(pid_t pid)
{
    siginfo_t info;

    stop_tree(pid, 0);
    (void)kill(pid, SIGKILL);
    while (waitid(P_PID, (id_t)pid, &info, WEXITED) != 0 && errno == EINTR)
        ;
}

/* Their children are ours only when they have ended, so there may be more in the next pass. */
static unsigned kill_orphans_once(uid_t user)
{
    char list[CHILDREN_BYTES];
    char *next = list;
    char *end;
    unsigned count = 0;

    if (!read_children(getpid(), list))
        return 0;
    for (long child = strtol(next, &end, 10); end != next; child = strtol(next, &end, 10)) {
        if (is_orphan((pid_t)child)) {
            if (user != 0 && count == 0)
                reaper_kill_user(user);
            end_orphan((pid_t)child);
            count++;
        }
        next = end;
    }
    return count;
}

unsigned reaper_kill_orphans(uid_t user)
{
    unsigned total = 0;
    unsigned count = 1;

    for (int pass = 0; begun_by == getpid() && count > 0 && pass < PASSES_MAX; pass++) {
        count = kill_orphans_once(user);
        total += count;
    }
    return total;
}

/* Runs in a child that shares our memory: it only makes system calls, and not through library
 * functions that would change all threads. */
static _Noreturn void kill_as(uid_t uid)
{
    if (syscall(SYS_setresuid, uid, uid, uid) == 0)
        (void)syscall(SYS_kill, -1, SIGKILL);
    _exit(0);
}

void reaper_kill_user(uid_t uid)
{
    pid_t pid = vfork();

    if (pid == 0)
        kill_as(uid);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* A child that ends at once and leaves a child of its own, in another session. That one has to
 * become ours first; then it asks to be killed with us, which works even if it is stopped when we
 * die. When that is certain it writes one byte. */
static void leave_orphan(pid_t reaper, int report_fd)
{
    pid_t parent = getpid();

    (void)setsid();
    if (fork() == 0) {
        (void)setsid();
        while (getppid() == parent)
            (void)sched_yield();
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == reaper && write(report_fd, "", 1) == 1)
            (void)pause();
    }
    _exit(0);
}

static bool has_reported(int report_fd)
{
    char byte;
    ssize_t got;

    while ((got = read(report_fd, &byte, 1)) < 0 && errno == EINTR)
        ;
    return got == 1;
}

bool reaper_is_possible(void)
{
    pid_t reaper = getpid();
    int ends[2];
    bool is_possible;
    pid_t pid;

    if (reaper_start() != 0 || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid = fork();
    if (pid == 0)
        leave_orphan(reaper, ends[1]);
    (void)close(ends[1]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    is_possible = pid > 0 && has_reported(ends[0]) && reaper_kill_orphans(0) == 1;
    (void)close(ends[0]);
    return is_possible;
}
