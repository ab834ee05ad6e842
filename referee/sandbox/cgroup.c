/* A group is a numbered folder in each hierarchy. Making one takes some twenty microseconds, so
 * they are used again: all figures are read as differences. A child is born in its group of version
 * 2. Groups of version 1 cannot be given at birth: there the child moves itself. */

#include "sandbox/cgroup.h"

#include "base/memory.h"
#include "sandbox/cgroup_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A group holds a descriptor only for what is read at every slow question. */
struct cgroup {
    unsigned number;
    int stat_fd; /* of its CPU time; -1 without version 2 */
    long memory_mb;
    long processes;
    int64_t bursts; /* its counter when it was taken */
    bool was_killed;
    bool is_left; /* nothing of its last process is in it */
    struct cgroup *next;
};

static void remove_group(struct cgroup_tree *tree, struct cgroup *group)
{
    char name[16];

    (void)snprintf(name, sizeof name, "%u", group->number);
    for (enum cgroup_kind kind = 0; kind < CGROUP_KINDS; kind++)
        if (tree->fds[kind] >= 0)
            (void)unlinkat(tree->fds[kind], name, AT_REMOVEDIR);
    if (group->stat_fd >= 0)
        close(group->stat_fd);
    free(group);
}

void cgroup_forget_idle(struct cgroup_tree *tree)
{
    while (tree->idle != NULL) {
        struct cgroup *group = tree->idle;

        tree->idle = group->next;
        remove_group(tree, group);
    }
}

static struct cgroup *make_group(struct cgroup_tree *tree)
{
    struct cgroup *group = xcalloc(1, sizeof *group);
    char name[16];

    group->number = ++tree->made;
    (void)snprintf(name, sizeof name, "%u", group->number);
    for (enum cgroup_kind kind = 0; kind < CGROUP_KINDS; kind++)
        if (tree->fds[kind] >= 0)
            (void)mkdirat(tree->fds[kind], name, 0755);
    group->stat_fd =
        cgroup_file_open(tree->fds[CGROUP_UNIFIED], group->number, "cpu.stat", O_RDONLY);
    return group;
}

/* The most that fits into the kernel's counter of bytes means no limit. */
static void limit_memory(const struct cgroup_tree *tree, struct cgroup *group, long memory_mb)
{
    int64_t bytes = memory_mb > 0 ? (int64_t)memory_mb * 1024 * 1024 : -1;
    int old = tree->fds[CGROUP_MEMORY];
    int unified = tree->fds[CGROUP_UNIFIED];

    if (group->memory_mb == memory_mb || !tree->limits_memory)
        return;
    group->memory_mb = memory_mb;
    if (old < 0) {
        if (bytes < 0)
            (void)cgroup_file_write(unified, group->number, "memory.max", "max");
        else
            (void)cgroup_file_write_number(unified, group->number, "memory.max", bytes);
        (void)cgroup_file_write(unified, group->number, "memory.swap.max", "0");
        (void)cgroup_file_write(unified, group->number, "memory.oom.group", "1");
        return;
    }
    /* With swap it can never be less than without, so a limit that grows is set in this order. */
    (void)cgroup_file_write_number(old, group->number, "memory.memsw.limit_in_bytes", -1);
    (void)cgroup_file_write_number(old, group->number, "memory.limit_in_bytes", bytes);
    (void)cgroup_file_write_number(old, group->number, "memory.memsw.limit_in_bytes", bytes);
}

static void limit_processes(const struct cgroup_tree *tree, struct cgroup *group, long processes)
{
    if (group->processes == processes || !tree->limits_processes)
        return;
    group->processes = processes;
    if (processes > 0)
        (void)cgroup_file_write_number(tree->fds[CGROUP_UNIFIED], group->number, "pids.max",
                                       processes);
    else
        (void)cgroup_file_write(tree->fds[CGROUP_UNIFIED], group->number, "pids.max", "max");
}

/* How often the kernel has killed something in the group for want of memory. */
static int64_t count_bursts(const struct cgroup_tree *tree, const struct cgroup *group)
{
    char content[CGROUP_FILE_BYTES];
    bool is_old = tree->fds[CGROUP_MEMORY] >= 0;

    if (!tree->limits_memory ||
        !cgroup_file_read(is_old ? tree->fds[CGROUP_MEMORY] : tree->fds[CGROUP_UNIFIED],
                          group->number, is_old ? "memory.oom_control" : "memory.events", content))
        return 0;
    return cgroup_file_number(content, "oom_kill ");
}

