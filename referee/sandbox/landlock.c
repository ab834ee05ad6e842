/* Landlock takes rights away from the calling process and its descendants: they may then only do to
 * files what a rule allows below some folder. A process in a Landlock domain also cannot look into
 * others that are not in it, by ptrace or through their files in /proc. The parent adds all rules
 * but one: the program's own folder in /proc does not exist before the program runs.
 *
 * The kernel's header may be older than the kernel, so its newer names are defined here. */

#include "sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RIGHT_EXECUTE (1ULL << 0)
#define RIGHT_WRITE_FILE (1ULL << 1)
#define RIGHT_READ_FILE (1ULL << 2)
#define RIGHT_READ_FOLDER (1ULL << 3)
#define RIGHT_REMOVE_FOLDER (1ULL << 4)
#define RIGHT_REMOVE_FILE (1ULL << 5)
#define RIGHT_MAKE_FOLDER (1ULL << 7)
#define RIGHT_MAKE_FILE (1ULL << 8)
#define RIGHT_MAKE_FIFO (1ULL << 10)
#define RIGHT_MAKE_LINK (1ULL << 12)
#define RIGHT_MOVE (1ULL << 13)
#define RIGHT_TRUNCATE (1ULL << 14)
#define RIGHT_DEVICE_CONTROL (1ULL << 15)
#define RIGHTS_READ (RIGHT_EXECUTE | RIGHT_READ_FILE | RIGHT_READ_FOLDER)
#define RIGHTS_WRITE                                                                               \
    (RIGHTS_READ | RIGHT_WRITE_FILE | RIGHT_REMOVE_FOLDER | RIGHT_REMOVE_FILE |                    \
     RIGHT_MAKE_FOLDER | RIGHT_MAKE_FILE | RIGHT_MAKE_FIFO | RIGHT_MAKE_LINK | RIGHT_MOVE |        \
     RIGHT_TRUNCATE)
/* The rights that a file can have, and not only a folder. */
#define RIGHTS_OF_FILES (RIGHT_EXECUTE | RIGHT_WRITE_FILE | RIGHT_READ_FILE | RIGHT_TRUNCATE)
#define NETWORK_ALL 3ULL /* to bind and to connect */
#define SCOPED_ALL 3ULL  /* abstract sockets and signals */

struct ruleset_attributes {
    uint64_t handled_files;
    uint64_t handled_network;
    uint64_t scoped;
};

const struct landlock_place landlock_places[LANDLOCK_PLACES] = {
    {"/usr", false, false},
    {"/bin", false, false},
    {"/sbin", false, false},
    {"/lib", false, false},
    {"/lib32", false, false},
    {"/lib64", false, false},
    {"/libx32", false, false},
    {"/etc", false, false},
    {"/opt", false, false},
    {"/nix/store", false, false},
    {"/gnu/store", false, false},
    {"/dev/null", true, false},
    {"/dev/random", false, false},
    {"/dev/urandom", false, false},
    /* Nothing in them tells what other processes do, the memory in use apart. */
    {"/sys/devices/system/cpu/online", false, true},
    {"/sys/devices/system/cpu/possible", false, true},
    {"/sys/devices/system/cpu/present", false, true},
    {"/proc/cpuinfo", false, true},
    {"/proc/meminfo", false, true},
    {"/proc/version", false, true},
    {"/proc/filesystems", false, true},
    {"/proc/sys/kernel/cap_last_cap", false, true},
    {"/proc/sys/kernel/ngroups_max", false, true},
    {"/proc/sys/kernel/osrelease", false, true},
    {"/proc/sys/kernel/ostype", false, true},
    {"/proc/sys/kernel/pid_max", false, true},
    {"/proc/sys/kernel/random/uuid", false, true},
    {"/proc/sys/kernel/threads-max", false, true},
    {"/proc/sys/vm/max_map_count", false, true},
    {"/proc/sys/vm/mmap_min_addr", false, true},
    {"/proc/sys/vm/overcommit_memory", false, true},
};

static const char *const broad[] = {"/",        "/tmp", "/var/tmp", "/var", "/home",
                                    "/root",    "/mnt", "/media",   "/srv", "/run",
                                    "/dev/shm", "/dev", "/proc",    "/sys"};

bool landlock_is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

bool landlock_is_system(const char *path)
{
    for (size_t i = 0; i < LANDLOCK_PLACES; i++) {
        if (landlock_is_below(path, landlock_places[i].path))
            return true;
    }
    return false;
}

bool landlock_is_broad(const char *folder)
{
    const char *home = getenv("HOME");

    for (size_t i = 0; i < ARRAY_LEN(broad); i++) {
        if (strcmp(folder, broad[i]) == 0)
            return true;
    }
    return home != NULL && strcmp(folder, home) == 0;
}

