/* An running job is a work that is being played: the file of its tournament is written down for the process
 * that plays it, and what that process tells is noted and passed on to those who watch. */

#include "base/memory.h"
#include "bot/bot.h"
#include "serve/queue/queue_private.h"
#include "base/directory.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a process may take to end that was told to. */
#define PATIENCE_S 10

/* What the process tells. */

static bool read_count(struct span *rest, unsigned long *count)
{
    long number;

    if (span_read_number(span_cut_word(rest), 0, LONG_MAX, &number) != 0)
        return false;
    *count = (unsigned long)number;
    return true;
}

static void take_progress(struct running_job *running, struct span rest)
{
    unsigned long decided;
    unsigned long matches;

    if (read_count(&rest, &decided) && read_count(&rest, &matches))
        ledger_set_progress(running->queue->ledger, running->number, decided, matches);
}

static void take_block(struct running_job *running, struct span rest)
{
    (void)span_cut_word(&rest);
    take_progress(running, rest);
}

static struct ledger_score *score_of(struct running_job *running, struct span name)
{
    for (unsigned i = 0; i < running->config->bot_count; i++) {
        if (span_is(name, running->config->bots[i].name))
            return &running->scores[i];
    }
    return NULL;
}

static void take_fault(struct ledger_score *score, struct span word)
{
    struct span name = span_cut(&word, '=');
    long count;

    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++) {
        if (span_is(name, bot_outcome_name((enum bot_outcome)i)) &&
            span_read_number(word, 0, LONG_MAX, &count) == 0)
            score->faults[i] = (unsigned long)count;
    }
}

static void take_bot(struct running_job *running, struct span rest)
{
    struct ledger_score *score = score_of(running, span_cut_word(&rest));
    unsigned long median_us = 0;
    unsigned long p99_us = 0;

    if (score == NULL || !read_count(&rest, &score->matches) || !read_count(&rest, &score->wins) ||
        !read_count(&rest, &median_us) || !read_count(&rest, &p99_us))
        return;
    score->median_us = (int64_t)median_us;
    score->p99_us = (int64_t)p99_us;
    for (struct span word = span_cut_word(&rest); word.length > 0; word = span_cut_word(&rest))
        take_fault(score, word);
    running->scored++;
}

static void take_end(struct running_job *running, struct span rest)
{
    struct span word = span_cut_word(&rest);

    snprintf(running->end, sizeof running->end, "%.*s", (int)word.length, word.start);
}

/* Lines by their first word; who watches gets those that are not only for us. */
static const struct {
    const char *word;
    void (*take)(struct running_job *running, struct span rest);
    bool is_public;
} lines[] = {
    {"begin", take_progress, true}, {"block", take_block, true}, {"match", NULL, true},
    {"standings", NULL, true},      {"note", NULL, true},        {"bot", take_bot, false},
    {"end", take_end, false},
};

static void on_line(void *context, const char *line)
{
    struct running_job *running = context;
    struct span rest = span_of(line);
    struct span word = span_cut_word(&rest);

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        if (!span_is(word, lines[i].word))
            continue;
        if (lines[i].take != NULL)
            lines[i].take(running, rest);
        if (lines[i].is_public)
            broadcast_send(running->queue->broadcast, running->number, "%s", line);
    }
}

static void on_end(void *context, int status)
{
    struct running_job *running = context;

    queue_end_running(running->queue, running, status);
}

/* The beginning. */

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    struct serve_error *error = context;

    if (error->code == SERVE_ERROR_NONE)
        (void)serve_error_set(error, SERVE_ERROR_CONFIG, "line %u, column %u: %s", line, column,
                              sentence);
}

static void set_text(char **words, char *value)
{
    free(*words);
    *words = value;
}

/* Paths of ours are put in anew: since the work was given, our folder may have moved. */
static void find_paths(struct running_job *running, const struct job *job)
{
    const struct queue *queue = running->queue;

    set_text(&running->config->output, queue_job_path(queue, job->number, "store"));
    for (unsigned i = 0; i < running->config->bot_count && i < job->bot_count; i++) {
        struct config_bot *bot = &running->config->bots[i];
        const struct ledger_bot *known = ledger_bot(queue->ledger, job->bots[i]);

        if (known != NULL && known->is_upload)
            set_text(&bot->folder, directory_join(queue->folder, known->folder));
        if (bot->remote != NULL && queue->setup.socket != NULL)
            set_text(&bot->remote, xstrdup(queue->setup.socket));
    }
}

