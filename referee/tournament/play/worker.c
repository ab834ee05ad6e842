/* A worker has three lists: tasks that wait, matches that are being played, and bots that stay for the
 * next match. It asks for as many tasks as it can use: the matches that it plays at once, and enough
 * ahead not to stand still while the coordinator is busy with the disk.
 *
 * How many matches at once is found out by trying. A bot that thinks uses the core, and a second match
 * beside it would only get in its way; but a bot that sleeps, waits or starts slowly leaves the core
 * idle, and as long as it is idle one more match is opened. */

#include "tournament/play/worker.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "base/message.h"
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

#define TABLES_MAX 16   /* that a worker opens by itself */
#define AHEAD_US 150000 /* tasks for that long are held ready */
#define AHEAD_MAX 64
#define LOOK_MS 200 /* how often it looks whether the core is idle */
#define IDLE_SHARE 0.3
#define STABLE_MOST 200

struct worker;

/* A match that is being played. */
struct playing {
    struct worker *worker;
    struct task task;
    struct match_host *host;
    char *log_path;
    bool is_fresh; /* played again with new processes */
    int64_t start_us;
    struct playing *next;
};

struct waiting {
    struct task task;
    struct waiting *next;
};

struct worker {
    const struct task_setup *setup;
    struct event_base *base;
    int socket;
    int cpu;
    bool is_draining;
    struct playing *playing;
    unsigned playing_count;
    struct waiting *waiting;
    struct waiting **waiting_end;
    struct bot_pool *pool;
    struct sandbox *sandbox;
    unsigned tables;
    int64_t mean_us; /* of a match, lately */
    struct cpu_idle idle;
    struct event *on_look;
    struct event *on_begin;
};

static void begin_match(struct worker *worker, const struct task *task, bool is_fresh);

static unsigned slots(const struct worker *worker)
{
    int64_t ahead = worker->mean_us > 0 ? AHEAD_US * worker->tables / worker->mean_us : 1;

    if (ahead > AHEAD_MAX)
        ahead = AHEAD_MAX;
    return worker->tables + (ahead > 1 ? (unsigned)ahead : 1);
}

/* If nobody is there to hear it, there is nobody to play for. */
static void send_report(struct worker *worker, struct task_report *report)
{
    ssize_t sent;

    report->slots = slots(worker);
    report->tables = worker->tables;
    do
        sent = send(worker->socket, report, sizeof *report, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0)
        event_base_loopbreak(worker->base);
}

static void send_news(struct worker *worker)
{
    struct task_report report = {.end = TASK_NOTHING};

    send_report(worker, &report);
}

/* The end of a match. */

/* What counts for a bot that was dismissed is the worse of what the autopilot made of its seat and of
 * the worst score at the table. */
static void count_scores(struct result *result, const struct match *match)
{
    const struct allegra_table *table = match_table(match);
    int32_t worst = table->total_halves[0];

    for (unsigned seat = 1; seat < result->seats; seat++) {
        if (table->total_halves[seat] > worst)
            worst = table->total_halves[seat];
    }
    for (unsigned seat = 0; seat < result->seats; seat++) {
        result->faults[seat] = (uint8_t)match_fault(match, seat);
        result->places[seat] = match_places(match)[seat];
        result->score_halves[seat] =
            result->faults[seat] == BOT_ANSWERED ? table->total_halves[seat] : worst;
    }
}

static void report_played(struct playing *playing, struct task_report *report)
{
    const struct match *match = match_host_get_match(playing->host);

    report->end = TASK_PLAYED;
    report->result = (struct result){
        .block = playing->task.block,
        .rotation = playing->task.rotation,
        .seats = playing->task.seats,
        .rounds = match_table(match)->round,
    };
    memcpy(report->result.bots, playing->task.bots, sizeof report->result.bots);
    count_scores(&report->result, match);
    snprintf(report->log_hash, sizeof report->log_hash, "%s", match_host_log_hash(playing->host));
    for (unsigned seat = 0; seat < playing->task.seats; seat++)
        report->times[seat] = *match_times(match, seat);
}

static void note_duration(struct worker *worker, int64_t us)
{
    worker->mean_us = worker->mean_us == 0 ? us : (7 * worker->mean_us + us) / 8;
    if (worker->mean_us == 0)
        worker->mean_us = 1;
}

