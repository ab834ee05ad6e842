/* What others than the owner may ask for (settings.h). A refusal says which key asks for too much
 * and what is allowed, so that nobody has to guess. */

#include "serve/queue/queue_private.h"

#include <string.h>
#include <time.h>

#define DAY_S 86400

static int refuse(struct request_error *error, const char *key, long asked, long most)
{
    return request_error_set(error, REQUEST_ERROR_VALUE,
                             "%s is %ld, and this daemon allows at most %ld", key, asked, most);
}

int caps_check_disk(const struct queue *queue, const char *user, int64_t more_bytes,
                    struct request_error *error)
{
    long most_mb = queue->setup.settings->disk_mb;
    int64_t bytes = ledger_bytes(queue->ledger, user) + more_bytes;

    if (bytes <= (int64_t)most_mb << 20)
        return 0;
    return request_error_set(
        error, REQUEST_ERROR_TOO_MANY,
        "%s would have %lld MB of bots, builds, jobs and logs, and this daemon allows "
        "at most %ld (disk_mb); `prune JOB` deletes logs, `remove BOT` a bot",
        user, (long long)(bytes + (1 << 20) - 1) >> 20, most_mb);
}

long caps_build_kb(const struct queue *queue, const char *user)
{
    int64_t left =
        ((int64_t)queue->setup.settings->disk_mb << 20) - ledger_bytes(queue->ledger, user);

    if (strcmp(user, QUEUE_OWNER) == 0 || (queue->setup.is_organiser != NULL &&
                                           queue->setup.is_organiser(queue->setup.context, user)))
        return 0;
    return left < 1024 ? 1 : (left >> 10 < LONG_MAX ? (long)(left >> 10) : LONG_MAX);
}

int caps_check_bot(const struct queue *queue, const struct caller *caller,
                   const struct new_bot *new, struct request_error *error)
{
    const struct settings *settings = queue->setup.settings;
    unsigned count = 0;

    if (caller_is_organiser(caller))
        return 0;
    for (unsigned i = 0; i < ledger_bot_count(queue->ledger); i++)
        count += strcmp(ledger_bot(queue->ledger, i)->user, caller->user) == 0;
    if ((long)count >= settings->versions)
        return request_error_set(error, REQUEST_ERROR_TOO_MANY,
                                 "%s has submitted %u versions of bots, and this daemon allows at "
                                 "most %ld (versions)",
                                 caller->user, count, settings->versions);
    if (new->memory_mb > settings->memory_mb)
        return refuse(error, "memory_mb", new->memory_mb, settings->memory_mb);
    return caps_check_disk(queue, caller->user, (int64_t) new->length, error);
}

int caps_check_room(const struct queue *queue, const struct caller *caller,
                    struct request_error *error)
{
    const struct settings *settings = queue->setup.settings;
    unsigned waiting = ledger_waiting(queue->ledger, caller->user);
    unsigned today = ledger_submitted(queue->ledger, caller->user, time(NULL) - DAY_S);

    if (caller_is_organiser(caller))
        return 0;
    if ((long)waiting >= settings->jobs)
        return request_error_set(error, REQUEST_ERROR_TOO_MANY,
                                 "%s has %u jobs in the queue, and this daemon allows at most %ld "
                                 "(jobs)",
                                 caller->user, waiting, settings->jobs);
    if ((long)today >= settings->jobs_per_day)
        return request_error_set(error, REQUEST_ERROR_TOO_MANY,
                                 "%s has submitted %u jobs in 24 hours, and this daemon allows at "
                                 "most %ld (jobs_per_day)",
                                 caller->user, today, settings->jobs_per_day);
    return caps_check_disk(queue, caller->user, 0, error);
}

/* A bot may have what it was accepted with, which may be the owner's choice. */
static int check_memory(const struct queue *queue, const struct config_bot *bot,
                        struct request_error *error)
{
    long most = queue->setup.settings->memory_mb;
    int place = bot->source != NULL ? ledger_choose_bot(queue->ledger, bot->source) : -1;

    if (place >= 0 && ledger_bot(queue->ledger, (unsigned)place)->memory_mb > most)
        most = ledger_bot(queue->ledger, (unsigned)place)->memory_mb;
    if (bot->memory_mb <= most)
        return 0;
    (void)request_error_set(error, REQUEST_ERROR_VALUE,
                            "bot %s: memory_mb is %ld, and this daemon allows at most %ld",
                            bot->name, bot->memory_mb, most);
    return -1;
}

/* Bots of others run in this job, so it must not choose a weaker sandbox for them. */
static int check_level(const struct queue *queue, const struct config *config,
                       struct request_error *error)
{
    enum sandbox_level level = SANDBOX_AUTO;

    (void)sandbox_level_read(span_of(config->sandbox), &level);
    if (level != SANDBOX_GUARDED || queue->setup.level != SANDBOX_SEALED)
        return 0;
    return request_error_set(error, REQUEST_ERROR_VALUE,
                             "contain is guarded, and this daemon allows nothing below sealed");
}

int caps_check_job(const struct queue *queue, const struct caller *caller,
                   const struct config *config, struct request_error *error)
{
    const struct settings *settings = queue->setup.settings;
    unsigned long expected = schedule_expect(&config->schedule);
    const struct {
        const char *key;
        long asked, most;
    } rows[] = {
        {"start_ms", config->start_ms, settings->start_ms},
        {"move_ms", config->move_ms, settings->move_ms},
        {"bank_ms", config->bank_ms, settings->bank_ms},
        {"the number of bots", config->bot_count, settings->bots},
        {"the number of matches", expected < LONG_MAX ? (long)expected : LONG_MAX,
         settings->matches},
        {"tables", config->tables, settings->tables},
    };

    if (caller_is_organiser(caller))
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (rows[i].asked > rows[i].most)
            return refuse(error, rows[i].key, rows[i].asked, rows[i].most);
    }
    for (unsigned i = 0; i < config->bot_count; i++) {
        if (check_memory(queue, &config->bots[i], error) != 0)
            return -1;
    }
    return check_level(queue, config, error);
}

long caps_memory(const struct queue *queue, const struct caller *caller, long asked)
{
    long most = queue->setup.settings->memory_mb;

    return asked == 0 && !caller_is_organiser(caller) && most < sandbox_limits_default.memory_mb
               ? most
               : asked;
}
