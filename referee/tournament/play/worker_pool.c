/* Each worker is a fork of this process with a socket between the two. The pool remembers the tasks
 * that a worker has not reported yet, so that nothing is lost with it.
 *
 * The kernel kills a worker when this process dies (PDEATHSIG), and its bots with it. A worker that
 * dies is replaced; if workers die one after the other without getting anything done, the pause
 * before the next grows, because then the cause is the machine.
 *
 * A worker gives signs of life. One that has tasks and says nothing hangs, and is killed. Silence
 * is counted in ticks of this process, because one that was stopped itself has heard nothing. */

#include "tournament/play/worker_pool.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/message.h"
#include "sandbox/reaper.h"
#include "tournament/play/worker.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST_PAUSE_MS 100
#define LAST_PAUSE_MS 5000
#define EXIT_MS 10000 /* how long a worker may take to end its bots, clean up and exit */

struct worker_process {
    struct worker_pool *pool;
    pid_t pid; /* 0 while there is none */
    bool may_play;
    bool is_leaving; /* it may not play, and that it is idle was not reported yet */
    int socket;
    int cpu;
    unsigned silent_ticks; /* while it has tasks */
    struct event *on_read;
    struct event *on_start; /* after a pause */
    unsigned slots;
    unsigned tables;
    struct task *tasks; /* in the order in which they were given */
    unsigned task_count;
    unsigned task_capacity;
};

struct worker_pool {
    struct event_base *base;
    const struct task_setup *setup;
    struct worker_pool_observer observer;
    struct worker_process *workers;
    unsigned count;
    unsigned pause_ms; /* before the next worker is started again */
    bool is_draining;
    unsigned silence_ms;
    struct event *on_tick;
};

static void start(struct worker_process *worker);

/* Of the coordinator's descriptors it keeps only the socket and the lock of the store: as long as a
 * worker lives, nobody else may play in the store. It ignores what a terminal sends to all
 * processes. */
static _Noreturn void become_worker(struct worker_process *worker, int socket, pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_DFL);
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGWINCH, SIG_DFL);
    store_keep_lock_only(worker->pool->setup->store, socket);
    worker_run(worker->pool->setup, socket, worker->cpu);
}

