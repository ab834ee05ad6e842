/* What a bot can fill: folders of a fixed size where we may have them, and the counting where we
 * may not. */

#include "base/memory.h"
#include "sandbox/memory_use.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include "sandbox/scratch_dir.h"
#include "sandbox/unnamed_files.h"
#include "support/patience.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEGABYTE ((int64_t)1 << 20)
#define FILE_BYTES (32 * MEGABYTE)
#define MOST_BYTES (1000 * MEGABYTE)

static char folder[] = "/tmp/scratch-test-XXXXXX";

/* Starts a shell at the level guarded, or skips the test. */
static void start_shell(struct process *process, const char *script)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct process_spec spec = {.argv = argv, .cpu = -1};
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    spec.sandbox = sandbox_new(SANDBOX_GUARDED, &problem);
    if (spec.sandbox == NULL)
        cr_skip_test("the level is not available");
    cr_assert_eq(process_start(process, &spec, &problem), 0);
    cr_assert_gt(process->pid, 0, "%s", message);
}

static void end_shell(struct process *process)
{
    struct sandbox *sandbox = process->sandbox;

    process_free(process);
    sandbox_free(sandbox);
}

/* Waits until it has ended or was stopped for using too much. */
static void wait_for_shell(struct process *process)
{
    struct pollfd end = {.fd = process->pidfd, .events = POLLIN};

    while (poll(&end, 1, PROCESS_CHECK_MS) == 0)
        (void)process_check_limits(process);
    process_reap(process);
}

/* Whether a process sees a mount at that path. */
static bool has_mount(const char *process, const char *path)
{
    char name[PATH_MAX];
    char line[PATH_MAX];
    bool is_found = false;
    FILE *file;

    (void)snprintf(name, sizeof name, "/proc/%s/mounts", process);
    file = fopen(name, "re");
    while (file != NULL && !is_found && fgets(line, sizeof line, file) != NULL)
        is_found = strstr(line, path) != NULL;
    if (file != NULL)
        fclose(file);
    return is_found;
}

static bool has_anybody_mount(const char *path)
{
    DIR *all = opendir("/proc");
    const struct dirent *entry;
    bool is_found = false;

    while (!is_found && (entry = readdir(all)) != NULL)
        is_found =
            entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && has_mount(entry->d_name, path);
    closedir(all);
    return is_found;
}

Test(scratch, files_beyond_the_limit_are_refused_or_the_bot_is_stopped)
{
    struct process process;
    char last[PATH_MAX];
    char next[PATH_MAX];

    start_shell(&process, "cd $TMPDIR; i=0; while [ $i -lt 20000 ]; do : >$i; "
                          "i=$((i + 1)); done; exec sleep 1000");
    wait_for_shell(&process);
    (void)snprintf(last, sizeof last, "%s/9999", process_scratch(&process));
    (void)snprintf(next, sizeof next, "%s/10000", process_scratch(&process));
    cr_expect_eq(access(last, F_OK), 0);
    if (geteuid() == 0)
        cr_expect_neq(access(next, F_OK), 0, "there was no room for it");
    else
        cr_expect_str_eq(process.stop_reason,
                         "it was stopped: its scratch folder holds more than 10000 files");
    end_shell(&process);
}

Test(scratch, what_is_unlinked_counts)
{
    struct process process;

    start_shell(&process, "cd $TMPDIR; exec 3>a 4>b 5>c; rm a b c\n"
                          "for fd in 3 4 5; do\n"
                          "head -c 30000000 /dev/urandom >&$fd || exit $fd; done\n"
                          "exec sleep 1000");
    wait_for_shell(&process);
    if (geteuid() == 0)
        cr_expect_str_eq(process.ending, "exit status 5", "the third is too much");
    else
        cr_expect_str_eq(process.stop_reason,
                         "it was stopped: its scratch folder holds more than 64 MB", "%s",
                         process.ending);
    end_shell(&process);
}

/* The child: a referee with a bot, which it and the bot's folder are told of through the pipe. */
static _Noreturn void be_referee(int output)
{
    struct process process;
    char line[PATH_MAX + 20];

    start_shell(&process, "exec sleep 1000");
    (void)snprintf(line, sizeof line, "%d %s", (int)process.pid, process_scratch(&process));
    (void)!write(output, line, strlen(line));
    for (;;)
        (void)pause();
}

Test(scratch, nobody_else_sees_the_mounts_and_they_end_with_a_referee_that_is_killed)
{
    char line[PATH_MAX + 20] = "";
    char path[PATH_MAX] = "";
    char name[20];
    struct pollfd bot = {.events = POLLIN};
    int ends[2];
    int pid = 0;
    int failed;
    pid_t referee;

    if (geteuid() != 0)
        cr_skip_test("only root can mount");
    cr_assert_eq(pipe(ends), 0);
    referee = fork();
    if (referee == 0)
        be_referee(ends[1]);
    cr_assert_gt(read(ends[0], line, sizeof line - 1), 0);
    cr_assert_eq(sscanf(line, "%d %4000s", &pid, path), 2);
    bot.fd = (int)syscall(SYS_pidfd_open, pid, 0);
    (void)snprintf(name, sizeof name, "%d", (int)referee);
    cr_expect(has_mount(name, path));
    cr_expect_not(has_mount("self", path));
    cr_assert_eq(kill(referee, SIGKILL), 0);
    cr_assert_eq(waitpid(referee, NULL, 0), referee);
    cr_assert_eq(poll(&bot, 1, PATIENCE_SECONDS * 1000), 1, "the bot is still there");
    cr_expect_not(has_anybody_mount(path));
    /* What is left is removed by the next referee, which may be at work already. */
    failed = rmdir(dirname(path));
    cr_expect(failed == 0 || errno == ENOENT, "the folder below the mounts is not empty");
}

