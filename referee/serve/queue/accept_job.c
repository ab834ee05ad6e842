/* Submitting jobs. A tournament file is read once, here, and kept in the ledger as a complete
 * configuration, which the process that plays it reads. So one write to the ledger makes a job
 * count. */

#include "base/memory.h"
#include "serve/queue/queue_private.h"
#include "base/directory.h"
#include "wire/json_write.h"
#include "wire/request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_MAX 10000 /* jobs of all users */

_Static_assert(REQUEST_CONFIG_MAX == CONFIG_FILE_MAX, "two limits for a tournament file");

int queue_error_disk(struct request_error *error, const char *what)
{
    return request_error_set(error, REQUEST_ERROR_DISK, "%s: %s", what, journal_error(errno));
}

int queue_error_if_ending(const struct queue *queue, struct request_error *error)
{
    if (!queue->is_draining)
        return 0;
    return request_error_set(error, REQUEST_ERROR_ENDING,
                             "the daemon is about to end and accepts nothing more");
}

static char *copy_of(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

void queue_fill_bot(const struct ledger_bot *known, struct config_bot *bot)
{
    bot->command = copy_of(known->command);
    bot->build = copy_of(known->build);
    bot->memory_mb = known->memory_mb;
    bot->remote = known->command == NULL ? xstrdup(QUEUE_FROM_JOB QUEUE_REMOTE_SOCKET) : NULL;
    bot->folder =
        known->is_upload ? directory_join(QUEUE_FROM_JOB, known->folder) : copy_of(known->folder);
}

static int find_bot(void *context, const char *name, struct config_bot *bot, struct text *problem)
{
    const struct queue *queue = context;
    int place = ledger_choose_bot(queue->ledger, name);
    const struct ledger_bot *known = place >= 0 ? ledger_bot(queue->ledger, (unsigned)place) : NULL;

    if (known != NULL && known->is_removed)
        known = NULL;
    if (known == NULL || (known->command == NULL && queue->setup.socket == NULL)) {
        text_add(problem,
                 known == NULL ? "there is no bot " : "remote bots are not allowed here: ");
        text_add_quoted(problem, span_of(name));
        return -1;
    }
    if (known->command == NULL && strchr(name, '@') != NULL) {
        text_add(problem, "a remote bot plays as whatever connects, without a version");
        return -1;
    }
    if (known->is_disqualified) {
        text_printf(problem, "bot %s is disqualified: %s", known->name, known->why);
        return -1;
    }
    queue_fill_bot(known, bot);
    return 0;
}

/* Only the first mistake is reported. */
static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    struct request_error *error = context;

    if (error->code == REQUEST_ERROR_NONE)
        (void)request_error_set(error, REQUEST_ERROR_CONFIG, "line %u, column %u: %s", line, column,
                                sentence);
}

int queue_check_room(const struct queue *queue, const struct caller *caller,
                     struct request_error *error)
{
    if (ledger_waiting(queue->ledger, NULL) >= QUEUE_MAX)
        return request_error_set(error, REQUEST_ERROR_TOO_MANY,
                                 "the queue is full: it has %d jobs, the maximum", QUEUE_MAX);
    return caps_check_room(queue, caller, error);
}

/* No program of strangers runs outside a sandbox, and no stranger names programs or folders of this
 * machine. */
static int check_config(const struct queue *queue, const struct caller *caller,
                        struct config *config, struct request_error *error)
{
    for (unsigned i = 0; i < config->bot_count && !caller->is_owner; i++) {
        if (config->bots[i].source == NULL || config->bots[i].environment[0] != NULL)
            return request_error_set(
                error, REQUEST_ERROR_FORBIDDEN,
                "bot %s: only the owner can name programs of this machine; submit it and "
                "use its name",
                config->bots[i].name);
    }
    if (strcmp(config->sandbox, "none") == 0)
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "contain: the daemon runs no bot at `none`");
    if (strcmp(config->sandbox, "auto") == 0) {
        free(config->sandbox);
        config->sandbox = xstrdup(sandbox_level_name(queue->setup.level));
    }
    return caps_check_job(queue, caller, config, error);
}

/* A folder with the number of the next job is not that job's: its logs would be taken for new
 * ones. */
