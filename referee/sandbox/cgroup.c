/* Our part of a hierarchy is a folder `referee-XXXXXX` in that of our own group, with one numbered
 * folder below it for each bot. Making one takes some twenty microseconds, so they are used again:
 * all figures are read as differences. The folder is locked while we live. One that is not locked
 * was left by a referee that was killed: what is still in it is killed, and it is removed.
 *
 * Where controllers can be switched on in version 2, that is done; a group with processes in it
 * cannot have that, so we first move into a folder beside the others, but only where somebody gave
 * us this part to arrange as we like (systemd marks it).
 *
 * A child is born in its group of version 2. Groups of version 1 cannot be given at birth: there
 * the child moves itself, which costs more, so there are as few of them as possible. */

#include "sandbox/cgroup.h"

#include "base/memory.h"
#include "base/text.h"
#include "sandbox/cgroup_place.h"
#include "sandbox/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define NAME "referee-"
#define LEFT_OVER_S 60
#define PATH_BYTES 80
#define CONTENT_BYTES 4096

/* A group holds a descriptor only for what is read at every slow question. */
struct cgroup {
    unsigned number;
    int stat_fd; /* of its CPU time; -1 without version 2 */
    long memory_mb;
    long processes;
    int64_t bursts; /* its counter when it was taken */
    bool was_killed;
    struct cgroup *next;
};

static const char *const controllers[CGROUP_KINDS] = {
    [CGROUP_UNIFIED] = NULL,
    [CGROUP_MEMORY] = "memory",
    [CGROUP_CPU] = "cpu",
};

/* Files of one group. */

static int open_file(int folder, unsigned number, const char *file, int flags)
{
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof path, "%u/%s", number, file);
    return folder >= 0 ? openat(folder, path, flags | O_CLOEXEC) : -1;
}

static int write_to(int fd, const char *word)
{
    size_t length = strlen(word);
    int failed = fd < 0 || write(fd, word, length) != (ssize_t)length;

    if (fd >= 0)
        close(fd);
    return failed ? -1 : 0;
}

static int write_file(int folder, unsigned number, const char *file, const char *word)
{
    return write_to(open_file(folder, number, file, O_WRONLY), word);
}

static int write_number(int folder, unsigned number, const char *file, int64_t value)
{
    char word[24];

    (void)snprintf(word, sizeof word, "%lld", (long long)value);
    return write_file(folder, number, file, word);
}

static bool read_fd(int fd, char content[CONTENT_BYTES])
{
    ssize_t length = fd >= 0 ? pread(fd, content, CONTENT_BYTES - 1, 0) : -1;

    content[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool read_file(int folder, unsigned number, const char *file, char content[CONTENT_BYTES])
{
    int fd = open_file(folder, number, file, O_RDONLY);
    bool is_read = read_fd(fd, content);

    if (fd >= 0)
        close(fd);
    return is_read;
}

/* The number after `key` in a text; -1 if it is not there. */
static int64_t number_after(const char *content, const char *key)
{
    const char *found = strstr(content, key);

    return found != NULL ? strtoll(found + strlen(key), NULL, 10) : -1;
}

/* The folder of ours in one hierarchy. */

static void remove_groups(int folder)
{
    DIR *groups = fdopendir(dup(folder));
    const struct dirent *entry;

    while (groups != NULL && (entry = readdir(groups)) != NULL) {
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
            continue;
        (void)write_file(folder, (unsigned)strtoul(entry->d_name, NULL, 10), "cgroup.kill", "1");
        (void)unlinkat(folder, entry->d_name, AT_REMOVEDIR);
    }
    if (groups != NULL)
        closedir(groups);
}

/* A folder whose lock is free, and that is too old for its lock to be just being taken. */
static void remove_if_left_over(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;

    if (fd >= 0 && fstat(fd, &status) == 0 && time(NULL) - status.st_ctime > LEFT_OVER_S &&
        flock(fd, LOCK_EX | LOCK_NB) == 0) {
        remove_groups(fd);
        (void)rmdir(path);
    }
    if (fd >= 0)
        close(fd);
}

static void remove_left_over(const char *place)
{
    DIR *folder = opendir(place);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char *path;

        if (strncmp(entry->d_name, NAME, strlen(NAME)) != 0 ||
            asprintf(&path, "%s/%s", place, entry->d_name) < 0)
            continue;
        remove_if_left_over(path);
        free(path);
    }
    if (folder != NULL)
        closedir(folder);
}

/* Makes our folder below that of our own group. Returns its path, or NULL. */
static char *make_folder(const char *place, int *fd)
{
    char *path;

    remove_left_over(place);
    if (asprintf(&path, "%s/" NAME "XXXXXX", place) < 0)
        return NULL;
    if (mkdtemp(path) == NULL) {
        free(path);
        return NULL;
    }
    *fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd >= 0)
        (void)flock(*fd, LOCK_EX | LOCK_NB);
    return path;
}

