/* The ledger has the config of a job as it was submitted. What has become of its bots since is
 * applied each time its process is started. */

#include "base/memory.h"
#include "serve/queue/queue_private.h"
#include "wire/json_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool job_config_is_out(const struct queue *queue, const struct job *job, unsigned player)
{
    const struct ledger_bot *bot = ledger_bot(queue->ledger, job->bots[player].place);

    return bot != NULL && (bot->is_disqualified || bot->is_removed);
}

bool job_config_is_changed(const struct queue *queue, const struct job *job)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, job->bots[i].place);

        if (job_config_is_out(queue, job, i) || (bot != NULL && bot->was_disqualified))
            return true;
    }
    return false;
}

unsigned long job_config_replays(const struct job *job)
{
    unsigned long replays = 0;

    for (unsigned i = 0; i < job->bot_count; i++)
        replays += job->bots[i].replays;
    return replays;
}

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    (void)context;
    (void)line;
    (void)column;
    (void)sentence;
}

static void clear_bot(struct config_bot *bot)
{
    free(bot->command);
    free(bot->remote);
    free(bot->folder);
    free(bot->build);
    bot->command = bot->remote = bot->folder = bot->build = NULL;
}

/* Bots that are out come last, where nobody looks; config_free() frees them. */
static void move_to_end(struct config *config, unsigned index)
{
    struct config_bot bot = config->bots[index];
    unsigned last = config->bot_count - 1;

    memmove(config->bots + index, config->bots + index + 1, (last - index) * sizeof bot);
    config->bots[last] = bot;
    if (config->schedule.hero > index)
        config->schedule.hero--;
}

static char *write_config(struct config *config, unsigned out)
{
    struct json_writer *writer = json_writer_new(false);
    size_t length;
    char *text;

    config->bot_count -= out;
    config->schedule.bots = config->bot_count;
    /* Reading makes it an absolute path; the process looks for it in the folder of the job. */
    free(config->output);
    config->output = xstrdup("store");
    config_write(config, writer);
    text = xstrdup(json_writer_bytes(writer, &length));
    config->bot_count += out;
    json_writer_free(writer);
    return text;
}

/* Reading makes paths absolute, so every bot of the ledger is filled in again, not only those with
 * another version. */
static char *apply_changes(const struct queue *queue, const struct job *job, struct config *config)
{
    unsigned out = 0;

    for (unsigned i = 0; i < job->bot_count && i < config->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, job->bots[i].place);

        if (bot == NULL)
            continue;
        clear_bot(&config->bots[i]);
        queue_fill_bot(bot, &config->bots[i]);
    }
    for (unsigned i = job->bot_count; i-- > 0;) {
        if (i >= config->bot_count || !job_config_is_out(queue, job, i))
            continue;
        move_to_end(config, i);
        out++;
    }
    return write_config(config, out);
}

char *job_config_make(const struct queue *queue, const struct job *job)
{
    char *text = ledger_read_config(queue->ledger, job);
    struct config *config;
    char *changed;

    if (text == NULL || (!job_config_is_changed(queue, job) && job_config_replays(job) == 0))
        return text;
    config = config_read(text, strlen(text), "/tournament.json", on_problem, NULL);
    if (config == NULL) {
        errno = EBADMSG;
        free(text);
        return NULL;
    }
    changed = apply_changes(queue, job, config);
    config_free(config);
    free(text);
    return changed;
}