static int write_config(const struct config *config, const char *path)
{
    struct json_writer *writer = json_writer_new(true);
    FILE *file = fopen(path, "we");
    int result = -1;

    config_write(config, writer);
    if (file != NULL) {
        size_t length;
        const char *bytes = json_writer_bytes(writer, &length);

        result = fwrite(bytes, 1, length, file) == length ? 0 : -1;
        if (fclose(file) != 0)
            result = -1;
    }
    json_writer_free(writer);
    return result;
}

static int prepare(struct running_job *running, const struct job *job, const char *path,
                   struct serve_error *error)
{
    char *folder;
    int result;

    error->code = SERVE_ERROR_NONE;
    running->config = config_read(job->config, strlen(job->config), path, on_problem, error);
    if (running->config == NULL)
        return -1;
    running->scores = xcalloc(running->config->bot_count, sizeof *running->scores);
    find_paths(running, job);
    folder = queue_job_path(running->queue, job->number, "");
    result = directory_make(folder) == 0 && write_config(running->config, path) == 0 ? 0 : -1;
    free(folder);
    return result == 0 ? 0
                       : serve_error_set(error, SERVE_ERROR_DISK, "%s: %s", path, strerror(errno));
}

static int start_run(struct running_job *running, const char *path, struct serve_error *error)
{
    char slots[16];
    char *builds = directory_join(running->queue->folder, "builds");
    const char *argv[] = {running->queue->setup.program,
                          "tournament",
                          "--feed",
                          "--workers",
                          slots,
                          "--builds",
                          builds,
                          path,
                          NULL};
    char *words = queue_job_path(running->queue, running->number, "words");
    struct child_setup setup = {
        .argv = argv,
        .words_path = words,
        .cpu = running->cpu,
        .on_line = on_line,
        .on_end = on_end,
        .context = running,
    };

    snprintf(slots, sizeof slots, "%u", running->slots);
    running->run = child_start(running->queue->setup.base, &setup);
    if (running->run == NULL)
        (void)serve_error_set(error, SERVE_ERROR_DISK, "no process could be started: %s",
                              strerror(errno));
    free(words);
    free(builds);
    return running->run != NULL ? 0 : -1;
}

static void on_impatience(evutil_socket_t fd, short what, void *context)
{
    struct running_job *running = context;

    (void)fd;
    (void)what;
    running_job_stop(running, true);
}

struct running_job *running_job_start(struct queue *queue, const struct job *job, unsigned slots,
                                      int cpu, struct serve_error *error)
{
    struct running_job *running = xcalloc(1, sizeof *running);
    char *path = queue_job_path(queue, job->number, "plan.json");
    int result;

    running->queue = queue;
    running->number = job->number;
    running->is_match = job->is_match;
    running->slots = slots;
    running->cpu = cpu;
    running->on_impatience = evtimer_new(queue->setup.base, on_impatience, running);
    result = prepare(running, job, path, error) == 0 ? start_run(running, path, error) : -1;
    free(path);
    if (result == 0)
        return running;
    running_job_free(running);
    return NULL;
}

void running_job_free(struct running_job *running)
{
    if (running == NULL)
        return;
    child_free(running->run);
    if (running->on_impatience != NULL)
        event_free(running->on_impatience);
    config_free(running->config);
    free(running->scores);
    free(running);
}

/* Once: it finishes its matches. Twice: it stops at once. Three times: it is killed. */
static void stop_more(struct running_job *running)
{
    static void (*const ways[])(struct child * run) = {child_stop, child_stop_now, child_kill};

    ways[running->stops < ARRAY_LEN(ways) ? running->stops : ARRAY_LEN(ways) - 1](running->run);
    running->stops++;
}

void running_job_stop(struct running_job *running, bool is_urgent)
{
    struct timeval patience = {.tv_sec = PATIENCE_S};

    stop_more(running);
    if (!is_urgent)
        return;
    if (running->stops < 2)
        stop_more(running);
    (void)event_add(running->on_impatience, &patience);
}
