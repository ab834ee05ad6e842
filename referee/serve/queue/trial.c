/* Every version of a bot that runs here is tried: it is built and greeted, then checked, each by a
 * process of its own, so that the loop never waits. What is to be tried is what the ledger says was
 * not: so after a crash it is done again. A process that dies says nothing about the bot; it is
 * started again, a few times.
 *
 * Somebody waits for a build and a hello, so these come first, several at once but one per user;
 * the user whose last one is longest ago is next. One that takes longer than anybody waits for its
 * reply makes room for another, so that a few users with endless builds do not hold up all others.
 * Checks follow, one at a time. All that is played
 * meanwhile has the fair clock, so that a trial takes no slot. */

#include "base/clock.h"
#include "base/directory.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/queue/ledger_describe.h"
#include "serve/queue/queue_private.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define START_MS 10000 /* to say hello, as in a tournament without `start_ms` */
#define DEATHS_MAX 3   /* of the processes for one version */
#define GRACE_S 60     /* for what a process does besides what has a limit */
#define AT_ONCE_MIN 2
#define AT_ONCE_MAX 32 /* with those that take long */
#define FOLDER "trials"
#define ARGUMENTS_MAX 30

struct trial {
    struct queue *queue;
    unsigned place; /* of the version in the ledger */
    bool is_check;
    bool is_long; /* it does not count any more for how many there may be at once */
    struct child *child;
    enum trial_result results[TRIAL_STEP_COUNT];
    struct event *on_overdue;
    struct trial *next;
};

/* The end of a trial. */

static void trial_free(struct trial *trial)
{
    struct trial **link = &trial->queue->trials;

    while (*link != trial)
        link = &(*link)->next;
    *link = trial->next;
    child_free(trial->child);
    if (trial->on_overdue != NULL)
        event_free(trial->on_overdue);
    free(trial);
}

static void on_line(void *context, const char *text)
{
    struct trial *trial = context;
    struct span rest = span_of(text);
    struct span step = span_cut_word(&rest), result = span_cut_word(&rest);
    long bytes;

    /* It is the rest of the line, and the name of a folder. */
    if (span_is(step, "source") && result.length == QUEUE_HASH_LENGTH &&
        strspn(result.start, "0123456789abcdef") == QUEUE_HASH_LENGTH)
        ledger_set_source(trial->queue->ledger, trial->place, result.start);
    if (span_is(step, "bytes") && span_read_number(result, 0, LONG_MAX, &bytes) == 0)
        ledger_set_build_bytes(trial->queue->ledger, trial->place, bytes);
    for (unsigned i = 0; i < TRIAL_STEP_COUNT; i++) {
        for (unsigned j = TRIAL_NONE; j <= TRIAL_FAILED; j++) {
            if (span_is(step, trial_step_name((enum trial_step)i)) &&
                span_is(result, trial_result_name((enum trial_result)j)))
                trial->results[i] = (enum trial_result)j;
        }
    }
}

static bool is_decided(const struct trial *trial)
{
    if (trial->is_check)
        return trial->results[TRIAL_CHECK] != TRIAL_WAITING;
    return trial->results[TRIAL_HELLO] != TRIAL_WAITING ||
           trial->results[TRIAL_BUILD] == TRIAL_FAILED;
}

/* Writes down what is known now, and tells everybody. */
static void decide(struct trial *trial)
{
    struct queue *queue = trial->queue;
    const enum trial_result *results = trial->results;
    const struct ledger_bot *bot = ledger_bot(queue->ledger, trial->place);
    char line[100];
    struct text text;

    if (trial->is_check)
        ledger_end_check(queue->ledger, trial->place, results[TRIAL_CHECK]);
    else if (results[TRIAL_BUILD] == TRIAL_FAILED)
        ledger_end_trial(queue->ledger, trial->place, TRIAL_FAILED, TRIAL_NONE);
    else
        ledger_end_trial(queue->ledger, trial->place, results[TRIAL_BUILD], results[TRIAL_HELLO]);
    queue_write_ledger(queue);
    text_start(&text, line, sizeof line);
    ledger_describe_trial(&text, bot);
    broadcast_send(queue->broadcast, &(struct feed_line){.kind = FEED_LINE_TRIAL,
                                                         .name = span_of(bot->name),
                                                         .version = bot->version,
                                                         .text = span_of(line)});
    if (!trial->is_check)
        queue_end_waits(queue, trial->place, false);
}

static void on_end(void *context, int status)
{
    struct trial *trial = context;
    struct queue *queue = trial->queue;
    bool is_good = status == 0 && is_decided(trial);
    bool is_removed;

    if (!is_good && ledger_count_trial_death(queue->ledger, trial->place) < DEATHS_MAX) {
        queue_retry_later(queue);
    } else {
        for (unsigned i = 0; i < TRIAL_STEP_COUNT && !is_good; i++)
            trial->results[i] = TRIAL_UNKNOWN;
        decide(trial);
    }
    is_removed = ledger_bot(queue->ledger, trial->place)->is_removed;
    trial_free(trial);
    if (is_removed)
        queue_sweep_removed(queue);
    queue_start_trials(queue);
}