static void send_order(const struct worker_process *worker, enum task_order order)
{
    char byte = (char)order;

    if (worker->pid > 0)
        (void)send(worker->socket, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void report_if_idle(struct worker_process *worker)
{
    struct worker_pool *pool = worker->pool;

    if (!worker->is_leaving || worker->task_count > 0)
        return;
    worker->is_leaving = false;
    pool->observer.on_idle(pool->observer.context, (unsigned)(worker - pool->workers));
}

static void start_later(struct worker_process *worker)
{
    struct timeval pause = {.tv_sec = worker->pool->pause_ms / 1000,
                            .tv_usec = worker->pool->pause_ms % 1000 * 1000};

    event_add(worker->on_start, &pause);
    worker->pool->pause_ms *= 2;
    if (worker->pool->pause_ms > LAST_PAUSE_MS)
        worker->pool->pause_ms = LAST_PAUSE_MS;
}

static void report_trouble(struct worker_pool *pool, const char *what, const char *why)
{
    char message[300];

    snprintf(message, sizeof message, "%s: %s", what, why);
    pool->observer.on_trouble(pool->observer.context, message);
}

/* The worker is dead: returns all its tasks and starts another one later. It can only have died of
 * a match that it may have started. */
static void replace(struct worker_process *worker)
{
    struct worker_pool *pool = worker->pool;
    char why[100];
    int status = 0;

    (void)kill(worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    /* The kernel has made us the parent of what its bots had started. */
    (void)reaper_kill_orphans(0);
    if (worker->silent_ticks > TASK_PULSES)
        snprintf(why, sizeof why, "a worker said nothing for %u s and was killed",
                 pool->silence_ms / 1000);
    else if (WIFSIGNALED(status))
        snprintf(why, sizeof why, "a worker was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, sizeof why, "a worker exited with status %d", WEXITSTATUS(status));
    event_free(worker->on_read);
    close(worker->socket);
    worker->on_read = NULL;
    worker->pid = 0;
    worker->silent_ticks = 0;
    worker->slots = 0;
    while (worker->task_count > 0) {
        struct task_report returned = {.end = TASK_RETURNED};

        returned.task = worker->tasks[--worker->task_count];
        if (worker->task_count < worker->tables)
            pool->observer.on_lost(pool->observer.context, &returned.task, why);
        else
            pool->observer.on_report(pool->observer.context, &returned);
    }
    report_trouble(pool, why, "its matches are played again");
    if (worker->may_play)
        start_later(worker);
}

static void forget_task(struct worker_process *worker, const struct task *task)
{
    for (unsigned i = 0; i < worker->task_count; i++) {
        if (worker->tasks[i].block == task->block && worker->tasks[i].rotation == task->rotation) {
            worker->task_count--;
            memmove(&worker->tasks[i], &worker->tasks[i + 1],
                    (worker->task_count - i) * sizeof *worker->tasks);
            return;
        }
    }
}

static void take_report(struct worker_process *worker, const struct task_report *report)
{
    struct worker_pool *pool = worker->pool;

    worker->slots = report->slots;
    worker->tables = report->tables;
    if (report->end == TASK_SLOTS)
        return;
    if (report->end == TASK_PLAYED)
        pool->pause_ms = FIRST_PAUSE_MS;
    forget_task(worker, &report->task);
    pool->observer.on_report(pool->observer.context, report);
}

static void on_read(evutil_socket_t fd, short what, void *context)
{
    struct worker_process *worker = context;
    struct worker_pool *pool = worker->pool;
    struct task_report report;
    ssize_t got;

    (void)what;
    worker->silent_ticks = 0;
    while ((got = recv(fd, &report, sizeof report, MSG_DONTWAIT)) == (ssize_t)sizeof report)
        take_report(worker, &report);
    if (got >= 0 || (errno != EAGAIN && errno != EINTR))
        replace(worker);
    report_if_idle(worker);
    pool->observer.on_room(pool->observer.context);
}

static void on_tick(evutil_socket_t fd, short what, void *context)
{
    struct worker_pool *pool = context;

    (void)fd;
    (void)what;
    for (unsigned i = 0; i < pool->count; i++) {
        struct worker_process *worker = &pool->workers[i];

        worker->silent_ticks =
            worker->pid > 0 && worker->task_count > 0 ? worker->silent_ticks + 1 : 0;
        if (worker->silent_ticks <= TASK_PULSES)
            continue;
        replace(worker);
        report_if_idle(worker);
        pool->observer.on_room(pool->observer.context);
    }
}

static void start_ticks(struct worker_pool *pool)
{
    struct timeval interval;

    pool->silence_ms = pool->setup->silence_ms > 0 ? pool->setup->silence_ms : TASK_SILENCE_MS;
    interval = (struct timeval){.tv_sec = pool->silence_ms / TASK_PULSES / 1000,
                                .tv_usec = pool->silence_ms / TASK_PULSES % 1000 * 1000};
    pool->on_tick = event_new(pool->base, -1, EV_PERSIST, on_tick, pool);
    event_add(pool->on_tick, &interval);
}

static int fork_worker(struct worker_process *worker)
{
    int ends[2];
    pid_t parent = getpid();

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    (void)fflush(NULL);
    worker->pid = fork();
    if (worker->pid == 0)
        become_worker(worker, ends[1], parent);
    close(ends[1]);
    if (worker->pid < 0) {
        worker->pid = 0;
        close(ends[0]);
        return -1;
    }
    worker->socket = ends[0];
    return 0;
}

static void start(struct worker_process *worker)
{
    struct worker_pool *pool = worker->pool;

    if (fork_worker(worker) != 0) {
        report_trouble(pool, "cannot start a worker", strerror(errno));
        start_later(worker);
        return;
    }
    worker->on_read = event_new(pool->base, worker->socket, EV_READ | EV_PERSIST, on_read, worker);
    if (event_add(worker->on_read, NULL) != 0) {
        replace(worker);
        return;
    }
    if (pool->is_draining)
        send_order(worker, TASK_DRAIN);
    else if (!worker->may_play)
        send_order(worker, TASK_FINISH);
}

static void on_start(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    start(context);
}

struct worker_pool *worker_pool_new(struct event_base *base, const struct task_setup *setup,
                                    struct worker_pool_size size,
                                    const struct worker_pool_observer *observer)
{
    struct worker_pool *pool = xcalloc(1, sizeof *pool);
    int cpus[CPU_MAX];
    unsigned cpu_count = cpu_list(cpus);

    pool->base = base;
    pool->setup = setup;
    pool->observer = *observer;
    pool->pause_ms = FIRST_PAUSE_MS;
    pool->count = size.count > 0 ? size.count : cpu_count;
    if (pool->count == 0)
        pool->count = 1;
    if (size.is_empty)
        pool->count = 0;
    (void)reaper_start();
    pool->workers = xcalloc(pool->count + 1, sizeof *pool->workers);
    for (unsigned i = 0; i < pool->count; i++) {
        struct worker_process *worker = &pool->workers[i];

        worker->pool = pool;
        worker->cpu = cpu_count > 0 ? cpus[i % cpu_count] : -1;
        worker->on_start = evtimer_new(base, on_start, worker);
        worker->may_play = !size.is_steered;
        if (worker->may_play)
            start(worker);
    }
    if (pool->count > 0)
        start_ticks(pool);
    return pool;
}

static void steer_worker(struct worker_process *worker, bool may_play)
{
    if (worker->may_play == may_play)
        return;
    worker->may_play = may_play;
    worker->is_leaving = !may_play;
    if (worker->pool->is_draining)
        return;
    if (may_play && worker->pid == 0 && !event_pending(worker->on_start, EV_TIMEOUT, NULL))
        start(worker);
    else
        send_order(worker, may_play ? TASK_GO : TASK_FINISH);
}

void worker_pool_steer(struct worker_pool *pool, const bool *may_play)
{
    for (unsigned i = 0; i < pool->count; i++)
        steer_worker(&pool->workers[i], may_play[i]);
    for (unsigned i = 0; i < pool->count; i++)
        report_if_idle(&pool->workers[i]);
}

unsigned worker_pool_count(const struct worker_pool *pool)
{
    return pool->count;
}

static void wait_for_exit(pid_t pid)
{
    struct timespec pause = {.tv_nsec = 1000000};

    for (int i = 0; i < EXIT_MS; i++) {
        if (waitpid(pid, NULL, WNOHANG) != 0)
            return;
        nanosleep(&pause, NULL);
    }
    (void)kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

void worker_pool_free(struct worker_pool *pool)
{
    if (pool == NULL)
        return;
    for (unsigned i = 0; i < pool->count; i++) {
        struct worker_process *worker = &pool->workers[i];

        event_free(worker->on_start);
        if (worker->pid > 0) {
            event_free(worker->on_read);
            close(worker->socket); /* tells the worker to stop its bots and exit */
        }
        free(worker->tasks);
    }
    for (unsigned i = 0; i < pool->count; i++) {
        if (pool->workers[i].pid > 0)
            wait_for_exit(pool->workers[i].pid);
    }
    (void)reaper_kill_orphans(0);
    if (pool->on_tick != NULL)
        event_free(pool->on_tick);
    free(pool->workers);
    free(pool);
}

static unsigned room_of(const struct worker_process *worker)
{
    return worker->pid > 0 && worker->may_play && worker->slots > worker->task_count
               ? worker->slots - worker->task_count
               : 0;
}

bool worker_pool_give(struct worker_pool *pool, const struct task *task)
{
    struct worker_process *best = NULL;

    for (unsigned i = 0; i < pool->count && !pool->is_draining; i++) {
        struct worker_process *worker = &pool->workers[i];

        if (room_of(worker) > (best != NULL ? room_of(best) : 0))
            best = worker;
    }
    /* A worker that cannot be written to is dead, which on_read() finds out. */
    if (best == NULL || send(best->socket, task, sizeof *task, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        return false;
    if (best->task_count == best->task_capacity) {
        best->task_capacity = 2 * best->task_capacity + 8;
        best->tasks = xrealloc(best->tasks, best->task_capacity * sizeof *best->tasks);
    }
    best->tasks[best->task_count++] = *task;
    return true;
}

void worker_pool_drain(struct worker_pool *pool)
{
    if (pool->is_draining)
        return;
    pool->is_draining = true;
    for (unsigned i = 0; i < pool->count; i++)
        send_order(&pool->workers[i], TASK_DRAIN);
}

unsigned worker_pool_busy(const struct worker_pool *pool)
{
    unsigned busy = 0;

    for (unsigned i = 0; i < pool->count; i++)
        busy += pool->workers[i].task_count;
    return busy;
}
