/* The end of the output and the end of the process come in either order; after both, on_end is
 * called once.
 *
 * Each child has a session of its own, which its workers share. If it is killed, all that it has
 * started becomes ours, and can be told from what is ours because it is in another session. */

#include "serve/queue/child.h"

#include "base/memory.h"
#include "sandbox/reaper.h"
#include "sandbox/sandbox.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
    struct child_setup setup;
    pid_t pid;
    int pidfd;
    int input;
    int output;
    struct event *on_output;
    struct event *on_exit;
    int status;
    bool is_reaped;
    char line[CHILD_LINE_MAX + 1];
    size_t length;
};

/* In the new process. Signals are as a new program expects them. */
static _Noreturn void become_program(const struct child_setup *setup, int input, int output,
                                     pid_t parent)
{
    int messages = open(setup->stderr_path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_TRUNC, 0644);
    sigset_t none;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || messages < 0 || dup2(input, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0)
        _exit(126);
    (void)close_range(STDERR_FILENO + 1, ~0U, 0);
    (void)setsid();
    for (int number = 1; number < NSIG; number++)
        (void)signal(number, SIG_DFL);
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    execv(setup->argv[0], (char *const *)setup->argv);
    _exit(127);
}

/* Its output. */

static void pass_line(struct child *child)
{
    child->line[child->length] = '\0';
    for (size_t i = 0; i < child->length; i++) {
        if (child->line[i] < ' ' || child->line[i] > '~')
            child->line[i] = '?';
    }
    child->length = 0;
    child->setup.on_line(child->setup.context, child->line);
}

static void take_bytes(struct child *child, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n')
            pass_line(child);
        else if (child->length < CHILD_LINE_MAX)
            child->line[child->length++] = bytes[i];
    }
}

static void close_output(struct child *child)
{
    if (child->on_output != NULL)
        event_free(child->on_output);
    child->on_output = NULL;
    if (child->output >= 0)
        close(child->output);
    child->output = -1;
}

static void end_if_over(struct child *child)
{
    if (child->is_reaped && child->output < 0)
        child->setup.on_end(child->setup.context, child->status);
}

static void on_output(evutil_socket_t fd, short what, void *context)
{
    struct child *child = context;
    char bytes[4096];
    ssize_t got = read(fd, bytes, sizeof bytes);

    (void)what;
    if (got > 0) {
        take_bytes(child, bytes, (size_t)got);
        return;
    }
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    close_output(child);
    end_if_over(child);
}

/* Its end. */

/* One that did not end by itself could not remove its scratch folders. */
static void reap(struct child *child)
{
    while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
        ;
    child->is_reaped = true;
    reaper_forget(child->pid);
    (void)reaper_kill_orphans(0);
    if (child->status != 0)
        sandbox_sweep();
}

/* All that it wrote is in the pipe by now. If another process still holds the pipe, nobody waits
 * for it. */
static void read_rest(struct child *child)
{
    char bytes[4096];
    ssize_t got;

    while (child->output >= 0 && (got = read(child->output, bytes, sizeof bytes)) > 0)
        take_bytes(child, bytes, (size_t)got);
    close_output(child);
}

static void on_exit_of(evutil_socket_t fd, short what, void *context)
{
    struct child *child = context;

    (void)fd;
    (void)what;
    event_free(child->on_exit);
    child->on_exit = NULL;
    reap(child);
    read_rest(child);
    end_if_over(child);
}

/* Its start. */

static int watch(struct child *child, struct event_base *base)
{
    child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
    if (child->pidfd < 0)
        return -1;
    child->on_output = event_new(base, child->output, EV_READ | EV_PERSIST, on_output, child);
    child->on_exit = event_new(base, child->pidfd, EV_READ, on_exit_of, child);
    if (child->on_output == NULL || child->on_exit == NULL ||
        event_add(child->on_output, NULL) != 0 || event_add(child->on_exit, NULL) != 0)
        return -1;
    return 0;
}

/* No signal may reach the child before it has dropped our handlers: they write to the pipe of our
 * loop, which both processes have, so a signal for the child would end the daemon. */
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

static int fork_child(struct child *child)
{
    pid_t parent = getpid();
    int ends[2], input[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    child->output = ends[0];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0) {
        close(ends[1]);
        return -1;
    }
    child->input = input[1];
    child->pid = fork_quietly();
    if (child->pid == 0)
        become_program(&child->setup, input[0], ends[1], parent);
    close(ends[1]);
    close(input[0]);
    if (child->pid <= 0)
        return -1;
    reaper_except(child->pid);
    return fcntl(child->output, F_SETFL, O_NONBLOCK);
}

struct child *child_start(struct event_base *base, const struct child_setup *setup)
{
    struct child *child = xcalloc(1, sizeof *child);
    int error;

    /* What it leaves behind is to become ours. */
    (void)reaper_start();
    child->setup = *setup;
    child->pidfd = -1;
    child->input = -1;
    child->output = -1;
    if (fork_child(child) == 0 && watch(child, base) == 0)
        return child;
    error = errno;
    child_free(child);
    errno = error;
    return NULL;
}

/* A socket takes a short text as a whole or not at all. */
int child_send(struct child *child, struct span text)
{
    ssize_t sent = send(child->input, text.start, text.length, MSG_NOSIGNAL | MSG_DONTWAIT);

    return sent == (ssize_t)text.length ? 0 : -1;
}

void child_end_input(struct child *child)
{
    (void)shutdown(child->input, SHUT_WR);
}

static void send_signal(const struct child *child, int number)
{
    if (!child->is_reaped)
        (void)kill(child->pid, number);
}

void child_stop(struct child *child)
{
    send_signal(child, SIGTERM);
}

/* Another signal, because two of the same kind may arrive as one. */
void child_stop_now(struct child *child)
{
    send_signal(child, SIGINT);
}

void child_kill(struct child *child)
{
    send_signal(child, SIGKILL);
}

void child_free(struct child *child)
{
    if (child == NULL)
        return;
    if (child->pid > 0 && !child->is_reaped) {
        child_kill(child);
        reap(child);
    }
    close_output(child);
    if (child->on_exit != NULL)
        event_free(child->on_exit);
    if (child->pidfd >= 0)
        close(child->pidfd);
    if (child->input >= 0)
        close(child->input);
    free(child);
}