static long limit_s(const struct trial *trial)
{
    const struct settings *settings = trial->queue->setup.settings;

    return GRACE_S +
           (trial->is_check ? settings->check_seconds : settings->build_seconds + START_MS / 1000);
}

/* First it makes room, then it is killed. */
static void on_overdue(evutil_socket_t fd, short what, void *context)
{
    struct trial *trial = context;
    struct timeval limit = {.tv_sec = limit_s(trial)};

    (void)fd;
    (void)what;
    if (trial->is_long) {
        child_kill(trial->child);
        return;
    }
    trial->is_long = true;
    (void)event_add(trial->on_overdue, &limit);
    queue_start_trials(trial->queue);
}

/* The start of a trial. */

/* FOLDER/trials/NAME/VERSION, or a file in it. Free it. */
static char *path_of(const struct queue *queue, const struct ledger_bot *bot, const char *name)
{
    size_t size = strlen(queue->folder) + sizeof FOLDER + CONFIG_NAME_MAX + strlen(name) + 24;
    char *path = xcalloc(size, 1);

    snprintf(path, size, "%s/" FOLDER "/%s/%u%s%s", queue->folder, bot->name, bot->version,
             name[0] != '\0' ? "/" : "", name);
    return path;
}

struct arguments {
    const char *argv[ARGUMENTS_MAX];
    unsigned count;
    char numbers[6][24];
    unsigned number_count;
};

static void add(struct arguments *arguments, const char *option, const char *value)
{
    if (value == NULL)
        return;
    arguments->argv[arguments->count++] = option;
    arguments->argv[arguments->count++] = value;
}

static void add_number(struct arguments *arguments, const char *option, long value)
{
    char *number = arguments->numbers[arguments->number_count++];

    snprintf(number, sizeof arguments->numbers[0], "%ld", value);
    add(arguments, option, number);
}

static int start_child(struct trial *trial, const char *folder, const char *source)
{
    struct queue *queue = trial->queue;
    const struct settings *settings = queue->setup.settings;
    const struct ledger_bot *bot = ledger_bot(queue->ledger, trial->place);
    char *builds = directory_join(queue->folder, QUEUE_BUILDS);
    char *messages = path_of(queue, bot, "messages");
    struct arguments arguments = {.argv = {queue->setup.program, "trial"}, .count = 2};
    struct child_setup setup = {.argv = arguments.argv,
                                .stderr_path = messages,
                                .on_line = on_line,
                                .on_end = on_end,
                                .context = trial};

    add(&arguments, "--contain", sandbox_level_name(queue->setup.level));
    add(&arguments, "--builds", builds);
    add(&arguments, "--build", bot->build);
    add(&arguments, "--folder", source);
    add_number(&arguments, "--build-seconds", settings->build_seconds);
    add_number(&arguments, "--build-memory-mb", settings->build_memory_mb);
    add_number(&arguments, "--build-kb", caps_build_kb(queue, bot->user));
    add_number(&arguments, "--memory-mb", bot->memory_mb);
    add_number(&arguments, "--start-ms", START_MS);
    if (trial->is_check)
        add_number(&arguments, "--check-seconds", settings->check_seconds);
    add(&arguments, "--", folder);
    add(&arguments, bot->name, bot->command);
    trial->child = child_start(queue->setup.base, &setup);
    free(messages);
    free(builds);
    return trial->child != NULL ? 0 : -1;
}

/* Returns 0, or -1 if that is not possible now. */
static int start(struct queue *queue, unsigned place, bool is_check)
{
    const struct ledger_bot *bot = ledger_bot(queue->ledger, place);
    char *folder = path_of(queue, bot, "");
    char *source = bot->is_upload ? directory_join(queue->folder, bot->folder)
                                  : (bot->folder != NULL ? xstrdup(bot->folder) : NULL);
    struct trial *trial = xcalloc(1, sizeof *trial);
    long ms = queue->setup.settings->submit_ms;
    struct timeval limit = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    int result;

    *trial =
        (struct trial){.queue = queue, .place = place, .is_check = is_check, .next = queue->trials};
    queue->trials = trial;
    trial->on_overdue = evtimer_new(queue->setup.base, on_overdue, trial);
    share_of(queue, bot->user)->tried_us = clock_now_us();
    result = directory_make_unsynced(folder) == 0 ? start_child(trial, folder, source) : -1;
    if (result == 0) {
        (void)event_add(trial->on_overdue, &limit);
    } else {
        message_say("%s@%u cannot be tried now: %s", bot->name, bot->version, strerror(errno));
        trial_free(trial);
        queue_retry_later(queue);
    }
    free(source);
    free(folder);
    return result;
}

