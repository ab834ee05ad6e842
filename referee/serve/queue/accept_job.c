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

static int find_bot(void *context, const char *name, struct config_bot *bot, struct text *problem)
{
    const struct queue *queue = context;
    int place = ledger_choose_bot(queue->ledger, name);
    const struct ledger_bot *known = place >= 0 ? ledger_bot(queue->ledger, (unsigned)place) : NULL;

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
    bot->command = copy_of(known->command);
    bot->build = copy_of(known->build);
    bot->memory_mb = known->memory_mb;
    bot->remote = known->command == NULL ? xstrdup(QUEUE_FROM_JOB QUEUE_REMOTE_SOCKET) : NULL;
    bot->folder =
        known->is_upload ? directory_join(QUEUE_FROM_JOB, known->folder) : copy_of(known->folder);
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

/* Makes it count. Paths in it begin at the folder of the job. */
static int keep_job(struct queue *queue, const struct caller *caller, struct config *config,
                    bool is_match, struct request_error *error)
{
    struct json_writer *writer;
    struct job job = {
        .user = caller->user,
        .title = config->name,
        .matches = schedule_expect(&config->schedule),
        .is_match = is_match,
        .is_official = caller->is_owner,
        .bot_count = config->bot_count,
    };
    size_t length;
    unsigned number;

    if (clear_folder(queue, error) != 0)
        return -1;
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
    number = ledger_add_job(queue->ledger, &job);
    json_writer_free(writer);
    free(job.bots);
    if (ledger_write(queue->ledger) != 0) {
        ledger_take_back(queue->ledger);
        return queue_error_disk(error, "the ledger");
    }
    queue_report_state(queue, number);
    queue_wake(queue);
    return (int)number;
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
