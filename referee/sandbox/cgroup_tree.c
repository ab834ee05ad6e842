/* Our part of a hierarchy is a folder `referee-XXXXXX` in that of our own group, with one numbered
 * folder below it for each bot. The folder is locked while we live. One that is not locked was left
 * by a referee that was killed: what is still in it is killed, and it is removed.
 *
 * Where controllers can be switched on in version 2, that is done; a group with processes in it
 * cannot have that, so we first move into a folder beside the others, but only where somebody gave
 * us this part to arrange as we like (systemd marks it). Groups of version 1 are the second choice,
 * because entering them costs more. */

#include "sandbox/cgroup.h"

#include "base/memory.h"
#include "sandbox/cgroup_file.h"
#include "sandbox/cgroup_place.h"
#include "sandbox/procfs.h"
#include "sandbox/scratch_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define NAME "referee-"
#define BESIDE "/main" /* where we move to */
#define TRIES_MAX 16

static const char *const controllers[CGROUP_KINDS] = {
    [CGROUP_UNIFIED] = NULL,
    [CGROUP_MEMORY] = "memory",
    [CGROUP_CPU] = "cpu",
};

static void remove_groups(int folder)
{
    DIR *groups = fdopendir(dup(folder));
    const struct dirent *entry;

    while (groups != NULL && (entry = readdir(groups)) != NULL) {
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
            continue;
        (void)cgroup_file_write(folder, (unsigned)strtoul(entry->d_name, NULL, 10), "cgroup.kill",
                                "1");
        (void)unlinkat(folder, entry->d_name, AT_REMOVEDIR);
    }
    if (groups != NULL)
        closedir(groups);
}

/* A folder whose lock is free. If it is just being taken, its maker notices and makes another. */
static void remove_if_left_over(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
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
    remove_left_over(place);
    for (int i = 0; i < TRIES_MAX; i++) {
        char *path;

        if (asprintf(&path, "%s/" NAME "XXXXXX", place) < 0)
            return NULL;
        *fd = mkdtemp(path) != NULL ? scratch_dir_lock(path) : -1;
        if (*fd >= 0)
            return path;
        free(path);
    }
    return NULL;
}

/* Whether somebody gave us that group to arrange as we like. */
static bool is_delegated(const char *place)
{
    char value[2] = "";

    return getxattr(place, "user.delegate", value, sizeof value) == 1 ||
           getxattr(place, "trusted.delegate", value, sizeof value) == 1;
}

/* If we, or whoever started us, have moved out of such a group, that is our place still. */
static void move_up(char *place)
{
    char *slash = strrchr(place, '/');

    if (slash == NULL || strcmp(slash, BESIDE) != 0)
        return;
    *slash = '\0';
    if (!is_delegated(place))
        *slash = '/';
}

/* Where our folders of a kind are; the caller's; NULL: nowhere. */
static char *find_place(enum cgroup_kind kind)
{
    char *place = cgroup_place_find(controllers[kind]);

    if (place != NULL && kind == CGROUP_UNIFIED)
        move_up(place);
    return place;
}

static void open_kind(struct cgroup_tree *tree, enum cgroup_kind kind)
{
    char *place = find_place(kind);

    if (place != NULL)
        tree->folders[kind] = make_folder(place, &tree->fds[kind]);
    free(place);
}

void cgroup_tree_sweep(void)
{
    for (enum cgroup_kind kind = 0; kind < CGROUP_KINDS; kind++) {
        char *place = find_place(kind);

        if (place != NULL)
            remove_left_over(place);
        free(place);
    }
}

/* Controllers of version 2. */

static int write_path(const char *folder, const char *file, const char *word)
{
    char *path;
    int failed = -1;

    if (asprintf(&path, "%s/%s", folder, file) < 0)
        return -1;
    failed = cgroup_file_write_to(open(path, O_WRONLY | O_CLOEXEC), word);
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

static bool switch_on(const char *place, const char *folder, const char *controller)
{
    return write_path(place, "cgroup.subtree_control", controller) == 0 &&
           write_path(folder, "cgroup.subtree_control", controller) == 0;
}

static void find_controllers(struct cgroup_tree *tree)
{
    const char *folder = tree->folders[CGROUP_UNIFIED];
    char *place =
        folder != NULL ? xstrndup(folder, strlen(folder) - strlen("/" NAME "XXXXXX")) : NULL;
    char *beside;

    if (place == NULL)
        return;
    if (is_delegated(place) && asprintf(&beside, "%s" BESIDE, place) >= 0) {
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
    bool are_equal =
        procfs_read("/proc/sys/kernel/sched_autogroup_enabled", content, sizeof content) &&
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

void cgroup_tree_close(struct cgroup_tree *tree)
{
    cgroup_forget_idle(tree);
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