static void playing_free(struct playing *playing)
{
    match_host_free(playing->host);
    free(playing->log_path);
    free(playing);
}

static void cut_out(struct playing *playing)
{
    struct playing **link = &playing->worker->playing;

    while (*link != playing)
        link = &(*link)->next;
    *link = playing->next;
    playing->worker->playing_count--;
}

/* A match has ended in one way or another: reports it, or begins it again. */
static void end_playing(struct playing *playing)
{
    struct worker *worker = playing->worker;
    struct task_report report = {.task = playing->task};
    struct timeval at_once = {0};
    bool is_stale = match_host_is_stale(playing->host);

    if (match_host_void(playing->host) == NULL) {
        report_played(playing, &report);
        note_duration(worker, clock_now_us() - playing->start_us);
    } else {
        report.end = TASK_VOID;
        report.error = match_host_error(playing->host);
        snprintf(report.why, sizeof report.why, "%s", match_host_void(playing->host));
    }
    cut_out(playing);
    if (is_stale)
        begin_match(worker, &playing->task, true);
    else
        send_report(worker, &report);
    playing_free(playing);
    event_add(worker->on_begin, &at_once);
}

static void on_end(void *context, struct match_host *host)
{
    (void)host;
    end_playing(context);
}

/* The beginning of a match. */

/* What an attempt that was broken off has left. */
static void remove_remains(const struct playing *playing)
{
    size_t size = strlen(playing->log_path) + 20;
    char *path;

    if (access(playing->log_path, F_OK) != 0)
        return;
    path = xcalloc(size, 1);
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        snprintf(path, size, "%s.stderr.%u", playing->log_path, seat);
        (void)unlink(path);
    }
    free(path);
}

static void fill_seat(struct match_host_setup *host, unsigned seat,
                      const struct bot_setup *bot_setup)
{
    host->match.names[seat] = bot_setup->name;
    host->match.commands[seat] = bot_setup->command.words;
    host->match.hashes[seat] = bot_setup->command.hash;
    host->commands[seat] = &bot_setup->command;
    host->places[seat].folder = bot_setup->folder;
    host->places[seat].environment = bot_setup->environment;
    host->places[seat].memory_mb = bot_setup->memory_mb;
    host->places[seat].is_ours = bot_setup->is_remote;
    /* What runs elsewhere is there for one match; then nobody in it stays. */
    if (bot_setup->is_remote)
        host->pool = NULL;
}

static struct match_host_setup setup_of(struct playing *playing)
{
    const struct worker *worker = playing->worker;
    const struct task_setup *setup = worker->setup;
    struct match_host_setup host = {
        .match = {.rules = setup->rules,
                  .seats = playing->task.seats,
                  .is_guessable = store_is_guessable(setup->store),
                  .clock = setup->clock,
                  .start_ms = setup->start_ms,
                  .move_ms = setup->move_ms,
                  .bank_ms = setup->bank_ms,
                  .sandbox = sandbox_level_name(sandbox_level(worker->sandbox)),
                  .enforced = sandbox_enforced(worker->sandbox)},
        .log_path = playing->log_path,
        .leaves_sync = true,
        .pool = playing->is_fresh ? NULL : worker->pool,
        .deal = playing->task.block,
        .cpu = worker->cpu,
        .sandbox = worker->sandbox,
        .on_end = on_end,
        .context = playing,
    };

    store_seed(setup->store, playing->task.block, host.match.seed);
    for (unsigned seat = 0; seat < playing->task.seats; seat++) {
        fill_seat(&host, seat, &setup->bot_setups[playing->task.bots[seat]]);
        host.kinds[seat] = playing->task.bots[seat];
    }
    return host;
}

static void begin_match(struct worker *worker, const struct task *task, bool is_fresh)
{
    struct playing *playing = xcalloc(1, sizeof *playing);
    struct match_host_setup setup;

    playing->worker = worker;
    playing->task = *task;
    playing->is_fresh = is_fresh;
    playing->log_path = store_open_path(worker->setup->store, task->block, task->rotation);
    playing->start_us = clock_now_us();
    playing->next = worker->playing;
    worker->playing = playing;
    worker->playing_count++;
    remove_remains(playing);
    setup = setup_of(playing);
    playing->host = match_host_start(worker->base, &setup);
    if (match_host_void(playing->host) != NULL)
        end_playing(playing);
}

