/* Forbidden calls are listed, and all others are allowed: interpreters use more of the kernel than
 * could be listed. Forbidden are calls that reach other processes, the network or rarely used parts
 * of the kernel, that make memory which is not counted, and that would undo a limit. A forbidden
 * call fails like one that the user has no right to, so that a program which only tries it
 * continues; calls of another architecture end the program. Recent calls fail as if the kernel were
 * older: there are ways around them, and the next one to be invented is forbidden already.
 *
 * A bot must not tell another one what it saw, neither one that plays now nor its own next process
 * in another match of the same deal. So whatever changes a file that all of them can read, or tells
 * something about it besides what is in it, is forbidden as well: whether it lies in memory, who
 * locks it or looks at it, when it was changed. Builds need some of these calls and know no cards,
 * so these rules are left out for them. A lock for reading stays allowed: it only shows in a query,
 * or to those who may write to the file.
 *
 * The filter is compiled once and only installed for each process. The kernel remembers which calls
 * are always allowed, so that reading and writing cost no more than without it. */

#include "sandbox/seccomp.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALL_BITS 0xffffffffU

/* Calls from this number on (cachestat is the first) are newer than programs can rely on. */
#define FIRST_RECENT_CALL 451
#define LAST_RECENT_CALL 511

#define PIPE_SIZE_COMMAND 1031  /* F_SETPIPE_SZ */
#define WRITE_HINT_COMMAND 1036 /* F_SET_RW_HINT */
#define WRITE_HINT_FILE_COMMAND 1038
#define OPEN_LOCK_QUERY_COMMAND 36 /* F_OFD_GETLK */
#define MEMORY_COLD 20             /* MADV_COLD and so on */
#define MEMORY_PAGEOUT 21
#define MEMORY_COLLAPSE 25
#define MEMORY_MERGE_OPTION 67 /* PR_SET_MEMORY_MERGE */

/* The clocks of processes have negative numbers with this bit unset; it is set in those of threads,
 * which the kernel shows only within a process. A process has positive numbers for its own. */
#define CLOCK_KIND_BITS 0x80000004U
#define CLOCK_OF_PROCESS 0x80000000U

/* Calls that always fail, by their purpose. */
static const char *const forbidden[] = {
    /* The network, and sockets that others could find. */
    "socket",
    /* Other processes. */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
    "pidfd_getfd", "kcmp", "migrate_pages", "move_pages",
    /* Namespaces and mounts. */
    "unshare", "setns", "mount", "umount", "umount2", "pivot_root", "chroot", "open_tree",
    "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "name_to_handle_at",
    "open_by_handle_at", "quotactl", "quotactl_fd",
    /* Memory and messages that belong to no process. */
    "memfd_create", "memfd_secret", "shmget", "shmat", "shmctl", "shmdt", "semget", "semop",
    "semctl", "semtimedop", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink",
    "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr", "add_key", "request_key",
    "keyctl",
    /* What is kept with a file beside its content, and is not counted everywhere. */
    "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
    /* Rarely used parts of the kernel. */
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open",
    "userfaultfd", "fanotify_init", "lookup_dcookie", "kexec_load", "kexec_file_load",
    "init_module", "finit_module", "delete_module", "iopl", "ioperm", "modify_ldt", "syslog",
    "acct", "swapon", "swapoff", "reboot", "vhangup", "sethostname", "setdomainname",
    "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
    /* The referee chooses its core and its priority. */
    "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr", "setpriority",
    "ioprio_set", "mbind", "set_mempolicy", "set_mempolicy_home_node"};

/* Calls that always fail in a match. */
static const char *const forbidden_in_matches[] = {
    /* What lies in memory. */
    "fadvise64", "readahead", "mincore", "io_setup", "io_submit",
    /* Who looks at a file, and who holds it. */
    "inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_mark", "flock",
    /* A session of its own has a share of the CPU of its own. */
    "setsid",
    /* What is written beside the content of a file: even /dev/null has a time. */
    "utime", "utimes", "futimesat", "utimensat", "chmod", "fchmod", "fchmodat", "chown", "lchown",
    "fchown", "fchownat"};

