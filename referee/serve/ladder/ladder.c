/* All ladders look at the ledger whenever something has happened that may concern them: a job is
 * over, a bot was submitted, a rating has ended, a deadline has passed. A look takes the results of
 * tables that are over, has the ratings made again if they are stale, and submits what is next. It
 * may come at any time and any number of times: everything it does follows from what is on the
 * disk. */

#include "serve/ladder/ladder.h"

#include "base/clock.h"
#include "base/directory.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/ladder/ladder_private.h"

#include <errno.h>
#include <event2/event.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define FOLDER "ladders"
#define RESTS 4   /* after a rating, times as long as it took: it may use a fifth of a core */
#define WAIT_S 30 /* at most, until deadlines are looked at again */

const char *const ladder_state_names[LADDER_STATE_COUNT] = {
    [LADDER_OPEN] = "open", [LADDER_PLAYING] = "final", [LADDER_OVER] = "over"};

static void look_soon(struct ladders *ladders)
{
    struct timeval at_once = {0};

    (void)event_add(ladders->on_change, &at_once);
}

/* Rating. */

static void add_luck(struct ladder *ladder, const struct ladder_luck *luck)
{
    ladder->fresh_lucks = xrealloc(ladder->fresh_lucks,
                                   (ladder->fresh_luck_count + 1U) * sizeof *ladder->fresh_lucks);
    ladder->fresh_lucks[ladder->fresh_luck_count++] = *luck;
}

static void on_rating(void *context, const char *line)
{
    struct ladder *ladder = context;
    struct ladder_rating rating;
    struct ladder_luck luck;

    if (ladder_luck_read(&luck, line) == 0)
        add_luck(ladder, &luck);
    if (ladder_rating_read(&rating, line) != 0)
        return;
    ladder->fresh = xrealloc(ladder->fresh, (ladder->fresh_count + 1U) * sizeof *ladder->fresh);
    ladder->fresh[ladder->fresh_count++] = rating;
}

static void note_history(struct ladder *ladder)
{
    for (unsigned i = 0; i < ladder_active_count(ladder); i++)
        ladder_history_note(ladder->history, &ladder->rows[i].rating, ladder->rows[i].deals,
                            time(NULL));
    if (ladder_history_write(ladder->history) != 0)
        message_say("ladder %s: its history cannot be written: %s", ladder->file->name,
                    strerror(errno));
}

static void replace_ratings(struct ladder *ladder)
{
    free(ladder->ratings);
    free(ladder->lucks);
    ladder->ratings = ladder->fresh;
    ladder->rating_count = ladder->fresh_count;
    ladder->lucks = ladder->fresh_lucks;
    ladder->luck_count = ladder->fresh_luck_count;
    ladder->fresh = NULL;
    ladder->fresh_lucks = NULL;
}

/* The last ratings stay if there are no new ones. */
static void on_rated(void *context, int status)
{
    struct ladder *ladder = context;
    struct feed_line event = {.kind = FEED_LINE_LADDER, .name = span_of(ladder->file->name)};

    child_free(ladder->child);
    ladder->child = NULL;
    ladder->rest_until_us = clock_now_us() + RESTS * (clock_now_us() - ladder->began_us);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        replace_ratings(ladder);
        (void)ladder_make_rows(ladder);
        note_history(ladder);
        broadcast_send(queue_broadcast(ladder->all->setup.queue), &event);
    } else {
        message_say("ladder %s: its ratings could not be made", ladder->file->name);
    }
    ladder->fresh_count = ladder->fresh_luck_count = 0;
    look_soon(ladder->all);
}

static char *path_of(const struct ladder *ladder, const char *ending)
{
    char name[CONFIG_NAME_MAX + 40];

    snprintf(name, sizeof name, FOLDER "/%s%s", ladder->file->name, ending);
    return directory_join(queue_folder(ladder->all->setup.queue), name);
}

/* The arguments are the file and the active versions. */
static void start_rating(struct ladder *ladder)
{
    const struct ledger *ledger = queue_ledger(ladder->all->setup.queue);
    unsigned count = ladder_active_count(ladder);
    char(*names)[LADDER_VERSION_MAX] = xcalloc(count + 1U, sizeof *names);
    const char **argv = xcalloc(count + 4U, sizeof *argv);
    char *path = path_of(ladder, ".ndjson");
    char *messages = path_of(ladder, ".messages");
    struct child_setup setup = {
        .argv = argv,
        .stderr_path = messages,
        .on_line = on_rating,
        .on_end = on_rated,
        .context = ladder,
    };

    argv[0] = ladder->all->setup.program;
    argv[1] = "ladder-rate";
    argv[2] = path;
    for (unsigned i = 0; i < count; i++) {
        ladder_name_version(ledger, ladder->rows[i].place, names[i]);
        argv[3 + i] = names[i];
    }
    ladder->began_us = clock_now_us();
    ladder->child = child_start(ladder->all->setup.base, &setup);
    ladder->is_stale = ladder->child == NULL;
    if (ladder->child == NULL)
        message_say("ladder %s: its ratings could not be made: %s", ladder->file->name,
                    strerror(errno));
    free(messages);
    free(path);
    free((void *)argv);
    free(names);
}

