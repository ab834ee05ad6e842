/* A library to preload into the referee. The n-th call that touches the disk, or that makes a
 * process or a descriptor, fails, or is the last thing that its process does.
 *
 * The calls of all processes of one run are counted together, in a file that they share, so that n
 * reaches the coordinator and its workers. Only the referee is affected, not its bots or anything
 * else that inherits the environment. Calls on pipes and terminals are not counted,
 * because a full disk does not affect them. Settings are in the environment:
 *
 *   FAIL_FILE   the shared file, of at least sizeof(struct shared) bytes, zero at first
 *   FAIL_CALLS  the kinds to count, with commas: `disk`, `descriptors`, `processes`, `watches`
 *   FAIL_AT     n; 0: only count
 *   FAIL_TIMES  how many calls in a row fail, from the n-th on
 *   FAIL_HOW    an errno as a number, or `kill-before`, `kill-after`, `kill-half`
 *   FAIL_FROM   a part of a path, instead of FAIL_AT and FAIL_TIMES: as soon as a path with this
 *               part is opened, all calls of workers fail, until the script sets `is_over`. The
 *               load changes how many calls that are, but not what fails
 */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the script reads when all is over, and `is_over`, which it writes. */
struct shared {
    atomic_ulong count;
    atomic_ulong hits;
    char name[48];          /* of the call that was hit first */
    atomic_ulong has_begun; /* a path with FAIL_FROM was opened */
    atomic_ulong is_over;
};

enum kind {
    KIND_DISK,
    KIND_DESCRIPTORS,
    KIND_PROCESSES,
    KIND_WATCHES,
    KIND_COUNT,
};

static const char *const kind_names[KIND_COUNT] = {"disk", "descriptors", "processes", "watches"};

enum how {
    HOW_ERROR,
    HOW_KILL_BEFORE,
    HOW_KILL_AFTER,
    HOW_KILL_HALF, /* a write: after half of its bytes; else as HOW_KILL_AFTER */
};

static const char *const how_names[] = {"", "kill-before", "kill-after", "kill-half"};

static struct {
    struct shared *shared; /* NULL: this is not the referee, or nobody asked */
    bool counts[KIND_COUNT];
    unsigned long at;
    unsigned long times;
    char from[64]; /* empty: `at` counts */
    pid_t starter; /* all others are workers */
    enum how how;
    int error;
} config;

/* What is to be done with a call. */
enum fate {
    FATE_PASS,
    FATE_FAIL,
    FATE_LAST,      /* do it, then die */
    FATE_LAST_HALF, /* do half of it, then die */
};

static void read_how(const char *word)
{
    config.error = atoi(word);
    for (size_t i = 1; i < sizeof how_names / sizeof *how_names; i++) {
        if (strcmp(word, how_names[i]) == 0)
            config.how = (enum how)i;
    }
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);

    return value != NULL ? value : "";
}