/* A call that fails with some arguments: number `argument`, under `mask`, is `value`. */
struct restriction {
    const char *name;
    unsigned argument;
    uint64_t mask;
    uint64_t value;
};

static const struct restriction restricted[] = {
    {"clone", 0, CLONE_NEWUSER, CLONE_NEWUSER},
    {"clone", 0, CLONE_NEWNS, CLONE_NEWNS},
    {"clone", 0, CLONE_NEWPID, CLONE_NEWPID},
    {"clone", 0, CLONE_NEWNET, CLONE_NEWNET},
    {"clone", 0, CLONE_NEWIPC, CLONE_NEWIPC},
    {"clone", 0, CLONE_NEWUTS, CLONE_NEWUTS},
    {"clone", 0, CLONE_NEWCGROUP, CLONE_NEWCGROUP},
    /* Shared memory without a file stays when it is no longer mapped, and is not counted. */
    {"mmap", 3, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS},
    {"ioctl", 1, ALL_BITS, TIOCSTI},
    {"ioctl", 1, ALL_BITS, TIOCLINUX},
    /* Large pipes of one process make the kernel shrink those of others of the same user. */
    {"fcntl", 1, ALL_BITS, PIPE_SIZE_COMMAND},
    /* It must not outlive its referee. */
    {"prctl", 0, ALL_BITS, PR_SET_PDEATHSIG},
    /* We must see what it holds, and know how much fits into a socket. */
    {"setsockopt", 2, ALL_BITS, SO_SNDBUF},
    {"prctl", 0, ALL_BITS, PR_SET_DUMPABLE},
    /* The time that another process has computed. */
    {"clock_gettime", 0, CLOCK_KIND_BITS, CLOCK_OF_PROCESS},
    {"clock_getres", 0, CLOCK_KIND_BITS, CLOCK_OF_PROCESS},
    {"clock_nanosleep", 0, CLOCK_KIND_BITS, CLOCK_OF_PROCESS},
    {"timer_create", 0, CLOCK_KIND_BITS, CLOCK_OF_PROCESS},
};

static const struct restriction restricted_in_matches[] = {
    {"fcntl", 1, ALL_BITS, F_GETLK},
    {"fcntl", 1, ALL_BITS, OPEN_LOCK_QUERY_COMMAND},
    {"fcntl", 1, ALL_BITS, F_SETLEASE},
    {"fcntl", 1, ALL_BITS, F_GETLEASE},
    {"fcntl", 1, ALL_BITS, F_NOTIFY},
    {"fcntl", 1, ALL_BITS, WRITE_HINT_COMMAND},
    {"fcntl", 1, ALL_BITS, WRITE_HINT_FILE_COMMAND},
    {"ioctl", 1, ALL_BITS, FS_IOC_SETFLAGS},
    {"ioctl", 1, ALL_BITS, FS_IOC_SETVERSION},
    {"ioctl", 1, ALL_BITS, FS_IOC_FSSETXATTR},
    {"madvise", 2, ALL_BITS, MEMORY_COLD},
    {"madvise", 2, ALL_BITS, MEMORY_PAGEOUT},
    {"madvise", 2, ALL_BITS, MEMORY_COLLAPSE},
    {"madvise", 2, ALL_BITS, MADV_MERGEABLE},
    {"prctl", 0, ALL_BITS, MEMORY_MERGE_OPTION},
};

static int add_forbidden(scmp_filter_ctx context, const char *const *names, size_t count)
{
    int failed = 0;

    for (size_t i = 0; i < count && failed == 0; i++) {
        int number = seccomp_syscall_resolve_name(names[i]);

        /* A call that the library or the machine does not know has no number to forbid. */
        if (number != __NR_SCMP_ERROR && number >= 0)
            failed = seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), number, 0);
    }
    return failed;
}

static int add_recent(scmp_filter_ctx context)
{
    int failed = 0;

    for (int number = FIRST_RECENT_CALL; number <= LAST_RECENT_CALL && failed == 0; number++)
        failed = seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), number, 0);
    return failed;
}