Test(scratch, the_folder_of_a_referee_that_was_killed_is_removed_at_once)
{
    char *roots[2];
    int locks[2];

    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chmod(folder, 0711), 0);
    cr_assert_eq(setenv("TMPDIR", folder, 1), 0);
    for (int i = 0; i < 2; i++) {
        roots[i] = scratch_dir_make_root(scratch_dir_place(i > 0), &locks[i]);
        cr_assert_not_null(roots[i]);
    }
    cr_expect_eq(scratch_dir_lock(roots[0]), -1, "its owner is there");
    close(locks[0]);
    scratch_dir_sweep();
    cr_expect_neq(access(roots[0], F_OK), 0);
    cr_expect_eq(access(roots[1], F_OK), 0, "it is locked");
    close(locks[1]);
    cr_expect_eq(scratch_dir_lock(roots[0]), -1, "a sweep was faster");
    scratch_dir_sweep();
    cr_expect_eq(rmdir(folder), 0);
    for (int i = 0; i < 2; i++)
        free(roots[i]);
}

Test(scratch, a_tree_deeper_than_the_limit_is_over_it)
{
    struct scratch_dir_size most = {MOST_BYTES, 10000, SCRATCH_DIR_DEPTH_MAX};
    struct scratch_dir_size size;
    int fd;

    cr_assert_not_null(mkdtemp(folder));
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (unsigned i = 0; i <= SCRATCH_DIR_DEPTH_MAX; i++) {
        int next;

        size = scratch_dir_measure(folder, &most);
        cr_expect_not(scratch_dir_is_over(&size, &most), "at %u", i);
        cr_assert_eq(mkdirat(fd, "folder", 0700), 0);
        next = openat(fd, "folder", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        close(fd);
        fd = next;
    }
    close(fd);
    size = scratch_dir_measure(folder, &most);
    cr_expect(scratch_dir_is_over(&size, &most));
    cr_expect_eq(scratch_dir_remove(folder), 0);
}

/* A file of a megabyte without a name. */
static int open_unnamed(dev_t *device)
{
    static char megabyte[MEGABYTE];
    char path[] = "/tmp/unnamed-XXXXXX";
    struct stat status;
    int fd = mkstemp(path);

    cr_assert_geq(fd, 0);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(write(fd, megabyte, sizeof megabyte), (ssize_t)sizeof megabyte);
    cr_assert_eq(fsync(fd), 0);
    cr_assert_eq(fstat(fd, &status), 0);
    *device = status.st_dev;
    return fd;
}

static void send_fd(int socket, int fd)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec data = {"x", 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.bytes};

    control.header = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    cr_assert_eq(sendmsg(socket, &message, 0), 1);
}

Test(scratch, a_file_without_a_name_counts_once_while_it_is_open_mapped_or_sent)
{
    dev_t device;
    int fd = open_unnamed(&device);
    int copy = dup(fd);
    int ends[2];
    void *page;

    cr_expect_geq(unnamed_files_measure(getpid(), device, FILE_BYTES, MOST_BYTES), MEGABYTE);
    cr_expect_lt(unnamed_files_measure(getpid(), device, FILE_BYTES, MOST_BYTES), 2 * MEGABYTE);
    cr_expect_eq(unnamed_files_measure(getpid(), device + 1, FILE_BYTES, MOST_BYTES), 0);
    page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    cr_expect_lt(unnamed_files_measure(getpid(), device, FILE_BYTES, MOST_BYTES), 2 * MEGABYTE);
    close(copy);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    send_fd(ends[0], fd);
    close(fd);
    cr_expect_eq(unnamed_files_measure(getpid(), device, FILE_BYTES, MOST_BYTES), 2 * FILE_BYTES);
    cr_assert_eq(munmap(page, 4096), 0);
    cr_expect_eq(unnamed_files_measure(getpid(), device, FILE_BYTES, MOST_BYTES), FILE_BYTES);
    close(ends[0]);
    close(ends[1]);
    cr_expect_eq(unnamed_files_measure(getpid(), device, FILE_BYTES, MOST_BYTES), 0);
}

Test(scratch, page_tables_and_buffers_of_sockets_are_memory)
{
    size_t size = (size_t)16 << 30;
    int64_t before_kb = memory_use_kb(getpid(), INT64_MAX);
    volatile const char *bytes =
        mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int ends[2];

    cr_assert_neq((const void *)bytes, MAP_FAILED);
    (void)madvise((void *)bytes, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += (size_t)2 << 20)
        (void)bytes[at];
    cr_expect_gt(memory_use_kb(getpid(), INT64_MAX), before_kb + 30000, "8192 tables of 4 kB");
    before_kb = memory_use_kb(getpid(), INT64_MAX);
    for (int i = 0; i < 50; i++)
        cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    cr_expect_gt(memory_use_kb(getpid(), INT64_MAX), before_kb + 20000, "100 of 200 kB");
}
