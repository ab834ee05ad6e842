/* A worker has three lists: tasks that wait, matches that are running, and bots that stay for the
 * next match. It asks for as many tasks as it can use: the matches that it plays at once, and
 * enough ahead not to stand still while the coordinator is busy with the disk.
 *
 * How many matches at once is found out by trying. A bot that thinks uses the core, and a second
 * match would only get in its way; but a bot that sleeps, waits or starts slowly leaves the core
 * idle, and as long as it is idle one more match is started.
 *
 * A worker whose core is to be used by another tournament finishes what it plays. A match that
 * lasts is held between two questions until the worker may go on, so that nothing is lost, and a
 * match of hours keeps nobody waiting for longer than an answer takes. */

#include "tournament/play/worker.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "base/message.h"
#include "match/log_file.h"
#include "match/match_host.h"
#include "tournament/play/cpu_idle.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TABLES_MAX 16   /* unless the config asks for more */
#define AHEAD_US 150000 /* tasks for that long are kept waiting */
#define AHEAD_MAX 64
#define IDLE_CHECK_MS 200
#define IDLE_SHARE 0.3
#define BOT_POOL_MAX 200

struct worker;

struct running_match {
    struct worker *worker;
    struct task task;
    struct match_host *host;
    char *log_path;
    bool is_fresh; /* all its processes are new */
    int64_t start_us;
    struct running_match *next;
};

struct waiting_task {
    struct task task;
    struct waiting_task *next;
};

struct worker {
    const struct task_setup *setup;
    struct event_base *base;
    int socket;
    int cpu;
    bool is_draining;
    bool is_finishing;
    struct running_match *running;
    unsigned running_count;
    struct waiting_task *waiting;
    struct waiting_task **waiting_end;
    struct bot_pool *pool;
    struct sandbox *sandbox;
    unsigned tables; /* matches at once */
    int64_t mean_us; /* of recent matches */
    struct cpu_idle idle;
    struct event *on_idle_check;
    struct event *on_start;
    struct event *on_hold;
    struct event *on_pulse;
};

static void start_match(struct worker *worker, const struct task *task, bool is_fresh);

static void fill_slots(const struct worker *worker, struct task_report *report)
{
    int64_t ahead = worker->mean_us > 0 ? AHEAD_US * worker->tables / worker->mean_us : 1;

    if (ahead > AHEAD_MAX)
        ahead = AHEAD_MAX;
    report->slots = worker->tables + (ahead > 1 ? (unsigned)ahead : 1);
    report->tables = worker->tables;
}

/* If the coordinator is gone, there is nobody to play for. */
static void send_report(struct worker *worker, struct task_report *report)
{
    ssize_t sent;

    fill_slots(worker, report);
    do
        sent = send(worker->socket, report, sizeof *report, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0)
        event_base_loopbreak(worker->base);
}

static void send_slots(struct worker *worker)
{
    struct task_report report = {.end = TASK_SLOTS};

    send_report(worker, &report);
}

/* The end of a match. */

static void report_played(const struct running_match *running, struct task_report *report)
{
    const struct match *match = match_host_get_match(running->host);

    report->end = TASK_PLAYED;
    report->result = (struct result){
        .block = running->task.block,
        .rotation = running->task.rotation,
        .seats = running->task.seats,
    };
    memcpy(report->result.bots, running->task.bots, sizeof report->result.bots);
    result_take(&report->result, match);
    snprintf(report->log_hash, sizeof report->log_hash, "%s", match_host_log_hash(running->host));
    for (unsigned seat = 0; seat < running->task.seats; seat++)
        report->times[seat] = *match_times(match, seat);
}

static void running_match_free(struct running_match *running)
{
    match_host_free(running->host);
    free(running->log_path);
    free(running);
}

/* A match has ended in one way or another: reports it, or starts it again with new processes if a
 * bot that had stayed was gone. */
static void end_match(struct running_match *running)
{
    struct worker *worker = running->worker;
    struct running_match **link = &worker->running;
    struct task_report report = {.task = running->task};
    struct timeval at_once = {0};
    bool is_stale = match_host_is_stale(running->host);

    if (match_host_void(running->host) == NULL) {
        int64_t us = clock_now_us() - running->start_us;

        report_played(running, &report);
        worker->mean_us = worker->mean_us == 0 ? us : (7 * worker->mean_us + us) / 8;
        if (worker->mean_us == 0)
            worker->mean_us = 1;
    } else {
        report.end = TASK_VOID;
        report.error = match_host_error(running->host);
        snprintf(report.why, sizeof report.why, "%s", match_host_void(running->host));
    }
    while (*link != running)
        link = &(*link)->next;
    *link = running->next;
    worker->running_count--;
    if (is_stale)
        start_match(worker, &running->task, true);
    else
        send_report(worker, &report);
    running_match_free(running);
    event_add(worker->on_start, &at_once);
}

static void on_end(void *context, struct match_host *host)
{
    (void)host;
    end_match(context);
}