static int add_restricted(scmp_filter_ctx context, const struct restriction *rows, size_t count)
{
    int failed = 0;

    for (size_t i = 0; i < count && failed == 0; i++) {
        struct scmp_arg_cmp test = {rows[i].argument, SCMP_CMP_MASKED_EQ, rows[i].mask,
                                    rows[i].value};

        failed = seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EPERM),
                                        seccomp_syscall_resolve_name(rows[i].name), 1, &test);
    }
    return failed;
}

/* The rest does not fit into a table. */
static int add_special(scmp_filter_ctx context)
{
    struct scmp_arg_cmp other_process = {0, SCMP_CMP_NE, 0, 0};
    struct scmp_arg_cmp no_query = {0, SCMP_CMP_NE, ALL_BITS, 0};
    struct scmp_arg_cmp no_pipe = {0, SCMP_CMP_NE, AF_UNIX, 0};
    int failed = seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1,
                                        &other_process);

    if (failed == 0)
        failed = seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(personality), 1,
                                        &no_query);
    /* A pair that is connected from the start is a pipe in both directions; java and node need
     * it. */
    if (failed == 0)
        failed = seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socketpair), 1,
                                        &no_pipe);
    /* Its flags lie in memory, where no filter can look; libraries fall back to clone. */
    if (failed == 0)
        failed = seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    return failed;
}

/* Flags that ask whether something lies in memory. */
static int add_in_matches(scmp_filter_ctx context)
{
    struct scmp_arg_cmp any_flag = {5, SCMP_CMP_NE, 0, 0};
    int failed = add_forbidden(context, forbidden_in_matches, ARRAY_LEN(forbidden_in_matches));

    if (failed == 0)
        failed = add_restricted(context, restricted_in_matches, ARRAY_LEN(restricted_in_matches));
    if (failed == 0)
        failed =
            seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(preadv2), 1, &any_flag);
    if (failed == 0)
        failed = seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(pwritev2), 1,
                                        &any_flag);
    /* Its flags lie in memory, where no filter can look; libraries fall back to openat. */
    if (failed == 0)
        failed = seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0);
    return failed;
}

/* The library writes its program to a descriptor only. */
static int take_program(struct seccomp *filter, scmp_filter_ctx context)
{
    int fd = memfd_create("filter", MFD_CLOEXEC);
    off_t length;
    int failed;

    if (fd < 0)
        return -errno;
    failed = seccomp_export_bpf(context, fd);
    length = lseek(fd, 0, SEEK_END);
    if (failed == 0 && length > 0) {
        filter->program.filter = xcalloc((size_t)length, 1);
        filter->program.len = (unsigned short)((size_t)length / sizeof(struct sock_filter));
        if (pread(fd, filter->program.filter, (size_t)length, 0) != length)
            failed = -EIO;
    }
    close(fd);
    return failed;
}

int seccomp_build(struct seccomp *filter, bool is_for_matches)
{
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
    int failed = context == NULL ? -ENOMEM : 0;

    *filter = (struct seccomp){0};
    if (failed == 0)
        failed = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (failed == 0)
        failed = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (failed == 0)
        failed = add_forbidden(context, forbidden, ARRAY_LEN(forbidden));
    if (failed == 0)
        failed = add_recent(context);
    if (failed == 0)
        failed = add_restricted(context, restricted, ARRAY_LEN(restricted));
    if (failed == 0)
        failed = add_special(context);
    if (failed == 0 && is_for_matches)
        failed = add_in_matches(context);
    if (failed == 0)
        failed = take_program(filter, context);
    if (context != NULL)
        seccomp_release(context);
    errno = -failed;
    return failed == 0 ? 0 : -1;
}

void seccomp_free(struct seccomp *filter)
{
    free(filter->program.filter);
    *filter = (struct seccomp){0};
}

int seccomp_enter(const struct seccomp *filter)
{
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter->program) == 0 ? 0 : errno;
}

int seccomp_open(const struct seccomp *filter)
{
    size_t length = filter->program.len * sizeof(struct sock_filter);
    int fd = memfd_create("filter", MFD_CLOEXEC);

    if (fd >= 0 && (write(fd, filter->program.filter, length) != (ssize_t)length ||
                    lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}
