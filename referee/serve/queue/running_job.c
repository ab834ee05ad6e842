/* A running job: its configuration is written to a file for the process that plays it, and the
 * lines of that process are counted and sent to watchers. */

#include "base/clock.h"
#include "base/directory.h"
#include "base/memory.h"
#include "bot/bot.h"
#include "serve/queue/queue_private.h"
#include "wire/feed_line.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* At once per slot, for the owner. */
#define ARGUMENTS_MAX (22 + 2 * QUEUE_SERVERS_MAX) /* besides those of replays */
#define REPLAY_BYTES (CONFIG_NAME_MAX + 16)
#define TABLES_MAX 256

/* How long a process may take to end after it was told to. */
#define PATIENCE_S 10

/* Lines of the process. */

static void take_bot(struct running_job *running, const struct feed_line *line)
{
    const struct ledger *ledger = running->queue->ledger;
    struct ledger_score *score;
    struct span rest = line->text, code;
    unsigned index = 0;
    long count;

    while (index < running->job->bot_count &&
           !span_is(line->name, ledger_player(ledger, running->job, index)))
        index++;
    if (index == running->job->bot_count)
        return;
    score = &running->scores[index];
    score->matches = (unsigned long)line->matches;
    score->wins = (unsigned long)line->wins;
    score->median_us = line->median_us;
    score->p99_us = line->p99_us;
    while (feed_line_cut_fault(&rest, &code, &count)) {
        for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++) {
            if (span_is(code, bot_outcome_name((enum bot_outcome)i)))
                score->faults[i] = (unsigned long)count;
        }
    }
    running->scored++;
}

static void take_progress(struct running_job *running, const struct feed_line *line)
{
    ledger_set_progress(running->queue->ledger, running->job->number, (unsigned long)line->decided,
                        (unsigned long)line->matches);
    pace_note(&running->pace, clock_now_us(), (unsigned long)line->decided);
    if (running->pace.match_us > 0)
        running->queue->match_us = running->pace.match_us;
}

/* A job that waits is likely to take as long per match as the last one. */
int64_t queue_left_s(const struct queue *queue, const struct job *job)
{
    const struct running_job *running = queue->running;
    unsigned long matches = job->matches > job->decided ? job->matches - job->decided : 0;
    int64_t spent_us;

    if (job_is_over(job->state))
        return 0;
    while (running != NULL && running->job != job)
        running = running->next;
    if (job->matches == 0 || running == NULL || running->pace.match_us == 0)
        return job->matches == 0 ? -1 : pace_seconds(queue->match_us, matches, 0);
    spent_us = clock_now_us() - running->pace.from_us -
               running->pace.match_us * (int64_t)(job->decided - running->pace.from);
    return pace_seconds(running->pace.match_us, matches, spent_us);
}

/* It is ready with what it played on a slot that it has lost. */
static void leave_slot(struct running_job *running, long slot)
{
    if (slot >= (long)running->queue->setup.slots || running->uses[slot] != SLOT_LEFT)
        return;
    running->uses[slot] = SLOT_FOREIGN;
    queue_wake(running->queue);
}

static void count_disk(struct running_job *running, int64_t bytes)
{
    struct queue *queue = running->queue;
    struct request_error error;

    ledger_set_bytes(queue->ledger, running->job->number, bytes);
    if (!running->job->is_official && caps_check_disk(queue, running->job->user, 0, &error) != 0)
        running_job_refuse(running, error.message);
}

/* It has decided a block: now it is the turn of others. */
static void end_turns(struct running_job *running)
{
    struct queue *queue = running->queue;

    for (unsigned i = 0; i < queue->setup.slots; i++) {
        if (queue->slots[i].running == running)
            queue->slots[i].is_decided = true;
    }
    queue_wake(queue);
}

static void on_line(void *context, const char *text)
{
    struct running_job *running = context;
    struct feed_line line;

    if (feed_line_read(&line, span_of(text)) != 0)
        return;
    line.job = running->job->number;
    if (line.kind == FEED_LINE_BEGIN || line.kind == FEED_LINE_BLOCK)
        take_progress(running, &line);
    if (line.kind == FEED_LINE_IDLE)
        leave_slot(running, line.worker);
    else if (line.kind == FEED_LINE_DISK)
        count_disk(running, line.bytes);
    else if (line.kind == FEED_LINE_BOT)
        take_bot(running, &line);
    else if (line.kind == FEED_LINE_END)
        snprintf(running->end, sizeof running->end, "%.*s", (int)line.state.length,
                 line.state.start);
    if (feed_line_is_public(line.kind))
        broadcast_send(running->queue->broadcast, &line);
    if (line.kind == FEED_LINE_BLOCK)
        end_turns(running);
}

static void on_end(void *context, int status)
{
    struct running_job *running = context;

    queue_end_running(running->queue, running, status);
}

/* Starting. */

/* What counts is the ledger; this file is written each time. */
static int write_config(const struct queue *queue, const struct job *job, const char *path)
{
    char *config = job_config_make(queue, job);
    FILE *file = config != NULL ? fopen(path, "we") : NULL;
    int result = -1;

    if (file != NULL) {
        result = fputs(config, file) >= 0 ? 0 : -1;
        if (fclose(file) != 0)
            result = -1;
    }
    free(config);
    return result;
}

/* What has changed since the job began, as arguments: texts are in `values`. Returns how many there
 * are. */
