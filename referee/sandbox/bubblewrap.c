/* bubblewrap makes new namespaces, builds a root from the paths it is told to bind, and runs a
 * program there. Everything writable in that root would be memory that is not counted, so the root
 * itself and /dev are made read-only in the end, /dev holds only a few devices, and the only place
 * to write to has a fixed size. The kernel's books about the whole machine are covered in /proc: a
 * bot could move their figures, and another one read them. */

#include "sandbox/sandbox_private.h"

#include "base/memory.h"
#include "base/text.h"
#include "sandbox/landlock.h"
#include "sandbox/process_tree.h"

#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define LINK_BYTES 4096
#define PATH_BYTES 80

static const char *const books[] = {
    "/proc/buddyinfo", "/proc/diskstats", "/proc/interrupts", "/proc/key-users", "/proc/loadavg",
    "/proc/locks",     "/proc/pressure",  "/proc/schedstat",  "/proc/slabinfo",  "/proc/softirqs",
    "/proc/stat",      "/proc/sys/fs",    "/proc/uptime",     "/proc/vmstat",    "/proc/zoneinfo"};

/* A list of arguments that grows. */
struct arguments {
    char **list;
    size_t count;
    size_t room;
};

static void add(struct arguments *arguments, const char *argument)
{
    if (arguments->count + 1 >= arguments->room) {
        arguments->room = arguments->room * 2 + 64;
        arguments->list = xrealloc(arguments->list, arguments->room * sizeof *arguments->list);
    }
    arguments->list[arguments->count++] = xstrdup(argument);
    arguments->list[arguments->count] = NULL;
}

static void add_three(struct arguments *arguments, const char *option, const char *from,
                      const char *to)
{
    add(arguments, option);
    add(arguments, from);
    add(arguments, to);
}

/* Lets a path be read where it is; a link stays one: /bin is one into /usr on most machines. */
static void add_path(struct arguments *arguments, const char *path, bool is_system)
{
    char target[LINK_BYTES];
    struct stat status;
    ssize_t length;

    if (lstat(path, &status) != 0)
        return;
    if (S_ISLNK(status.st_mode)) {
        length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        add_three(arguments, "--symlink", target, path);
    } else {
        add_three(arguments, is_system && !S_ISDIR(status.st_mode) ? "--dev-bind" : "--ro-bind",
                  path, path);
    }
}

/* What every program may read: the system. */
static void add_system(struct arguments *arguments)
{
    for (size_t i = 0; i < LANDLOCK_PLACES; i++) {
        if (!landlock_places[i].is_virtual)
            add_path(arguments, landlock_places[i].path, true);
    }
}

static void cover_books(struct arguments *arguments)
{
    for (size_t i = 0; i < ARRAY_LEN(books); i++) {
        struct stat status;

        if (stat(books[i], &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode)) {
            add_three(arguments, "--tmpfs", books[i], "--remount-ro");
            add(arguments, books[i]);
        } else {
            add_three(arguments, "--dev-bind", "/dev/null", books[i]);
        }
    }
}

/* bubblewrap can limit the size of a file system, but not the number of its files. */
static void add_scratch(struct arguments *arguments, const struct sandbox *sandbox,
                        const char *scratch)
{
    char size[40];

    if (scratch != NULL) {
        add_three(arguments, "--bind", scratch, BUBBLEWRAP_SCRATCH);
        return;
    }
    (void)snprintf(size, sizeof size, "%lld", (long long)sandbox->limits.scratch_mb * 1024 * 1024);
    add(arguments, "--perms");
    add_three(arguments, "0700", "--size", size);
    add(arguments, "--tmpfs");
    add(arguments, BUBBLEWRAP_SCRATCH);
}

char **bubblewrap_argv(const struct sandbox *sandbox, const struct program_files *files,
                       const char *scratch)
{
    struct arguments arguments = {0};
    char fd[20];

    (void)snprintf(fd, sizeof fd, "%d", BUBBLEWRAP_SECCOMP_FD);
    add_three(&arguments, "bwrap", "--unshare-all", "--die-with-parent");
    add_three(&arguments, "--cap-drop", "ALL", "--seccomp");
    add(&arguments, fd);
    add_system(&arguments);
    add(&arguments, "--proc");
    add(&arguments, "/proc");
    cover_books(&arguments);
    add_scratch(&arguments, sandbox, scratch);
    for (size_t i = 0; files->readable != NULL && files->readable[i] != NULL; i++)
        add_path(&arguments, files->readable[i], false);
    add_three(&arguments, "--remount-ro", "/", "--chdir");
    add(&arguments, files->folder != NULL ? files->folder : BUBBLEWRAP_SCRATCH);
    add(&arguments, "--");
    for (size_t i = 0; files->argv[i] != NULL; i++)
        add(&arguments, files->argv[i]);
    return arguments.list;
}

void bubblewrap_free(char **argv)
{
    for (size_t i = 0; argv != NULL && argv[i] != NULL; i++)
        free(argv[i]);
    free(argv);
}

/* The folder is that file system which has the size that we asked for. */
struct scratch_dir_size bubblewrap_measure(pid_t pid, const struct scratch_dir_size *most)
{
    struct scratch_dir_size size = {0};
    struct process_tree tree;

    process_tree_list(&tree, pid);
    for (unsigned i = 0; i < tree.count; i++) {
        char path[PATH_BYTES];
        struct statfs system;

        (void)snprintf(path, sizeof path, "/proc/%d/root" BUBBLEWRAP_SCRATCH, (int)tree.pids[i]);
        if (statfs(path, &system) != 0 || system.f_type != TMPFS_MAGIC ||
            (int64_t)system.f_blocks * system.f_bsize != most->bytes)
            continue;
        size.bytes = (int64_t)(system.f_blocks - system.f_bfree) * system.f_bsize;
        size.entries = (unsigned)(system.f_files - system.f_ffree);
        break;
    }
    return size;
}