/* The environment may be gone when the first call comes, but not when the library is loaded. */
__attribute__((constructor)) static void read_config(void)
{
    int fd;
    void *memory;

    if (strcmp(program_invocation_short_name, "referee") != 0)
        return;
    fd = open(setting("FAIL_FILE"), O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    memory = mmap(NULL, sizeof *config.shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    for (int i = 0; i < KIND_COUNT; i++)
        config.counts[i] = strstr(setting("FAIL_CALLS"), kind_names[i]) != NULL;
    config.at = strtoul(setting("FAIL_AT"), NULL, 10);
    config.times = strtoul(setting("FAIL_TIMES"), NULL, 10);
    (void)snprintf(config.from, sizeof config.from, "%s", setting("FAIL_FROM"));
    config.starter = getpid();
    read_how(setting("FAIL_HOW"));
    config.shared = memory != MAP_FAILED ? memory : NULL;
}

static bool is_hit(unsigned long number)
{
    if (config.from[0] != '\0')
        return config.shared->has_begun && !config.shared->is_over && getpid() != config.starter;
    return config.at != 0 && number >= config.at && number < config.at + config.times;
}

static void note_path(const char *path)
{
    if (config.shared != NULL && config.from[0] != '\0' && strstr(path, config.from) != NULL)
        config.shared->has_begun = 1;
}

static enum fate fate_of(enum kind kind, const char *name)
{
    unsigned long number;

    if (config.shared == NULL || !config.counts[kind])
        return FATE_PASS;
    number = atomic_fetch_add(&config.shared->count, 1) + 1;
    if (!is_hit(number))
        return FATE_PASS;
    if (atomic_fetch_add(&config.shared->hits, 1) == 0)
        strncpy(config.shared->name, name, sizeof config.shared->name - 1);
    switch (config.how) {
    case HOW_KILL_BEFORE:
        (void)kill(getpid(), SIGKILL);
        return FATE_FAIL;
    case HOW_KILL_AFTER:
        return FATE_LAST;
    case HOW_KILL_HALF:
        return FATE_LAST_HALF;
    default:
        errno = config.error;
        return FATE_FAIL;
    }
}

static void end(enum fate fate)
{
    if (fate == FATE_LAST || fate == FATE_LAST_HALF)
        (void)kill(getpid(), SIGKILL);
}

static bool is_file(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

/* Finds the function that we stand in for, and puts its address where `function` points. */
static void find(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (found == NULL)
        abort();
    memcpy(function, &found, sizeof found);
}

static long pass_on(const long words[7])
{
    long (*real)(long, ...);

    find("syscall", &real);
    return real(words[0], words[1], words[2], words[3], words[4], words[5], words[6]);
}

/* A system call, its number and what goes with it. */
static long call(enum kind kind, const char *name, const long words[7])
{
    enum fate fate = fate_of(kind, name);
    long result;

    if (fate == FATE_FAIL)
        return -1;
    result = pass_on(words);
    end(fate);
    return result;
}

#define DISK(name, ...) call(KIND_DISK, name, (const long[7]){__VA_ARGS__})
#define DESCRIPTORS(name, ...) call(KIND_DESCRIPTORS, name, (const long[7]){__VA_ARGS__})

/* Writing. */

static long call_write(const char *name, const long words[7])
{
    long half[7];
    enum fate fate = is_file((int)words[1]) ? fate_of(KIND_DISK, name) : FATE_PASS;
    long result;

    if (fate == FATE_FAIL)
        return -1;
    memcpy(half, words, sizeof half);
    if (fate == FATE_LAST_HALF)
        half[3] /= 2;
    result = pass_on(half);
    end(fate);
    return result;
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    return call_write("write", (const long[7]){SYS_write, fd, (long)bytes, (long)length});
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
    return call_write("pwrite",
                      (const long[7]){SYS_pwrite64, fd, (long)bytes, (long)length, offset});
}

/* What stdio holds reaches the disk here; how much of it has been there before is all the same. */
int fflush(FILE *file)
{
    bool is_counted = file != NULL && fileno(file) > STDERR_FILENO && is_file(fileno(file));
    enum fate fate = is_counted ? fate_of(KIND_DISK, "fflush") : FATE_PASS;
    int (*real)(FILE *);
    int result;

    if (fate == FATE_FAIL)
        return EOF;
    find("fflush", &real);
    result = real(file);
    end(fate);
    return result;
}

int fsync(int fd)
{
    return (int)DISK("fsync", SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return (int)DISK("fdatasync", SYS_fdatasync, fd);
}

int syncfs(int fd)
{
    return (int)DISK("syncfs", SYS_syncfs, fd);
}

int ftruncate(int fd, off_t length)
{
    return (int)DISK("ftruncate", SYS_ftruncate, fd, length);
}

/* Names. */

int rename(const char *from, const char *to)
{
    return (int)DISK("rename", SYS_renameat2, AT_FDCWD, (long)from, AT_FDCWD, (long)to);
}

int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
    return (int)DISK("renameat", SYS_renameat2, from_fd, (long)from, to_fd, (long)to);
}

int mkdir(const char *path, mode_t mode)
{
    return (int)DISK("mkdir", SYS_mkdirat, AT_FDCWD, (long)path, mode);
}

int mkdirat(int fd, const char *path, mode_t mode)
{
    return (int)DISK("mkdirat", SYS_mkdirat, fd, (long)path, mode);
}

int fchmodat(int fd, const char *path, mode_t mode, int flags)
{
    (void)flags; /* the referee has none */
    return (int)DISK("fchmodat", SYS_fchmodat, fd, (long)path, mode);
}

int unlinkat(int fd, const char *path, int flags)
{
    return (int)DISK("unlinkat", SYS_unlinkat, fd, (long)path, flags);
}

/* A file that is to be written needs room on the disk, and any file a descriptor. */
static enum fate fate_of_opening(bool writes, const char *name)
{
    enum fate fate = writes ? fate_of(KIND_DISK, name) : FATE_PASS;

    return fate != FATE_PASS ? fate : fate_of(KIND_DESCRIPTORS, name);
}

static int open_or_fail(const char *name, int folder_fd, const char *path, int flags, long mode)
{
    enum fate fate;
    int fd;

    note_path(path);
    fate = fate_of_opening((flags & O_ACCMODE) != O_RDONLY, name);
    if (fate == FATE_FAIL)
        return -1;
    fd = (int)pass_on((const long[7]){SYS_openat, folder_fd, (long)path, flags, mode});
    end(fate);
    return fd;
}

int openat(int folder_fd, const char *path, int flags, ...)
{
    va_list rest;
    long mode = 0;

    va_start(rest, flags);
    if ((flags & O_CREAT) != 0)
        mode = va_arg(rest, mode_t);
    va_end(rest);
    return open_or_fail("openat", folder_fd, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    long mode = 0;

    va_start(rest, flags);
    if ((flags & O_CREAT) != 0)
        mode = va_arg(rest, mode_t);
    va_end(rest);
    return open_or_fail("open", AT_FDCWD, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    enum fate fate = fate_of_opening(*mode != 'r', "fopen");
    FILE *(*real)(const char *, const char *);
    FILE *file;

    if (fate == FATE_FAIL)
        return NULL;
    find("fopen", &real);
    file = real(path, mode);
    end(fate);
    return file;
}

/* Descriptors that are no files. */

int pipe2(int fds[2], int flags)
{
    return (int)DESCRIPTORS("pipe2", SYS_pipe2, (long)fds, flags);
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
    return (int)DESCRIPTORS("socketpair", SYS_socketpair, domain, type, protocol, (long)fds);
}

int epoll_create1(int flags)
{
    return (int)DESCRIPTORS("epoll_create1", SYS_epoll_create1, flags);
}

/* Taking leave of a descriptor cannot fail. */
int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    const long words[7] = {SYS_epoll_ctl, epoll, operation, fd, (long)event};

    return (int)(operation == EPOLL_CTL_ADD ? call(KIND_WATCHES, "epoll_ctl", words)
                                            : pass_on(words));
}

/* The one that the library has no function for. */
long syscall(long number, ...)
{
    long words[7] = {number};
    va_list rest;

    va_start(rest, number);
    for (int i = 1; i < 7; i++)
        words[i] = va_arg(rest, long);
    va_end(rest);
    return number == SYS_pidfd_open ? call(KIND_DESCRIPTORS, "pidfd_open", words) : pass_on(words);
}

/* Processes. */

static pid_t fork_or_fail(const char *name)
{
    enum fate fate = fate_of(KIND_PROCESSES, name);
    pid_t (*real)(void);
    pid_t pid;

    if (fate == FATE_FAIL)
        return -1;
    find("fork", &real);
    pid = real();
    if (pid != 0)
        end(fate);
    return pid;
}

pid_t fork(void)
{
    return fork_or_fail("fork");
}

/* A function that returns twice into one frame cannot be wrapped. For a child that becomes another
 * program a whole fork does as well. */
pid_t vfork(void)
{
    return fork_or_fail("vfork");
}