/* Which one is next. */

static bool is_running(const struct queue *queue, unsigned place, const char *user)
{
    for (const struct trial *trial = queue->trials; trial != NULL; trial = trial->next) {
        if (trial->place == place ||
            (!trial->is_check && ledger_bot(queue->ledger, trial->place)->user == user))
            return true;
    }
    return false;
}

/* Whether another version may be built and greeted now. */
static bool has_room(const struct queue *queue)
{
    unsigned most = queue->setup.slots > AT_ONCE_MIN ? queue->setup.slots : AT_ONCE_MIN;
    unsigned count = 0, all = 0;

    for (const struct trial *trial = queue->trials; trial != NULL; trial = trial->next) {
        count += !trial->is_check && !trial->is_long;
        all++;
    }
    return count < most && all < AT_ONCE_MAX;
}

/* Whether nothing is tried but what takes long. */
static bool is_quiet(const struct queue *queue)
{
    for (const struct trial *trial = queue->trials; trial != NULL; trial = trial->next) {
        if (trial->is_check || !trial->is_long)
            return false;
    }
    return true;
}

/* The oldest version that waits for that step, of the user who has waited longest. Returns -1 if
 * there is none. */
static int find_next(struct queue *queue, enum trial_step step)
{
    int64_t best_us = INT64_MAX;
    int best = -1;

    for (unsigned i = queue->tried; i < ledger_bot_count(queue->ledger); i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, i);

        if (bot->is_removed || bot->trial[step] != TRIAL_WAITING ||
            (step == TRIAL_CHECK && bot->trial[TRIAL_HELLO] != TRIAL_OK) ||
            is_running(queue, i, step == TRIAL_CHECK ? NULL : bot->user) ||
            share_of(queue, bot->user)->tried_us >= best_us)
            continue;
        best_us = share_of(queue, bot->user)->tried_us;
        best = (int)i;
    }
    return best;
}

/* All versions before `tried` are done with: there are many, and nobody looks at them again. */
static void skip_done(struct queue *queue)
{
    const struct ledger_bot *bot = ledger_bot(queue->ledger, queue->tried);

    while (bot != NULL &&
           (bot->is_removed || (trial_is_over(bot) && bot->trial[TRIAL_CHECK] != TRIAL_WAITING)))
        bot = ledger_bot(queue->ledger, ++queue->tried);
}

void queue_start_trials(struct queue *queue)
{
    int place = 0;

    if (queue->is_draining || !queue->setup.tries_bots)
        return;
    skip_done(queue);
    while (has_room(queue) && (place = find_next(queue, TRIAL_HELLO)) >= 0) {
        if (start(queue, (unsigned)place, false) != 0)
            return;
    }
    if (place >= 0 || !is_quiet(queue) || queue->setup.settings->check_seconds == 0)
        return;
    place = find_next(queue, TRIAL_CHECK);
    if (place >= 0)
        (void)start(queue, (unsigned)place, true);
}

bool queue_is_trying(const struct queue *queue, unsigned place)
{
    const struct trial *trial = queue->trials;

    while (trial != NULL && trial->place != place)
        trial = trial->next;
    return trial != NULL;
}

void queue_stop_trials(struct queue *queue)
{
    while (queue->trials != NULL)
        trial_free(queue->trials);
    queue_end_waits(queue, 0, true);
}

void queue_stop_removed_trials(struct queue *queue)
{
    for (struct trial *trial = queue->trials; trial != NULL; trial = trial->next) {
        if (ledger_bot(queue->ledger, trial->place)->is_removed)
            child_kill(trial->child);
    }
}

/* What is for the author. */

int queue_open_trial(const struct queue *queue, const struct caller *caller, const char *name,
                     enum trial_step step, size_t *length, struct request_error *error)
{
    int place = ledger_find_bot(queue->ledger, name);
    const struct ledger_bot *bot =
        ledger_bot(queue->ledger, place >= 0 ? (unsigned)place : UINT_MAX);
    struct stat status;
    char *path;
    int fd = -1;

    if (bot == NULL || bot->is_removed)
        return request_error_set(error, REQUEST_ERROR_NO_BOT, "there is no bot %.40s", name);
    if (!queue_may_see_bot(caller, bot))
        return request_error_set(error, REQUEST_ERROR_FORBIDDEN,
                                 "the output of a bot is only for its author");
    path = path_of(queue, bot, trial_step_name(step));
    if (bot->trial[step] == TRIAL_OK || bot->trial[step] == TRIAL_FAILED)
        fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    free(path);
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        *length = (size_t)status.st_size;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return request_error_set(error, REQUEST_ERROR_NO_LOG, "%s@%u: %s is %s", bot->name,
                             bot->version, trial_step_name(step),
                             trial_result_name(bot->trial[step]));
}