static void open_kind(struct cgroup_tree *tree, enum cgroup_kind kind)
{
    char *place = cgroup_place_find(controllers[kind]);

    if (place != NULL)
        tree->folders[kind] = make_folder(place, &tree->fds[kind]);
    free(place);
}

/* Controllers of version 2. */

static int write_path(const char *folder, const char *file, const char *word)
{
    char *path;
    int failed = -1;

    if (asprintf(&path, "%s/%s", folder, file) < 0)
        return -1;
    failed = write_to(open(path, O_WRONLY | O_CLOEXEC), word);
    free(path);
    return failed;
}

/* Moves every process of a group into another one. */
static void move_all(const char *from, const char *to)
{
    char *path;
    char line[24];
    FILE *list;

    if (asprintf(&path, "%s/cgroup.procs", from) < 0)
        return;
    list = fopen(path, "re");
    while (list != NULL && fgets(line, sizeof line, list) != NULL)
        (void)write_path(to, "cgroup.procs", line);
    if (list != NULL)
        fclose(list);
    free(path);
}

/* Whether somebody gave us that group to arrange as we like. */
static bool is_delegated(const char *place)
{
    char value[2] = "";

    return getxattr(place, "user.delegate", value, sizeof value) == 1 ||
           getxattr(place, "trusted.delegate", value, sizeof value) == 1;
}

static bool switch_on(const char *place, const char *folder, const char *controller)
{
    return write_path(place, "cgroup.subtree_control", controller) == 0 &&
           write_path(folder, "cgroup.subtree_control", controller) == 0;
}

static void find_controllers(struct cgroup_tree *tree)
{
    const char *folder = tree->folders[CGROUP_UNIFIED];
    char *place = folder != NULL ? xstrndup(folder, strlen(folder) - strlen("/" NAME "XXXXXX")) : NULL;
    char *beside;

    if (place == NULL)
        return;
    if (is_delegated(place) && asprintf(&beside, "%s/main", place) >= 0) {
        if (mkdir(beside, 0755) == 0 || errno == EEXIST)
            move_all(place, beside);
        free(beside);
    }
    tree->limits_memory = switch_on(place, folder, "+memory");
    tree->limits_processes = switch_on(place, folder, "+pids");
    tree->weighs_cpu = switch_on(place, folder, "+cpu");
    free(place);
}

/* Whether the kernel gives each session an equal share of the CPU. Only sessions that are in no
 * group of the CPU controller have that. */
static bool are_sessions_equal(void)
{
    char *place = cgroup_place_find("cpu");
    char content[8] = "";
    bool are_equal = procfs_read("/proc/sys/kernel/sched_autogroup_enabled", content,
                                 sizeof content) &&
                     content[0] == '1' && (place == NULL || place[strlen(place) - 1] == '/');

    free(place);
    return are_equal;
}

void cgroup_tree_open(struct cgroup_tree *tree)
{
    struct cgroup *group;
    int64_t wait_us;

    *tree = (struct cgroup_tree){.fds = {-1, -1, -1}};
    open_kind(tree, CGROUP_UNIFIED);
    find_controllers(tree);
    if (!tree->limits_memory)
        open_kind(tree, CGROUP_MEMORY);
    if (!tree->weighs_cpu && !are_sessions_equal())
        open_kind(tree, CGROUP_CPU);
    tree->limits_memory = tree->limits_memory || tree->fds[CGROUP_MEMORY] >= 0;
    tree->weighs_cpu = tree->weighs_cpu || tree->fds[CGROUP_CPU] >= 0 || are_sessions_equal();
    group = cgroup_take(tree, 0, 0);
    tree->has_waits = group != NULL && cgroup_read_wait(tree, group, &wait_us);
    cgroup_give_back(tree, group);
}

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

void cgroup_tree_close(struct cgroup_tree *tree)
{
    while (tree->idle != NULL) {
        struct cgroup *group = tree->idle;

        tree->idle = group->next;
        remove_group(tree, group);
    }
    for (enum cgroup_kind kind = 0; kind < CGROUP_KINDS; kind++) {
        if (tree->folders[kind] != NULL)
            (void)rmdir(tree->folders[kind]);
        if (tree->fds[kind] >= 0)
            close(tree->fds[kind]);
        free(tree->folders[kind]);
        tree->folders[kind] = NULL;
        tree->fds[kind] = -1;
    }
}

/* Groups. */

static struct cgroup *make_group(struct cgroup_tree *tree)
{
    struct cgroup *group = xcalloc(1, sizeof *group);
    char name[16];