static void begin_more(evutil_socket_t fd, short what, void *context)
{
    struct worker *worker = context;

    (void)fd;
    (void)what;
    while (worker->waiting != NULL && worker->playing_count < worker->tables) {
        struct waiting *first = worker->waiting;

        worker->waiting = first->next;
        if (worker->waiting == NULL)
            worker->waiting_end = &worker->waiting;
        begin_match(worker, &first->task, false);
        free(first);
    }
}

/* What the coordinator sends. */

static void give_back_waiting(struct worker *worker)
{
    while (worker->waiting != NULL) {
        struct waiting *first = worker->waiting;
        struct task_report report = {.end = TASK_RETURNED, .task = first->task};

        worker->waiting = first->next;
        send_report(worker, &report);
        free(first);
    }
    worker->waiting_end = &worker->waiting;
}

static void take_task(struct worker *worker, const struct task *task)
{
    struct waiting *waiting = xcalloc(1, sizeof *waiting);

    waiting->task = *task;
    *worker->waiting_end = waiting;
    worker->waiting_end = &waiting->next;
    if (worker->is_draining)
        give_back_waiting(worker);
}

static void on_packet(evutil_socket_t fd, short what, void *context)
{
    struct worker *worker = context;
    struct task task;
    ssize_t got;

    (void)what;
    while ((got = recv(fd, &task, sizeof task, MSG_DONTWAIT)) > 0) {
        if (got == (ssize_t)sizeof task) {
            take_task(worker, &task);
        } else {
            worker->is_draining = true;
            give_back_waiting(worker);
        }
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR))
        event_base_loopbreak(worker->base);
    else
        begin_more(-1, 0, worker);
}

/* One more table while the core stands still although there is work; one less never, because matches
 * that have begun go on. */
static void on_look(evutil_socket_t fd, short what, void *context)
{
    struct worker *worker = context;
    double share = cpu_idle_share(&worker->idle);

    (void)fd;
    (void)what;
    if (share > IDLE_SHARE && worker->playing_count == worker->tables &&
        worker->tables < TABLES_MAX) {
        worker->tables++;
        send_news(worker);
        begin_more(-1, 0, worker);
    }
}

/* Being a worker. */

static void begin_looking(struct worker *worker)
{
    struct timeval interval = {.tv_usec = LOOK_MS * 1000};

    worker->tables = worker->setup->tables > 0 ? worker->setup->tables : 1;
    if (worker->setup->tables > 0 || cpu_idle_start(&worker->idle, worker->cpu) != 0)
        return;
    worker->on_look = event_new(worker->base, -1, EV_PERSIST, on_look, worker);
    event_add(worker->on_look, &interval);
}

static void stop_all(struct worker *worker)
{
    while (worker->playing != NULL) {
        struct playing *first = worker->playing;

        worker->playing = first->next;
        playing_free(first);
    }
    bot_pool_free(worker->pool);
    sandbox_free(worker->sandbox);
}

/* The coordinator has found out that the level can be had. If it cannot now, it is for want of something
 * that may be there again later, and then another worker is started. */
static void sandbox_bots(struct worker *worker)
{
    char words[400];
    struct text problem;

    text_start(&problem, words, sizeof words);
    worker->sandbox = sandbox_new(worker->setup->sandbox, &problem);
    if (worker->sandbox != NULL)
        return;
    message_say("%s", words);
    _exit(1);
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
    sandbox_bots(&worker);
    worker.pool = setup->keeps_bots ? bot_pool_new(STABLE_MOST) : NULL;
    worker.on_begin = evtimer_new(worker.base, begin_more, &worker);
    on_read = event_new(worker.base, socket, EV_READ | EV_PERSIST, on_packet, &worker);
    if (event_add(on_read, NULL) != 0)
        fatal("the coordinator could not be heard");
    begin_looking(&worker);
    send_news(&worker);
    while (!event_base_got_break(worker.base))
        event_base_dispatch(worker.base);
    stop_all(&worker);
    _exit(0);
}