static unsigned add_changes(const struct running_job *running, const char **argv,
                            char (*values)[REPLAY_BYTES])
{
    const struct queue *queue = running->queue;
    const struct job *job = running->job;
    unsigned count = 0;

    if (job_config_is_changed(queue, job))
        argv[count++] = "--accept-changes";
    for (unsigned i = 0; i < job->bot_count; i++) {
        if (job->bots[i].replays == 0 || job_config_is_out(queue, job, i))
            continue;
        snprintf(*values, sizeof *values, "%s=%u", ledger_player(queue->ledger, job, i),
                 job->bots[i].replays);
        argv[count++] = "--replay-bot";
        argv[count++] = *values++;
    }
    return count;
}

/* Workers of other machines play beside the slots: they take nothing from other jobs here. */
static unsigned add_servers(const struct queue_setup *setup, const char **argv)
{
    unsigned count = 0;

    for (unsigned i = 0; setup->gearman != NULL && setup->gearman[i] != NULL; i++) {
        argv[count++] = "--gearman";
        argv[count++] = setup->gearman[i];
    }
    if (count > 0) {
        argv[count++] = "--key-file";
        argv[count++] = setup->key_file;
    }
    return count;
}

static int start_child(struct running_job *running, const char *config)
{
    struct queue *queue = running->queue;
    char workers[16];
    const struct settings *settings = queue->setup.settings;
    char build_seconds[24], build_memory[24], tables[24];
    char *builds = directory_join(queue->folder, QUEUE_BUILDS);
    char *messages = queue_job_path(queue, running->job->number, "messages");
    char replays[QUEUE_REPLAYED_MAX][REPLAY_BYTES];
    unsigned changes;
    /* clang-format off */
    const char *argv[ARGUMENTS_MAX + 2 * QUEUE_REPLAYED_MAX] = {
        queue->setup.program, "tournament", "--feed", "--workers", workers, "--builds", builds,
        "--build-seconds", build_seconds, "--build-memory-mb", build_memory, "--most-tables",
        tables, "--steered"};
    const unsigned fixed = 14;
    /* clang-format on */
    struct child_setup setup = {
        .argv = argv,
        .stderr_path = messages,
        .on_line = on_line,
        .on_end = on_end,
        .context = running,
    };

    snprintf(workers, sizeof workers, "%u", queue->setup.slots);
    snprintf(build_seconds, sizeof build_seconds, "%ld", settings->build_seconds);
    snprintf(build_memory, sizeof build_memory, "%ld", settings->build_memory_mb);
    snprintf(tables, sizeof tables, "%ld",
             running->job->is_official ? TABLES_MAX : settings->tables);
    changes = add_changes(running, argv + fixed, replays);
    changes += add_servers(&queue->setup, argv + fixed + changes);
    argv[fixed + changes] = config;
    running->replays = job_config_replays(running->job);
    running->child = child_start(queue->setup.base, &setup);
    free(messages);
    free(builds);
    return running->child != NULL ? 0 : -1;
}

static void on_impatience(evutil_socket_t fd, short what, void *context)
{
    struct running_job *running = context;

    (void)fd;
    (void)what;
    running_job_stop(running, true);
}

struct running_job *running_job_start(struct queue *queue, const struct job *job,
                                      struct request_error *error)
{
    struct running_job *running = xcalloc(1, sizeof *running);
    char *folder = queue_job_path(queue, job->number, "");
    char *config = queue_job_path(queue, job->number, "config.json");

    running->queue = queue;
    running->job = job;
    running->uses = xcalloc(queue->setup.slots, sizeof *running->uses);
    running->scores = xcalloc(job->bot_count, sizeof *running->scores);
    running->on_impatience = evtimer_new(queue->setup.base, on_impatience, running);
    if (directory_make(folder) != 0 || write_config(queue, job, config) != 0)
        (void)queue_error_disk(error, config);
    else if (start_child(running, config) != 0)
        (void)queue_error_disk(error, "no process could be started");
    free(config);
    free(folder);
    if (running->child != NULL)
        return running;
    running_job_free(running);
    return NULL;
}

void running_job_free(struct running_job *running)
{
    if (running == NULL)
        return;
    child_free(running->child);
    if (running->on_impatience != NULL)
        event_free(running->on_impatience);
    free(running->uses);
    free(running->scores);
    free(running);
}

/* A process that does not read now, because it builds a bot, is told later. */
void running_job_tell(struct running_job *running)
{
    char line[CHILD_LINE_MAX];
    struct text text;

    if (running->is_told)
        return;
    text_start(&text, line, sizeof line);
    text_add(&text, "slots");
    for (unsigned i = 0; i < running->queue->setup.slots; i++) {
        if (running->uses[i] == SLOT_HELD)
            text_printf(&text, " %u", i);
    }
    text_add_char(&text, '\n');
    running->is_told = child_send(running->child, (struct span){line, text.length}) == 0;
}

void running_job_refuse(struct running_job *running, const char *why)
{
    if (running->refusal[0] != '\0')
        return;
    snprintf(running->refusal, sizeof running->refusal, "%.299s", why);
    running_job_stop(running, true);
}

/* Once: it finishes its matches. Twice: it stops at once. Three times: it is killed. */
static void stop_harder(struct running_job *running)
{
    static void (*const ways[])(struct child * child) = {child_stop, child_stop_now, child_kill};

    ways[running->stops < ARRAY_LEN(ways) ? running->stops : ARRAY_LEN(ways) - 1](running->child);
    running->stops++;
}

void running_job_stop(struct running_job *running, bool is_urgent)
{
    struct timeval patience = {.tv_sec = PATIENCE_S};

    stop_harder(running);
    if (!is_urgent)
        return;
    if (running->stops < 2)
        stop_harder(running);
    (void)event_add(running->on_impatience, &patience);
}