    group->number = ++tree->made;
    (void)snprintf(name, sizeof name, "%u", group->number);
    for (enum cgroup_kind kind = 0; kind < CGROUP_KINDS; kind++)
        if (tree->fds[kind] >= 0)
            (void)mkdirat(tree->fds[kind], name, 0755);
    group->stat_fd = open_file(tree->fds[CGROUP_UNIFIED], group->number, "cpu.stat", O_RDONLY);
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
            (void)write_file(unified, group->number, "memory.max", "max");
        else
            (void)write_number(unified, group->number, "memory.max", bytes);
        (void)write_file(unified, group->number, "memory.swap.max", "0");
        (void)write_file(unified, group->number, "memory.oom.group", "1");
        return;
    }
    /* With swap it can never be less than without, so a limit that grows is set in this order. */
    (void)write_number(old, group->number, "memory.memsw.limit_in_bytes", -1);
    (void)write_number(old, group->number, "memory.limit_in_bytes", bytes);
    (void)write_number(old, group->number, "memory.memsw.limit_in_bytes", bytes);
}

static void limit_processes(const struct cgroup_tree *tree, struct cgroup *group, long processes)
{
    if (group->processes == processes || !tree->limits_processes)
        return;
    group->processes = processes;
    if (processes > 0)
        (void)write_number(tree->fds[CGROUP_UNIFIED], group->number, "pids.max", processes);
    else
        (void)write_file(tree->fds[CGROUP_UNIFIED], group->number, "pids.max", "max");
}

/* How often the kernel has killed something in the group for want of memory. */
static int64_t count_bursts(const struct cgroup_tree *tree, const struct cgroup *group)
{
    char content[CONTENT_BYTES];
    bool is_old = tree->fds[CGROUP_MEMORY] >= 0;

    if (!tree->limits_memory ||
        !read_file(is_old ? tree->fds[CGROUP_MEMORY] : tree->fds[CGROUP_UNIFIED], group->number,
                   is_old ? "memory.oom_control" : "memory.events", content))
        return 0;
    return number_after(content, "oom_kill ");
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
    char content[CONTENT_BYTES];

    if (tree->fds[CGROUP_UNIFIED] < 0)
        return !read_file(tree->fds[CGROUP_MEMORY], group->number, "cgroup.procs", content);
    return read_file(tree->fds[CGROUP_UNIFIED], group->number, "cgroup.events", content) &&
           number_after(content, "populated ") == 0;
}

void cgroup_give_back(struct cgroup_tree *tree, struct cgroup *group)
{
    if (group == NULL)
        return;
    /* Some kernels kill everything that is born in a group after it was killed as a whole. */
    if (group->was_killed || !is_empty(tree, group)) {
        remove_group(tree, group);
        return;
    }
    if (tree->limits_memory)
        group->bursts = count_bursts(tree, group);
    group->next = tree->idle;
    tree->idle = group;
}

/* Where a child cannot be born in a group it joins that one like the others. */
#if defined(__x86_64__) || defined(__aarch64__)
#define IS_BORN_IN_GROUP true
#else
#define IS_BORN_IN_GROUP false
#endif

int cgroup_open_door(const struct cgroup_tree *tree, const struct cgroup *group,
                     struct cgroup_door *door)
{
    *door = CGROUP_DOOR_NONE;
    for (enum cgroup_kind kind = 0; kind < CGROUP_KINDS; kind++) {
        bool is_birth = kind == CGROUP_UNIFIED && IS_BORN_IN_GROUP;
        int *fd = is_birth ? &door->unified_fd : &door->join_fds[kind];

        if (tree->fds[kind] < 0)
            continue;
        *fd = open_file(tree->fds[kind], group->number, is_birth ? "" : "cgroup.procs",
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
    char content[CONTENT_BYTES];

    if (!read_fd(group->stat_fd, content))
        return false;
    *cpu_us = number_after(content, "usage_usec ");
    return *cpu_us >= 0;
}

/* The line that begins with "full" is the second one. */
bool cgroup_read_wait(const struct cgroup_tree *tree, const struct cgroup *group,
                      int64_t *wait_us)
{
    char content[CONTENT_BYTES];
    const char *full;

    if (!read_file(tree->fds[CGROUP_UNIFIED], group->number, "cpu.pressure", content))
        return false;
    full = strstr(content, "full ");
    *wait_us = full != NULL ? number_after(full, "total=") : -1;
    return *wait_us >= 0;
}

int cgroup_freeze(const struct cgroup_tree *tree, const struct cgroup *group, bool is_frozen)
{
    return write_file(tree->fds[CGROUP_UNIFIED], group->number, "cgroup.freeze",
                      is_frozen ? "1" : "0");
}

void cgroup_kill(const struct cgroup_tree *tree, struct cgroup *group)
{
    if (is_empty(tree, group))
        return;
    (void)write_file(tree->fds[CGROUP_UNIFIED], group->number, "cgroup.kill", "1");
    group->was_killed = true;
}

bool cgroup_has_burst(const struct cgroup_tree *tree, const struct cgroup *group)
{
    return count_bursts(tree, group) > group->bursts;
}