/* If it is not time yet, it is looked at again later. */
static void rate_if_stale(struct ladder *ladder)
{
    int64_t wait_us = ladder->rest_until_us - clock_now_us();
    struct timeval wait = {.tv_sec = wait_us / 1000000, .tv_usec = wait_us % 1000000};

    if (!ladder->is_stale || ladder->child != NULL || ladder_match_count(ladder) == 0)
        return;
    if (wait_us <= 0)
        start_rating(ladder);
    else if (!evtimer_pending(ladder->on_rested, NULL))
        (void)event_add(ladder->on_rested, &wait);
}

static void on_rested(evutil_socket_t fd, short what, void *context)
{
    struct ladder *ladder = context;

    (void)fd;
    (void)what;
    rate_if_stale(ladder);
}

/* Looking. */

static void look(struct ladder *ladder)
{
    bool has_results = ladder_take_results(ladder);
    bool has_changed = ladder_make_rows(ladder);
    struct feed_line event = {.kind = FEED_LINE_LADDER, .name = span_of(ladder->file->name)};

    ladder->is_stale = ladder->is_stale || has_results || has_changed;
    if (has_changed)
        broadcast_send(queue_broadcast(ladder->all->setup.queue), &event);
    rate_if_stale(ladder);
    ladder_submit(ladder);
}

static void on_change(evutil_socket_t fd, short what, void *context)
{
    struct ladders *ladders = context;

    (void)fd;
    (void)what;
    for (unsigned i = 0; i < ladders->count; i++)
        look(ladders->list[i]);
}

static void on_event(void *context, const char *line)
{
    struct feed_line event;

    if (feed_line_read_event(&event, span_of(line)) == 0 &&
        (event.kind == FEED_LINE_OVER || event.kind == FEED_LINE_TRIAL ||
         event.kind == FEED_LINE_MARKED))
        look_soon(context);
}

/* The clock may be set, so the time is never waited for as a whole. */
static void on_time(evutil_socket_t fd, short what, void *context)
{
    struct ladders *ladders = context;
    int64_t wait_s = WAIT_S;
    struct timeval wait = {0};

    (void)fd;
    (void)what;
    for (unsigned i = 0; i < ladders->count; i++) {
        const struct ladder_file *file = ladders->list[i]->file;
        int64_t left_s = file->has_deadline ? file->deadline_s - time(NULL) : WAIT_S;

        if (left_s > 0 && left_s < wait_s)
            wait_s = left_s;
    }
    wait.tv_sec = wait_s;
    (void)event_add(ladders->on_time, &wait);
    look_soon(ladders);
}

/* Files. */

struct first_problem {
    struct text *text;
    const char *path;
};

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    struct first_problem *first = context;

    if (first->text->length > 0)
        return;
    if (line > 0)
        text_printf(first->text, "%s:%u:%u: %s", first->path, line, column, sentence);
    else
        text_printf(first->text, "%s: %s", first->path, sentence);
}

static struct ladder_file *load(const char *path, struct text *problem)
{
    struct first_problem first = {problem, path};

    return ladder_file_load(path, on_problem, &first);
}

static void ladder_free(struct ladder *ladder)
{
    child_free(ladder->child);
    event_free(ladder->on_rested);
    ladder_results_free(ladder->results);
    ladder_history_free(ladder->history);
    ladder_file_free(ladder->file);
    free(ladder->user);
    free(ladder->rows);
    free(ladder->ratings);
    free(ladder->fresh);
    free(ladder->lucks);
    free(ladder->fresh_lucks);
    free(ladder);
}

/* Whether the ledger has the job of a table as the table has it. */
static bool is_in_ledger(void *context, const struct ladder_table *table)
{
    const struct ladder *ladder = context;
    const struct ledger *ledger = queue_ledger(ladder->all->setup.queue);
    const struct job *job = ledger_job(ledger, table->job);

    if (job == NULL || strcmp(job->user, ladder->user) != 0 ||
        job->bot_count != table->version_count)
        return false;
    for (unsigned i = 0; i < job->bot_count; i++) {
        const char *version = ladder_results_version(ladder->results, table->versions[i]);

        if (job->bots[i].place == LEDGER_NO_BOT ||
            ledger_find_bot(ledger, version) != (int)job->bots[i].place)
            return false;
    }
    return true;
}

static int open_results(struct ladder *ladder, struct text *problem)
{
    char *folder = directory_join(queue_folder(ladder->all->setup.queue), FOLDER);
    char *path = path_of(ladder, ".ndjson");
    char *history = path_of(ladder, ".history");
    int result = directory_make(folder);

    if (result != 0) {
        text_printf(problem, "%s: %s", folder, strerror(errno));
    } else {
        ladder->results = ladder_results_open(
            path, ladder->all->setup.is_salvage ? JOURNAL_SALVAGE : JOURNAL_WRITE, problem);
        result = ladder->results != NULL ? 0 : -1;
    }
    if (result == 0 && ladder_results_filter(ladder->results, is_in_ledger, ladder) != 0) {
        text_printf(problem, "%s: %s", path, journal_error(errno));
        result = -1;
    }
    ladder->history = ladder_history_open(history);
    free(history);
    free(path);
    free(folder);
    return result;
}

