/* A build takes minutes, so a process of its own waits for it, and says in a pipe how it ended:
 * nothing, or the reason why it failed. */

#include "tournament/distribute/block_worker_private.h"

#include "base/memory.h"
#include "sandbox/reaper.h"
#include "tournament/play/bot_build.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 600
#define MEMORY_MB 1024

struct worker_build {
    struct block_worker *worker;
    char hash[SEAL_HASH_HEX];
    char *build;
    pid_t pid;
    int fd;
    struct event *on_read;
    char why[400];
    size_t length;
};

static _Noreturn void build(const struct block_worker *worker, const char *hash,
                            const char *command, const struct bot_setup *bot, int fd)
{
    char *source = bot_cache_path(worker->setup.cache, hash, NULL);
    char *target = bot_cache_path(worker->setup.cache, hash, command);
    struct config_bot config = {
        .build = xstrdup(command), .folder = source, .environment = (char **)bot->environment};
    struct bot_build_limits limits = {.seconds = SECONDS, .memory_mb = MEMORY_MB};
    struct sandbox *sandbox;
    char message[1200];
    struct text problem;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    text_start(&problem, message, sizeof message);
    sandbox = sandbox_new(visit_tasks(worker->visit)->sandbox, &problem);
    if (sandbox == NULL && visit_tasks(worker->visit)->sandbox != SANDBOX_NONE)
        ;
    else if (bot_build_run(&config, target, &limits, sandbox, &problem) == 0)
        message[0] = '\0';
    if (write(fd, message, strlen(message)) < 0)
        _exit(1);
    sandbox_free(sandbox);
    _exit(0);
}

static void end_build(struct worker_build *done)
{
    struct block_worker *worker = done->worker;
    int status = 0;

    event_free(done->on_read);
    close(done->fd);
    while (waitpid(done->pid, &status, 0) < 0 && errno == EINTR)
        ;
    (void)reaper_kill_orphans(0);
    done->why[done->length] = '\0';
    done->why[strcspn(done->why, "\n")] = '\0';
    if (done->why[0] == '\0' && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
        snprintf(done->why, sizeof done->why, "its build did not end well");
    if (done->why[0] == '\0' &&
        bot_cache_end_build(worker->setup.cache, done->hash, done->build) != 0)
        snprintf(done->why, sizeof done->why, "its build cannot be kept: %s", strerror(errno));
    worker->build = NULL;
    worker_built(worker, done->hash, done->build, done->why[0] != '\0' ? done->why : NULL);
    free(done->build);
    free(done);
}

static void on_read(evutil_socket_t fd, short what, void *context)
{
    struct worker_build *running = context;
    size_t room = sizeof running->why - 1 - running->length;
    char rest[200];
    ssize_t got =
        room > 0 ? read(fd, running->why + running->length, room) : read(fd, rest, sizeof rest);

    (void)what;
    if (got > 0)
        running->length += room > 0 ? (size_t)got : 0;
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        end_build(running);
}

bool worker_build_start(struct block_worker *worker, const char *hash, const char *command,
                        const struct bot_setup *bot)
{
    struct worker_build *running;
    int ends[2];

    if (worker->build != NULL || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    if (bot_cache_begin_build(worker->setup.cache, hash, command) != 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    running = xcalloc(1, sizeof *running);
    running->worker = worker;
    memcpy(running->hash, hash, sizeof running->hash);
    running->build = xstrdup(command);
    running->fd = ends[0];
    (void)fflush(NULL);
    running->pid = fork();
    if (running->pid == 0)
        build(worker, hash, command, bot, ends[1]);
    close(ends[1]);
    running->on_read = event_new(worker->base, ends[0], EV_READ | EV_PERSIST, on_read, running);
    event_add(running->on_read, NULL);
    worker->build = running;
    return true;
}

void worker_build_free(struct block_worker *worker)
{
    struct worker_build *running = worker->build;

    if (running == NULL)
        return;
    if (running->pid > 0) {
        (void)kill(running->pid, SIGKILL);
        while (waitpid(running->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    event_free(running->on_read);
    close(running->fd);
    free(running->build);
    free(running);
    worker->build = NULL;
}