struct cgroup *cgroup_take(struct cgroup_tree *tree, long memory_mb, long processes)
{
    struct cgroup *group = tree->idle;

    if (tree->fds[CGROUP_UNIFIED] < 0 && tree->fds[CGROUP_MEMORY] < 0 && tree->fds[CGROUP_CPU] < 0)
        return NULL;
    if (group != NULL)
        tree->idle = group->next;
    else
        group = make_group(tree);
    limit_memory(tree, group, memory_mb);
    limit_processes(tree, group, processes);
    return group;
}

static bool is_empty(const struct cgroup_tree *tree, const struct cgroup *group)
{
    char content[CGROUP_FILE_BYTES];

    if (tree->fds[CGROUP_UNIFIED] < 0)
        return !cgroup_file_read(tree->fds[CGROUP_MEMORY], group->number, "cgroup.procs", content);
    return cgroup_file_read(tree->fds[CGROUP_UNIFIED], group->number, "cgroup.events", content) &&
           cgroup_file_number(content, "populated ") == 0;
}

void cgroup_give_back(struct cgroup_tree *tree, struct cgroup *group)
{
    if (group == NULL)
        return;
    /* Some kernels kill everything that is born in a group after it was killed as a whole. */
    if (group->was_killed || !(group->is_left || is_empty(tree, group))) {
        remove_group(tree, group);
        return;
    }
    if (tree->limits_memory)
        group->bursts = count_bursts(tree, group);
    group->is_left = false;
    group->next = tree->idle;
    tree->idle = group;
}

int cgroup_open_door(const struct cgroup_tree *tree, const struct cgroup *group,
                     struct cgroup_door *door)
{
    *door = CGROUP_DOOR_NONE;
    for (enum cgroup_kind kind = 0; kind < CGROUP_KINDS; kind++) {
        bool is_birth = kind == CGROUP_UNIFIED && CGROUP_IS_BIRTH_POSSIBLE;
        int *fd = is_birth ? &door->unified_fd : &door->join_fds[kind];

        /* Joining takes time, so nobody joins a group that limits nothing. */
        if (tree->fds[kind] < 0 || (kind == CGROUP_MEMORY && group->memory_mb == 0))
            continue;
        *fd = cgroup_file_open(tree->fds[kind], group->number, is_birth ? "" : "cgroup.procs",
                               is_birth ? O_PATH | O_DIRECTORY : O_WRONLY);
        if (*fd < 0) {
            cgroup_close_door(door);
            return -1;
        }
    }
    return 0;
}

void cgroup_close_door(struct cgroup_door *door)
{
    int error = errno;

    if (door->unified_fd >= 0)
        close(door->unified_fd);
    for (enum cgroup_kind kind = 0; kind < CGROUP_KINDS; kind++)
        if (door->join_fds[kind] >= 0)
            close(door->join_fds[kind]);
    *door = CGROUP_DOOR_NONE;
    errno = error;
}

bool cgroup_read_cpu(const struct cgroup *group, int64_t *cpu_us)
{
    char content[CGROUP_FILE_BYTES];

    if (!cgroup_file_read_fd(group->stat_fd, content))
        return false;
    *cpu_us = cgroup_file_number(content, "usage_usec ");
    return *cpu_us >= 0;
}

/* The line that begins with "full" is the second one. */
bool cgroup_read_wait(const struct cgroup_tree *tree, const struct cgroup *group, int64_t *wait_us)
{
    char content[CGROUP_FILE_BYTES];
    const char *full;

    if (!cgroup_file_read(tree->fds[CGROUP_UNIFIED], group->number, "cpu.pressure", content))
        return false;
    full = strstr(content, "full ");
    *wait_us = full != NULL ? cgroup_file_number(full, "total=") : -1;
    return *wait_us >= 0;
}

int cgroup_freeze(const struct cgroup_tree *tree, const struct cgroup *group, bool is_frozen)
{
    return cgroup_file_write(tree->fds[CGROUP_UNIFIED], group->number, "cgroup.freeze",
                             is_frozen ? "1" : "0");
}

void cgroup_kill(const struct cgroup_tree *tree, struct cgroup *group)
{
    group->is_left = is_empty(tree, group);
    if (group->is_left)
        return;
    (void)cgroup_file_write(tree->fds[CGROUP_UNIFIED], group->number, "cgroup.kill", "1");
    group->was_killed = true;
}

bool cgroup_has_burst(const struct cgroup_tree *tree, const struct cgroup *group)
{
    return count_bursts(tree, group) > group->bursts;
}
