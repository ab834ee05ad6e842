/* The end of the output and the end of the process come in either order; when both are there, on_end is
 * called, once. */

#include "serve/queue/child.h"

#include "base/cpu.h"
#include "base/memory.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
    struct child_setup setup;
    pid_t pid;
    int pidfd;
    int output;
    struct event *on_output;
    struct event *on_exit;
    int status;
    bool is_reaped;
    char line[CHILD_LINE_MAX + 1];
    size_t length;
};

/* The child. */

/* Signals are as a new program expects them. All other descriptors of ours close by themselves. */
static _Noreturn void become_program(const struct child_setup *setup, int output, pid_t parent)
{
    int nothing = open("/dev/null", O_RDONLY);
    int words = open(setup->words_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    sigset_t none;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || nothing < 0 || words < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0 || dup2(words, STDERR_FILENO) < 0)
        _exit(126);
    (void)close_range(STDERR_FILENO + 1, ~0U, 0);
    (void)setpgid(0, 0);
    for (int number = 1; number < NSIG; number++)
        (void)signal(number, SIG_DFL);
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    cpu_pin(setup->cpu);
    execv(setup->argv[0], (char *const *)setup->argv);
    _exit(127);
}

/* What it tells. */

static void pass_line(struct child *run)
{
    run->line[run->length] = '\0';
    for (size_t i = 0; i < run->length; i++) {
        if (run->line[i] < ' ' || run->line[i] > '~')
            run->line[i] = '?';
    }
    run->length = 0;
    run->setup.on_line(run->setup.context, run->line);
}

static void take_bytes(struct child *run, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n')
            pass_line(run);
        else if (run->length < CHILD_LINE_MAX)
            run->line[run->length++] = bytes[i];
    }
}

static void close_output(struct child *run)
{
    if (run->on_output != NULL)
        event_free(run->on_output);
    run->on_output = NULL;
    if (run->output >= 0)
        close(run->output);
    run->output = -1;
}

static void end_if_over(struct child *run)
{
    if (run->is_reaped && run->output < 0)
        run->setup.on_end(run->setup.context, run->status);
}

static void on_output(evutil_socket_t fd, short what, void *context)
{
    struct child *run = context;
    char bytes[4096];
    ssize_t got = read(fd, bytes, sizeof bytes);

    (void)what;
    if (got > 0) {
        take_bytes(run, bytes, (size_t)got);
        return;
    }
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    close_output(run);
    end_if_over(run);
}

/* Its end. */

static void reap(struct child *run)
{
    while (waitpid(run->pid, &run->status, 0) < 0 && errno == EINTR)
        ;
    run->is_reaped = true;
}

/* What it had written is in the pipe by now. Nobody else should hold it; if somebody does, nothing more
 * is to be waited for. */
static void read_rest(struct child *run)
{
    char bytes[4096];
    ssize_t got;

    while (run->output >= 0 && (got = read(run->output, bytes, sizeof bytes)) > 0)
        take_bytes(run, bytes, (size_t)got);
    close_output(run);
}

static void on_exit_of(evutil_socket_t fd, short what, void *context)
{
    struct child *run = context;

    (void)fd;
    (void)what;
    event_free(run->on_exit);
    run->on_exit = NULL;
    reap(run);
    read_rest(run);
    end_if_over(run);
}

/* Its beginning. */

static int watch(struct child *run, struct event_base *base)
{
    run->pidfd = (int)syscall(SYS_pidfd_open, run->pid, 0);
    if (run->pidfd < 0)
        return -1;
    run->on_output = event_new(base, run->output, EV_READ | EV_PERSIST, on_output, run);
    run->on_exit = event_new(base, run->pidfd, EV_READ, on_exit_of, run);
    if (run->on_output == NULL || run->on_exit == NULL || event_add(run->on_output, NULL) != 0 ||
        event_add(run->on_exit, NULL) != 0)
        return -1;
    return 0;
}

/* No signal may reach the child before it has forgotten our handlers: they would tell the loop, whose
 * pipe both have, and so what was meant for the child would end us. */
static pid_t fork_quietly(void)
{
    sigset_t all;
    sigset_t before;
    pid_t pid;

    sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid != 0)
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return pid;
}

static int fork_child(struct child *run)
{
    pid_t parent = getpid();
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    run->output = ends[0];
    run->pid = fork_quietly();
    if (run->pid == 0)
        become_program(&run->setup, ends[1], parent);
    close(ends[1]);
    return run->pid > 0 ? fcntl(ends[0], F_SETFL, O_NONBLOCK) : -1;
}

struct child *child_start(struct event_base *base, const struct child_setup *setup)
{
    struct child *run = xcalloc(1, sizeof *run);
    int error;

    run->setup = *setup;
    run->pidfd = -1;
    run->output = -1;
    if (fork_child(run) == 0 && watch(run, base) == 0)
        return run;
    error = errno;
    child_free(run);
    errno = error;
    return NULL;
}

static void send_signal(const struct child *run, int number)
{
    if (!run->is_reaped)
        (void)kill(run->pid, number);
}

void child_stop(struct child *run)
{
    send_signal(run, SIGTERM);
}

/* Another signal, because two of the same kind may arrive as one. */
void child_stop_now(struct child *run)
{
    send_signal(run, SIGINT);
}

void child_kill(struct child *run)
{
    send_signal(run, SIGKILL);
}

void child_free(struct child *run)
{
    if (run == NULL)
        return;
    if (run->pid > 0 && !run->is_reaped) {
        child_kill(run);
        reap(run);
    }
    close_output(run);
    if (run->on_exit != NULL)
        event_free(run->on_exit);
    if (run->pidfd >= 0)
        close(run->pidfd);
    free(run);
}
