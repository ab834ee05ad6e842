/* Running programs: the program is found, pipes are opened, a child is made (spawn_child.c). All
 * descriptors are close-on-exec from their first moment, so that no program inherits a pipe of
 * another.
 *
 * The process group is killed before the process is reaped: until then its number cannot belong to
 * another one. */

#include "sandbox/process.h"

#include "sandbox/cpu_use.h"
#include "sandbox/environment.h"
#include "sandbox/jail.h"
#include "sandbox/memory_use.h"
#include "sandbox/process_end.h"
#include "sandbox/process_tree.h"
#include "sandbox/reaper.h"
#include "sandbox/sandbox_private.h"
#include "sandbox/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"

/* The largest pipe that a program can make of its own by default. */
#define STDERR_PIPE_BYTES_MAX ((size_t)1024 * 1024)

/* How often to stop what is still being started. */
#define STOP_TRIES 100

/* bubblewrap reports a program that was killed as a shell does: 128 and the signal. */
#define BUBBLEWRAP_SIGNAL 128

static bool is_program(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

int process_find_program(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    struct span rest = span_of(folders != NULL ? folders : PATH_DEFAULT);
    struct text text;

    text_start(&text, path, PATH_MAX);
    if (strchr(name, '/') != NULL || *name == '\0') {
        text_add(&text, name);
        return text.is_cut ? ENAMETOOLONG : 0;
    }
    while (rest.start != NULL) {
        struct span folder = span_cut(&rest, ':');

        text_start(&text, path, PATH_MAX);
        text_add_bytes(&text, folder.start, folder.length);
        text_add(&text, folder.length > 0 ? "/" : "./");
        text_add(&text, name);
        if (!text.is_cut && is_program(path))
            return 0;
    }
    return ENOENT;
}

void process_close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* A pipe whose ends stay clear of 0, 1 and 2, which the child fills one after the other. */
static int open_pipe(int fds[2])
{
    int low[2];

    if (pipe2(low, O_CLOEXEC) != 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        fds[i] = low[i] < SPAWN_STREAMS ? fcntl(low[i], F_DUPFD_CLOEXEC, SPAWN_STREAMS) : low[i];
        if (fds[i] != low[i])
            close(low[i]);
    }
    return fds[0] < 0 || fds[1] < 0 ? -1 : 0;
}

/* Opens the three pipes: our ends into `process`, the child's into `spawn`. */
static int open_streams(struct process *process, struct spawn *spawn)
{
    int *ours[SPAWN_STREAMS] = {&process->stdin_fd, &process->stdout_fd, &process->stderr_fd};

    for (int i = 0; i < SPAWN_STREAMS; i++) {
        int ends[2] = {-1, -1};
        int failed = open_pipe(ends);

        *ours[i] = ends[i == 0 ? 1 : 0];
        spawn->fds[i] = ends[i == 0 ? 0 : 1];
        /* Only our end does not block: each end of a pipe has flags of its own. */
        if (failed || fcntl(*ours[i], F_SETFL, O_NONBLOCK) != 0)
            return -1;
    }
    return 0;
}

/* Gives the process its group, where there are any. Returns 0, or -1 with errno. */
static int open_group(struct process *process, struct spawn *spawn)
{
    struct cgroup_tree *tree = process->sandbox != NULL ? &process->sandbox->cgroups : NULL;
    long processes = process->jail != NULL ? sandbox_limits_default.processes : 0;

    if (tree == NULL)
        return 0;
    process->group = cgroup_take(tree, process->memory_mb, processes);
    return process->group != NULL ? cgroup_open_door(tree, process->group, &spawn->door) : 0;
}

/* Returns 0; or -1 with errno and perhaps a child that did not become the program. */
static int run(struct process *process, struct spawn *spawn)
{
    if (open_streams(process, spawn) != 0)
        return -1;
    process->pid = spawn_child(spawn);
    if (process->pid < 0)
        return -1;
    errno = spawn->error;
    if (spawn->error != 0)
        return -1;
    reaper_except(process->pid);
    process->pidfd = (int)syscall(SYS_pidfd_open, process->pid, 0);
    return process->pidfd >= 0 ? 0 : -1;
}

/* Takes back everything of a program that could not be run. */
static void take_back(struct process *process)
{
    if (process->pid > 0) {
        (void)kill(process->pid, SIGKILL);
        while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        reaper_forget(process->pid);
    }
    process->pid = -1;
    process_free(process);
}

/* Whether exec failed because of the program, and not because the machine ran out of something. */
static bool is_programs_fault(const struct spawn *spawn)
{
    return spawn->error != 0 && !spawn->is_jail_wrong && spawn->error != ENOMEM &&
           spawn->error != EAGAIN && spawn->error != EMFILE && spawn->error != ENFILE;
}

int process_start(struct process *process, const struct process_spec *spec, struct text *problem)
{
    struct spawn spawn = {
        .command = {.argv = (char *const *)spec->argv, .folder = spec->folder, .passed_fd = -1},
        .door = CGROUP_DOOR_NONE,
        .fds = {-1, -1, -1},
        .parent = getpid(),
        .memory_mb = spec->memory_mb,
        .cpu = spec->cpu};
    bool is_contained = sandbox_level(spec->sandbox) != SANDBOX_NONE;
    char **environment = NULL;
    char path[PATH_MAX];
    int error;

    *process = (struct process){.pid = -1,
                                -1,
                                -1,
                                -1,
                                -1,
                                .memory_mb = spec->memory_mb,
                                .sandbox = spec->sandbox,
                                .cpu = spec->cpu};
    if (is_contained && process->memory_mb == 0)
        process->memory_mb = sandbox_limits_default.memory_mb;
    spawn.command.path = path;
    spawn.error = process_find_program(spec->argv[0], path);
    if (spawn.error == 0 && is_contained) {
        process->jail = jail_open(spec);
        if (process->jail == NULL)
            return -1;
        spawn.jail = process->jail;
        spawn.command = jail_command(process->jail);
    } else if (spawn.error == 0) {
        environment = environment_merge(environ, spec->environment);
        spawn.command.environment = environment;
    }
    error = spawn.error;
    if (error == 0 && (open_group(process, &spawn) != 0 || run(process, &spawn) != 0))
        error = errno;
    cgroup_close_door(&spawn.door);
    for (int i = 0; i < SPAWN_STREAMS; i++)
        process_close_fd(&spawn.fds[i]);
    free(environment);
    stderr_capture_start(&process->capture, spec->stderr_label);
    if (error == 0)
        return 0;
    take_back(process);
    if (is_programs_fault(&spawn)) {
        spawn_explain(problem, spec, &spawn);
        return 0;
    }
    errno = error;
    return -1;
}

bool process_is_running(const struct process *process)
{
    return process->pid > 0 && !process->has_ended;
}

void process_kill(const struct process *process)
{
    (void)kill(-process->pid, SIGKILL);
    (void)kill(process->pid, SIGKILL);
}

static void signal_tree(pid_t pid, int signal)
{
    struct process_tree tree;

    process_tree_list(&tree, pid);
    for (unsigned i = 0; i < tree.count; i++)
        (void)kill(tree.pids[i], signal);
}

/* Whoever still runs may start another one before the signal reaches it, so this goes on until
 * nobody does. */
static void stop_tree(const struct process *process)
{
    int tries = 0;

    do {
        signal_tree(process->pid, SIGSTOP);
        (void)sched_yield();
    } while (++tries < STOP_TRIES && cpu_use_is_busy(process));
}

void process_freeze(const struct process *process, bool is_frozen)
{
    if (process->group != NULL &&
        cgroup_freeze(&process->sandbox->cgroups, process->group, is_frozen) == 0)
        return;
    if (is_frozen)
        stop_tree(process);
    else
        signal_tree(process->pid, SIGCONT);
}

static void describe_ending(struct process *process, const siginfo_t *info)
{
    bool is_exit = info->si_code == CLD_EXITED;
    int status = info->si_status;
    struct text text;

    if (is_exit && process->jail != NULL && jail_is_bubblewrap(process->jail) &&
        status > BUBBLEWRAP_SIGNAL && status < BUBBLEWRAP_SIGNAL + NSIG) {
        is_exit = false;
        status -= BUBBLEWRAP_SIGNAL;
    }
    text_start(&text, process->ending, sizeof process->ending);
    process_end_write(&text, is_exit, status);
}

static bool has_burst(const struct process *process)
{
    return process->memory_mb > 0 && process->group != NULL &&
           cgroup_has_burst(&process->sandbox->cgroups, process->group);
}

static void explain_burst(struct process *process)
{
    struct text text;

    text_start(&text, process->stop_reason, sizeof process->stop_reason);
    process_end_write_stop(&text, PROCESS_END_MEMORY, process->memory_mb);
}

/* Whether it uses more memory than it may: the kernel tells if it counts that, and has killed some
 * of it already. */
static bool is_too_large(const struct process *process)
{
    int64_t most_kb = (int64_t)process->memory_mb * 1024;

    if (most_kb == 0)
        return false;
    if (process->group != NULL && process->sandbox->cgroups.limits_memory)
        return has_burst(process);
    return memory_use_kb(process->pid, most_kb) > most_kb;
}

void process_reap(struct process *process)
{
    siginfo_t info = {0};
    int failed;

    process_kill(process);
    do
        failed = waitid(P_PIDFD, (id_t)process->pidfd, &info, WEXITED);
    while (failed && errno == EINTR);
    describe_ending(process, &info);
    process->has_ended = true;
    if (process->stop_reason[0] == '\0' && info.si_code == CLD_KILLED && has_burst(process))
        explain_burst(process);
    /* It was about to be stopped, but has ended by itself just before. */
    if (strcmp(process->ending, PROCESS_END_STOPPED) != 0)
        process->stop_reason[0] = '\0';
    process_close_fd(&process->pidfd);
    reaper_forget(process->pid);
    if (process->jail != NULL && process->group != NULL)
        cgroup_kill(&process->sandbox->cgroups, process->group);
    if (process->jail != NULL)
        jail_sweep(process->jail);
}

bool process_has_limits(const struct process *process)
{
    return process->memory_mb > 0 || process->jail != NULL;
}

bool process_check_limits(struct process *process)
{
    struct text reason;

    if (!process_is_running(process))
        return false;
    /* What a process has put out of our sight would not be counted. */
    if (process->jail != NULL)
        (void)reaper_kill_orphans(0);
    text_start(&reason, process->stop_reason, sizeof process->stop_reason);
    if (is_too_large(process))
        explain_burst(process);
    else if (process->jail == NULL || !jail_is_overfull(process->jail, process->pid, &reason))
        return false;
    process_kill(process);
    return true;
}

bool process_read_stderr(struct process *process, size_t most)
{
    return process->stderr_fd >= 0 &&
           stderr_capture_read(&process->capture, process->stderr_fd, most);
}

/* No more than a pipe can hold, so that a process that writes all the time does not keep us. */
void process_drain_stderr(struct process *process)
{
    (void)process_read_stderr(process, STDERR_PIPE_BYTES_MAX);
}

const char *process_scratch(const struct process *process)
{
    return process->jail != NULL ? jail_scratch(process->jail) : NULL;
}

void process_free(struct process *process)
{
    if (process_is_running(process))
        process_reap(process);
    process_drain_stderr(process);
    process_close_fd(&process->pidfd);
    process_close_fd(&process->stdin_fd);
    process_close_fd(&process->stdout_fd);
    process_close_fd(&process->stderr_fd);
    stderr_capture_free(&process->capture);
    if (process->group != NULL)
        cgroup_give_back(&process->sandbox->cgroups, process->group);
    process->group = NULL;
    jail_free(process->jail);
    process->jail = NULL;
}
