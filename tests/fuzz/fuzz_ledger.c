/* Reads any records, with right checksums, as the ledger of a daemon, and does with it what the
 * daemon does: lists and describes everything, and opens a queue with it, which plays nothing
 * because its event loop does not run. Whatever the records say, there is a ledger or a
 * sentence. */

#include "base/directory_tree.h"
#include "serve/queue/ledger_describe.h"
#include "serve/queue/queue.h"
#include "support/journal_seal.h"
#include "support/json_mutate.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return json_mutate(data, size, most, seed);
}

static void describe_job(struct json_writer *json, const struct ledger *ledger,
                         const struct job *job)
{
    char line[8192];
    struct text text;
    struct feed_line state = ledger_describe_state(job);

    json_writer_clear(json);
    json_open_map(json);
    ledger_describe_job_json(json, ledger, job, true);
    json_close_map(json);
    text_start(&text, line, sizeof line);
    ledger_describe_job(&text, job);
    ledger_describe_job_line(&text, job);
    feed_line_write_event(&text, &state);
    /* Names and titles must not end a line of the protocol. */
    for (const char *byte = job->title; *byte != '\0'; byte++) {
        if (*byte == '\n')
            abort();
    }
}

static void describe_bot(struct json_writer *json, const struct ledger_bot *bot)
{
    char line[4096];
    struct text text;

    json_writer_clear(json);
    json_open_map(json);
    ledger_describe_bot_json(json, bot);
    json_close_map(json);
    text_start(&text, line, sizeof line);
    ledger_describe_bot_line(&text, bot);
    /* A name is a folder. */
    if (!span_is_name(span_of(bot->name), CONFIG_NAME_MAX))
        abort();
}

static void describe_all(const struct ledger *ledger)
{
    struct json_writer *json = json_writer_new(false);

    (void)ledger_describe_counts(ledger);
    for (unsigned i = 0; i < ledger_bot_count(ledger); i++)
        describe_bot(json, ledger_bot(ledger, i));
    for (unsigned i = 1; i <= ledger_job_count(ledger); i++) {
        const struct job *job = ledger_job(ledger, i);

        describe_job(json, ledger, job);
        (void)ledger_waiting(ledger, job->user);
        (void)ledger_submitted(ledger, job->user, 0);
    }
    json_writer_free(json);
}

/* Cancels everything and hands in a job of known bots. */
static void use_queue(struct queue *queue)
{
    struct caller caller = {.user = "owner", .is_owner = true};
    struct request_error error;
    const struct ledger *ledger = queue_ledger(queue);
    char plan[300];

    for (unsigned i = 1; i <= ledger_job_count(ledger); i++)
        (void)queue_cancel(queue, &caller, i, &error);
    if (ledger_bot_count(ledger) > 0) {
        const char *name = ledger_bot(ledger, 0)->name;

        snprintf(plan, sizeof plan,
                 "{\"bots\":[{\"bot\":\"%s\",\"name\":\"x\"},{\"bot\":\"%s\",\"name\":\"y\"}],"
                 "\"seats\":2,\"deals\":1}",
                 name, name);
        (void)queue_submit_job(queue, &caller, span_of(plan), false, &error);
    }
    describe_all(ledger);
}

static void open_queue(const char *folder)
{
    struct event_base *base = event_base_new();
    struct settings settings = settings_default();
    struct queue_setup setup = {.base = base,
                                .folder = folder,
                                .program = "/bin/false",
                                .level = SANDBOX_GUARDED,
                                .settings = &settings};
    char message[1000];
    struct text problem;
    struct queue *queue;

    text_start(&problem, message, sizeof message);
    queue = queue_new(&setup, &problem);
    if (queue != NULL)
        use_queue(queue);
    else if (problem.length == 0)
        abort();
    queue_free(queue);
    event_base_free(base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[60];
    char path[100];
    FILE *lock;

    snprintf(folder, sizeof folder, "%s/referee-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL)
        abort();
    snprintf(path, sizeof path, "%s/referee.lock", folder);
    lock = fopen(path, "we");
    if (lock == NULL || fclose(lock) != 0)
        abort();
    snprintf(path, sizeof path, "%s/ledger.ndjson", folder);
    journal_seal_write(path, data, size);
    open_queue(folder);
    if (directory_tree_remove(folder) != 0)
        abort();
    return 0;
}