/* What is not a folder is left as it is: somebody may name a device. */
static bool close_to_others(const char *path)
{
    int fd = geteuid() == 0 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool is_closed = fd >= 0 && fchmod(fd, 0700) == 0;

    if (fd >= 0)
        close(fd);
    return is_closed;
}

int landlock_close_folder(const char *folder, struct text *problem)
{
    char *real = realpath(folder, NULL);
    bool is_open = real != NULL && landlock_is_system(real) && !close_to_others(real);

    free(real);
    if (!is_open)
        return 0;
    text_add_quoted(problem, span_of(folder));
    text_add(problem, " belongs to the system, which every bot can read; name another folder");
    return -1;
}

int landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return abi > 0 ? (int)abi : 0;
}

/* All rights that this version can withhold. */
static uint64_t rights_of(int abi)
{
    uint64_t rights = (1ULL << 13) - 1;

    if (abi >= 2)
        rights |= RIGHT_MOVE;
    if (abi >= 3)
        rights |= RIGHT_TRUNCATE;
    if (abi >= 5)
        rights |= RIGHT_DEVICE_CONTROL;
    return rights;
}

static int allow(int description, int path_fd, uint64_t rights, int abi)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = rights & rights_of(abi),
                                              .parent_fd = path_fd};

    return (int)syscall(SYS_landlock_add_rule, description, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* Opens a path to be named in rules, and takes away those rights that it cannot have. */
static int open_path(const char *path, int flags, uint64_t *rights)
{
    int fd = open(path, O_PATH | O_CLOEXEC | flags);
    struct stat status;

    if (fd >= 0 && fstat(fd, &status) == 0 && !S_ISDIR(status.st_mode))
        *rights &= RIGHTS_OF_FILES;
    return fd;
}

/* Whether a path is only another way into one of the places before it. */
static bool is_covered(size_t place)
{
    char *real = realpath(landlock_places[place].path, NULL);
    bool is_covered = false;

    for (size_t i = 0; i < place && real != NULL && !is_covered; i++)
        is_covered = landlock_is_below(real, landlock_places[i].path);
    free(real);
    return is_covered;
}

void landlock_open(struct landlock *landlock)
{
    for (size_t i = 0; i < LANDLOCK_PLACES; i++) {
        landlock->rights[i] = RIGHTS_READ | (landlock_places[i].is_writable ? RIGHT_WRITE_FILE : 0);
        landlock->fds[i] =
            is_covered(i) ? -1 : open_path(landlock_places[i].path, 0, &landlock->rights[i]);
    }
}

void landlock_close(struct landlock *landlock)
{
    for (size_t i = 0; i < LANDLOCK_PLACES; i++) {
        if (landlock->fds[i] >= 0)
            close(landlock->fds[i]);
        landlock->fds[i] = -1;
    }
}

static int allow_path(int description, const char *path, uint64_t rights, int abi)
{
    int fd = open_path(path, O_NOFOLLOW, &rights);
    int failed = fd >= 0 ? allow(description, fd, rights, abi) : 0;

    if (fd >= 0)
        close(fd);
    return failed;
}

int landlock_describe(const struct landlock *landlock, int abi, char *const *readable,
                      const char *writable)
{
    struct ruleset_attributes attributes = {
        .handled_files = rights_of(abi),
        .handled_network = abi >= LANDLOCK_ABI_NETWORK ? NETWORK_ALL : 0,
        .scoped = abi >= LANDLOCK_ABI_SCOPED ? SCOPED_ALL : 0,
    };
    size_t size = abi >= LANDLOCK_ABI_SCOPED ? sizeof attributes
                  : abi >= LANDLOCK_ABI_NETWORK
                      ? offsetof(struct ruleset_attributes, scoped)
                      : offsetof(struct ruleset_attributes, handled_network);
    int description = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    int failed = 0;

    if (description < 0)
        return -1;
    for (size_t i = 0; i < LANDLOCK_PLACES && failed == 0; i++) {
        if (landlock->fds[i] >= 0)
            failed = allow(description, landlock->fds[i], landlock->rights[i], abi);
    }
    for (size_t i = 0; readable != NULL && readable[i] != NULL && failed == 0; i++)
        failed = allow_path(description, readable[i], RIGHTS_READ, abi);
    if (writable != NULL && failed == 0)
        failed = allow_path(description, writable, RIGHTS_WRITE, abi);
    if (failed == 0)
        return description;
    close(description);
    return -1;
}

int landlock_enter(int description, int abi)
{
    int own = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self", O_PATH | O_CLOEXEC, 0);

    if (own >= 0) {
        (void)allow(description, own, RIGHT_READ_FILE | RIGHT_READ_FOLDER, abi);
        (void)syscall(SYS_close, own);
    }
    return syscall(SYS_landlock_restrict_self, description, 0) == 0 ? 0 : errno;
}