/* The start of a match. */

/* Removes what an attempt that was cut off has left. Its log is overwritten anyway. */
static void remove_leftovers(const struct running_match *running)
{
    char *partial = log_file_next_to(running->log_path, LOG_FILE_PARTIAL);
    bool is_left = access(partial, F_OK) == 0 || access(running->log_path, F_OK) == 0;

    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX && is_left; seat++) {
        char ending[20];
        char *path;

        snprintf(ending, sizeof ending, ".stderr.%u", seat);
        path = log_file_next_to(running->log_path, ending);
        (void)unlink(path);
        free(path);
    }
    free(partial);
}

static void fill_seat(struct match_host_setup *host, unsigned seat,
                      const struct bot_setup *bot_setup)
{
    host->match.names[seat] = bot_setup->name;
    host->match.commands[seat] = bot_setup->command.text;
    host->match.hashes[seat] = bot_setup->command.hash;
    host->commands[seat] = &bot_setup->command;
    host->processes[seat].folder = bot_setup->folder;
    host->processes[seat].is_folder_shared = bot_setup->is_folder_shared;
    host->processes[seat].environment = bot_setup->environment;
    host->processes[seat].memory_mb = bot_setup->memory_mb;
    host->processes[seat].problem = bot_setup->problem;
    host->processes[seat].is_ours = bot_setup->is_remote;
    /* A remote bot connects for one match; then no bot of that match stays. */
    if (bot_setup->is_remote)
        host->pool = NULL;
}

static struct match_host_setup setup_of(struct running_match *running)
{
    const struct worker *worker = running->worker;
    const struct task_setup *setup = worker->setup;
    struct match_host_setup host = {
        .match = {.rules = setup->rules,
                  .variant = setup->variant,
                  .machine = setup->machine,
                  .speed = setup->speed,
                  .reference = setup->reference,
                  .seats = running->task.seats,
                  .is_guessable = setup->is_guessable,
                  .clock = setup->clock,
                  .may_ponder = setup->may_ponder,
                  .measures_luck = setup->measures_luck,
                  .start_ms = setup->start_ms,
                  .move_ms = setup->move_ms,
                  .bank_ms = setup->bank_ms,
                  .sandbox = sandbox_level_name(sandbox_level(worker->sandbox)),
                  .enforced = sandbox_enforced(worker->sandbox)},
        .log_path = running->log_path,
        .leaves_sync = true,
        .pool = running->is_fresh ? NULL : worker->pool,
        .deal = running->task.block,
        .cpu = worker->cpu,
        .sandbox = worker->sandbox,
        .on_end = on_end,
        .context = running,
    };

    memcpy(host.match.seed, running->task.seed, sizeof host.match.seed);
    for (unsigned seat = 0; seat < running->task.seats; seat++) {
        fill_seat(&host, seat, &setup->bot_setups[running->task.bots[seat]]);
        host.kinds[seat] = running->task.bots[seat];
    }
    return host;
}

static void start_match(struct worker *worker, const struct task *task, bool is_fresh)
{
    struct running_match *running = xcalloc(1, sizeof *running);
    struct match_host_setup setup;

    running->worker = worker;
    running->task = *task;
    running->is_fresh = is_fresh;
    running->log_path = store_open_path_in(worker->setup->folder, task->block, task->rotation);
    running->start_us = clock_now_us();
    running->next = worker->running;
    worker->running = running;
    worker->running_count++;
    remove_leftovers(running);
    setup = setup_of(running);
    running->host = match_host_start(worker->base, &setup);
    if (match_host_void(running->host) != NULL)
        end_match(running);
}

static struct task take_first(struct worker *worker)
{
    struct waiting_task *first = worker->waiting;
    struct task task = first->task;

    worker->waiting = first->next;
    if (worker->waiting == NULL)
        worker->waiting_end = &worker->waiting;
    free(first);
    return task;
}

static void start_waiting(evutil_socket_t fd, short what, void *context)
{
    struct worker *worker = context;

    (void)fd;
    (void)what;
    while (worker->waiting != NULL && worker->running_count < worker->tables &&
           !worker->is_finishing) {
        struct task task = take_first(worker);

        start_match(worker, &task, false);
    }
}

/* What the coordinator sends. */

static void hold_matches(struct worker *worker, bool are_held)
{
    for (struct running_match *running = worker->running; running != NULL; running = running->next)
        match_host_hold(running->host, are_held);
}

static void on_hold(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    hold_matches(context, true);
}

static void take_order(struct worker *worker, enum task_order order)
{
    struct timeval patience = {.tv_sec = TASK_FINISH_MS / 1000};

    worker->is_draining = worker->is_draining || order == TASK_DRAIN;
    worker->is_finishing = order == TASK_FINISH;
    if (worker->is_finishing) {
        event_add(worker->on_hold, &patience);
    } else {
        event_del(worker->on_hold);
        hold_matches(worker, false);
    }
}