static int clear_folder(const struct queue *queue, struct request_error *error)
{
    char name[24];

    snprintf(name, sizeof name, "jobs/%u", ledger_job_count(queue->ledger) + 1);
    return queue_set_aside(queue, name) == 0 ? 0 : queue_error_disk(error, name);
}

/* Makes it count, with its config. Returns its number, or -1 with an error. */
static int add_job(struct queue *queue, const struct job *job, struct request_error *error)
{
    unsigned number;

    if (clear_folder(queue, error) != 0)
        return -1;
    number = ledger_add_job(queue->ledger, job);
    if (ledger_write(queue->ledger) != 0) {
        ledger_take_back(queue->ledger);
        return queue_error_disk(error, "the ledger");
    }
    queue_report_state(queue, number);
    queue_wake(queue);
    return (int)number;
}

/* Paths in the config begin at the folder of the job. */
static int keep_job(struct queue *queue, const struct caller *caller, struct config *config,
                    bool is_match, struct request_error *error)
{
    struct json_writer *writer;
    struct job job = {
        .user = caller->user,
        .title = config->name,
        .matches = schedule_expect(&config->schedule),
        .is_match = is_match,
        .is_official = caller_is_organiser(caller),
        .bot_count = config->bot_count,
    };
    size_t length;
    int number;

    writer = json_writer_new(false);
    job.bots = xcalloc(config->bot_count, sizeof *job.bots);
    for (unsigned i = 0; i < config->bot_count; i++) {
        const char *source = config->bots[i].source;

        job.bots[i].name = config->bots[i].name;
        job.bots[i].place =
            source != NULL ? (unsigned)ledger_choose_bot(queue->ledger, source) : LEDGER_NO_BOT;
    }
    free(config->output);
    config->output = xstrdup("store");
    config_write(config, writer);
    job.config = (char *)json_writer_bytes(writer, &length);
    number = add_job(queue, &job, error);
    json_writer_free(writer);
    free(job.bots);
    return number;
}

int queue_submit_job(struct queue *queue, const struct caller *caller, struct span file,
                     bool is_match, struct request_error *error)
{
    struct config_catalogue catalogue = {.find = find_bot, .context = queue};
    struct config *config;
    int result = -1;

    if (queue_error_if_ending(queue, error) != 0 || queue_check_room(queue, caller, error) != 0)
        return -1;
    error->code = REQUEST_ERROR_NONE;
    config = config_read_with(file, "/tournament.json", &catalogue, on_problem, error);
    if (config == NULL)
        return -1;
    if (check_config(queue, caller, config, error) == 0)
        result = keep_job(queue, caller, config, is_match, error);
    config_free(config);
    return result;
}

/* Rerunning. */

static int check_bots(const struct queue *queue, const struct job *job, struct request_error *error)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, job->bots[i].place);

        if (bot != NULL && (bot->is_disqualified || bot->is_removed))
            return request_error_set(error, REQUEST_ERROR_NO_BOT, "bot %s %s", bot->name,
                                     bot->is_removed ? "was removed" : "is disqualified");
    }
    return 0;
}

/* The settings may have become narrower since. */
static int check_caps(const struct queue *queue, const struct caller *caller, const char *text,
                      struct request_error *error)
{
    struct config *config = config_read(text, strlen(text), "/tournament.json", on_problem, error);
    int result = config != NULL ? caps_check_job(queue, caller, config, error) : -1;

    config_free(config);
    return result;
}

int queue_rerun(struct queue *queue, const struct caller *caller, unsigned number,
                struct request_error *error)
{
    const struct job *old = queue_find_job(queue, caller, number, error);
    struct job job;
    int result;

    if (old == NULL || queue_error_if_ending(queue, error) != 0 ||
        queue_check_room(queue, caller, error) != 0 || check_bots(queue, old, error) != 0)
        return -1;
    job = *old;
    job.user = caller->user;
    job.is_official = caller_is_organiser(caller);
    job.is_cancelled = job.is_final = false;
    job.decided = job.deaths = 0;
    job.ended_s = 0;
    job.config = job_config_make(queue, old);
    if (job.config == NULL)
        return queue_error_disk(error, "the ledger");
    error->code = REQUEST_ERROR_NONE;
    result = check_caps(queue, caller, job.config, error) == 0 ? add_job(queue, &job, error) : -1;
    free(job.config);
    return result;
}