static int add_ladder(struct ladders *ladders, const char *path, struct text *problem)
{
    struct ladder_file *file = load(path, problem);
    struct ladder *ladder;
    size_t size;

    if (file == NULL)
        return -1;
    if (ladders_find(ladders, file->name) != NULL) {
        text_printf(problem, "%s: there are two ladders of the name %s", path, file->name);
        ladder_file_free(file);
        return -1;
    }
    ladder = xcalloc(1, sizeof *ladder);
    ladder->all = ladders;
    ladder->file = file;
    size = sizeof LEDGER_LADDER + strlen(file->name);
    ladder->user = xcalloc(size, 1);
    snprintf(ladder->user, size, LEDGER_LADDER "%s", file->name);
    ladder->is_stale = true;
    ladder->on_rested = evtimer_new(ladders->setup.base, on_rested, ladder);
    ladders->list[ladders->count++] = ladder;
    return open_results(ladder, problem);
}

struct ladders *ladders_new(const struct ladders_setup *setup, struct text *problem)
{
    struct ladders *ladders = xcalloc(1, sizeof *ladders);

    ladders->setup = *setup;
    ladders->on_change = evtimer_new(setup->base, on_change, ladders);
    ladders->on_time = evtimer_new(setup->base, on_time, ladders);
    for (const char *const *file = setup->files; *file != NULL; file++) {
        if (add_ladder(ladders, *file, problem) != 0) {
            ladders_free(ladders);
            return NULL;
        }
    }
    ladders->watcher = broadcast_listen(queue_broadcast(setup->queue), on_event, ladders);
    on_time(-1, 0, ladders);
    return ladders;
}

void ladders_free(struct ladders *ladders)
{
    if (ladders == NULL)
        return;
    broadcast_leave(ladders->watcher);
    for (unsigned i = 0; i < ladders->count; i++)
        ladder_free(ladders->list[i]);
    event_free(ladders->on_change);
    event_free(ladders->on_time);
    free(ladders);
}

int ladders_reload(struct ladders *ladders, struct text *problem)
{
    struct ladder_file *files[LADDERS_MAX] = {NULL};
    int result = 0;

    for (unsigned i = 0; i < ladders->count && result == 0; i++) {
        files[i] = load(ladders->setup.files[i], problem);
        if (files[i] == NULL || strcmp(files[i]->name, ladders->list[i]->file->name) != 0)
            result = -1;
        if (files[i] != NULL && result != 0)
            text_printf(problem, "%s: a ladder keeps its name while the daemon runs",
                        ladders->setup.files[i]);
    }
    for (unsigned i = 0; i < ladders->count; i++) {
        struct ladder_file *old = ladders->list[i]->file;

        if (result == 0)
            ladders->list[i]->file = files[i];
        ladder_file_free(result == 0 ? old : files[i]);
    }
    if (result == 0)
        on_time(-1, 0, ladders);
    return result;
}

unsigned ladders_count(const struct ladders *ladders)
{
    return ladders != NULL ? ladders->count : 0;
}

const struct ladder *ladders_at(const struct ladders *ladders, unsigned index)
{
    return ladders->list[index];
}

const struct ladder *ladders_find(const struct ladders *ladders, const char *name)
{
    for (unsigned i = 0; i < ladders_count(ladders); i++) {
        if (strcmp(ladders->list[i]->file->name, name) == 0)
            return ladders->list[i];
    }
    return NULL;
}

const struct ladder_file *ladder_config(const struct ladder *ladder)
{
    return ladder->file;
}

enum ladder_state ladder_state(const struct ladder *ladder)
{
    const struct job *final =
        ledger_job(queue_ledger(ladder->all->setup.queue), ladder_final(ladder));

    if (!ladder_is_closed(ladder))
        return LADDER_OPEN;
    return final != NULL && !job_is_over(final->state) ? LADDER_PLAYING : LADDER_OVER;
}

unsigned ladder_final(const struct ladder *ladder)
{
    return ladder->final;
}

const struct ladder_row *ladder_rows(const struct ladder *ladder, unsigned *count)
{
    *count = ladder->row_count;
    return ladder->rows;
}

const struct ladder_moment *ladder_moments(const struct ladder *ladder, unsigned *count)
{
    return ladder_history_list(ladder->history, count);
}

unsigned ladder_active_count(const struct ladder *ladder)
{
    unsigned count = 0;

    while (count < ladder->row_count && ladder->rows[count].is_active)
        count++;
    return count;
}

unsigned long ladder_match_count(const struct ladder *ladder)
{
    size_t count;

    (void)ladder_results_list(ladder->results, &count);
    return count;
}