static void return_waiting(struct worker *worker)
{
    while (worker->waiting != NULL) {
        struct task_report report = {.end = TASK_RETURNED, .task = take_first(worker)};

        send_report(worker, &report);
    }
}

static void on_packet(evutil_socket_t fd, short what, void *context)
{
    struct worker *worker = context;
    struct task task;
    ssize_t got;

    (void)what;
    while ((got = recv(fd, &task, sizeof task, MSG_DONTWAIT)) > 0) {
        if (got == (ssize_t)sizeof task) {
            struct waiting_task *waiting = xcalloc(1, sizeof *waiting);

            waiting->task = task;
            *worker->waiting_end = waiting;
            worker->waiting_end = &waiting->next;
        } else {
            take_order(worker, *(const char *)&task);
        }
        if (worker->is_draining || worker->is_finishing)
            return_waiting(worker);
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR))
        event_base_loopbreak(worker->base);
    else
        start_waiting(-1, 0, worker);
}

static unsigned most_tables(const struct task_setup *setup)
{
    return setup->most_tables > 0 && setup->most_tables < TABLES_MAX ? setup->most_tables
                                                                     : TABLES_MAX;
}

/* One more match at once while the core is idle although there are tasks. Never one less: matches
 * that have started are played to the end. */
static void on_idle_check(evutil_socket_t fd, short what, void *context)
{
    struct worker *worker = context;
    double share = cpu_idle_share(&worker->idle);

    (void)fd;
    (void)what;
    if (share > IDLE_SHARE && worker->running_count == worker->tables &&
        worker->tables < most_tables(worker->setup)) {
        worker->tables++;
        send_slots(worker);
        start_waiting(-1, 0, worker);
    }
}

static void watch_idle(struct worker *worker)
{
    struct timeval interval = {.tv_usec = IDLE_CHECK_MS * 1000};

    worker->tables = worker->setup->tables > 0 ? worker->setup->tables : 1;
    if (worker->setup->tables > 0 || cpu_idle_start(&worker->idle, worker->cpu) != 0)
        return;
    worker->on_idle_check = event_new(worker->base, -1, EV_PERSIST, on_idle_check, worker);
    event_add(worker->on_idle_check, &interval);
}

/* A sign of life. If the coordinator has not read the last ones, it needs no more. */
static void on_pulse(evutil_socket_t fd, short what, void *context)
{
    struct worker *worker = context;
    struct task_report report = {.end = TASK_SLOTS};

    (void)fd;
    (void)what;
    fill_slots(worker, &report);
    (void)send(worker->socket, &report, sizeof report, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void start_pulse(struct worker *worker)
{
    unsigned silence_ms =
        worker->setup->silence_ms > 0 ? worker->setup->silence_ms : TASK_SILENCE_MS;
    struct timeval interval = {.tv_sec = silence_ms / TASK_PULSES / 1000,
                               .tv_usec = silence_ms / TASK_PULSES % 1000 * 1000};

    worker->on_pulse = event_new(worker->base, -1, EV_PERSIST, on_pulse, worker);
    event_add(worker->on_pulse, &interval);
}

/* The coordinator knows that the level is available. If it is not available now, some resource is
 * short for the moment; the coordinator starts another worker later. */
static void open_sandbox(struct worker *worker)
{
    char message[400];
    struct text problem;

    text_start(&problem, message, sizeof message);
    worker->sandbox = sandbox_new(worker->setup->sandbox, &problem);
    if (worker->sandbox == NULL) {
        message_say("%s", message);
        _exit(1);
    }
    sandbox_lend_programs(worker->sandbox, worker->setup->admitted);
}

_Noreturn void worker_run(const struct task_setup *setup, int socket, int cpu)
{
    struct worker worker = {.setup = setup, .socket = socket, .cpu = cpu};
    struct event *on_read;

    cpu_pin(cpu);
    worker.waiting_end = &worker.waiting;
    worker.base = event_base_new();
    if (worker.base == NULL)
        fatal("the event loop could not be set up");
    open_sandbox(&worker);
    worker.pool = setup->keeps_bots ? bot_pool_new(BOT_POOL_MAX) : NULL;
    worker.on_start = evtimer_new(worker.base, start_waiting, &worker);
    worker.on_hold = evtimer_new(worker.base, on_hold, &worker);
    on_read = event_new(worker.base, socket, EV_READ | EV_PERSIST, on_packet, &worker);
    if (event_add(on_read, NULL) != 0)
        fatal("cannot listen to the coordinator");
    watch_idle(&worker);
    start_pulse(&worker);
    send_slots(&worker);
    while (!event_base_got_break(worker.base))
        event_base_dispatch(worker.base);
    while (worker.running != NULL) {
        struct running_match *first = worker.running;

        worker.running = first->next;
        running_match_free(first);
    }
    bot_pool_free(worker.pool);
    sandbox_free(worker.sandbox);
    _exit(0);
}
