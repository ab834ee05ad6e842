/* Requests about works that are there: watching, cancelling, reading what came out. */

#include "serve/control/control_private.h"

#include <string.h>

/* Watching. */

static void on_event(void *context, unsigned job, const char *line)
{
    (void)job;
    client_tell(context, line);
}

/* Tells how a work stands, in the words in which it was told when that happened. */
static void tell_state(struct client *client, const struct job *job)
{
    char line[REQUEST_LINE_MAX];
    struct text text;

    text_start(&text, line, sizeof line);
    text_add_number(&text, job->number);
    if (job->state == JOB_QUEUED) {
        text_add(&text, " queued ");
        text_add(&text, job->user);
        text_add_char(&text, ' ');
        text_add(&text, job->title);
    } else if (job->state == JOB_PLAYING) {
        text_add(&text, " playing");
    } else {
        text_add(&text, " over ");
        text_add(&text, job_state_name(job->state));
        text_add_char(&text, ' ');
        text_add(&text, job->words);
    }
    client_tell(client, line);
}

static void tell_progress(struct client *client, const struct job *job)
{
    char line[100];
    struct text text;

    text_start(&text, line, sizeof line);
    text_add_number(&text, job->number);
    text_add(&text, " begin ");
    text_add_number(&text, (long)job->decided);
    text_add_char(&text, ' ');
    text_add_number(&text, (long)job->matches);
    client_tell(client, line);
}

static void stop_watching(struct client *client)
{
    broadcast_leave(client->watcher);
    client->watcher = NULL;
}

int verb_watch(struct client *client, struct serve_error *error)
{
    struct queue *queue = client->control->setup.queue;
    const char *word = client->request.word_count > 0 ? client->request.words[0] : NULL;
    unsigned number = 0;

    if (word != NULL && strcmp(word, "off") != 0 && (number = handle_job(client, word, error)) == 0)
        return -1;
    stop_watching(client);
    client_ok(client, "%s", "");
    if (word != NULL && number == 0)
        return 0;
    client->watcher = broadcast_join(queue_broadcast(queue), number, on_event, client);
    if (number > 0)
        tell_state(client, ledger_job(queue_ledger(queue), number));
    if (number > 0 && ledger_job(queue_ledger(queue), number)->state == JOB_PLAYING)
        tell_progress(client, ledger_job(queue_ledger(queue), number));
    return 0;
}

/* The rest. */

int verb_cancel(struct client *client, struct serve_error *error)
{
    struct caller caller = client_caller(client);
    unsigned number = handle_job(client, client->request.words[0], error);

    if (number == 0 || queue_cancel(client->control->setup.queue, &caller, number, error) != 0)
        return -1;
    client_ok(client, "%s", "");
    return 0;
}

static int find_paper(const char *name, struct serve_error *error)
{
    for (int i = 0; i < ARTIFACT_COUNT; i++) {
        if (strcmp(name, artifact_names[i]) == 0)
            return i;
    }
    return serve_error_set(error, SERVE_ERROR_VALUE,
                           "format takes text, json, csv, cross, matches or html, not \"%.40s\"",
                           name);
}

int verb_result(struct client *client, struct serve_error *error)
{
    const char *format = request_text(&client->request, "format");
    int paper = format == NULL ? ARTIFACT_TEXT : find_paper(format, error);
    unsigned number = paper < 0 ? 0 : handle_job(client, client->request.words[0], error);
    size_t length;
    int fd;

    if (number == 0)
        return -1;
    fd = queue_open_artifact(client->control->setup.queue, number, (enum artifact)paper, &length,
                             error);
    if (fd < 0)
        return -1;
    client_send_file(client, fd, length);
    return 0;
}

/* Reads "BLOCK.MATCH" into two numbers. */
static int read_match(const char *word, long numbers[2], struct serve_error *error)
{
    struct span rest = span_of(word);
    struct span first = span_cut(&rest, '.');

    if (rest.start != NULL && span_read_number(first, 0, INT32_MAX, &numbers[0]) == 0 &&
        span_read_number(rest, 1, INT32_MAX, &numbers[1]) == 0)
        return 0;
    return serve_error_set(error, SERVE_ERROR_VALUE,
                           "a match is BLOCK.MATCH, like 3.1, not \"%.40s\"", word);
}

int verb_log(struct client *client, struct serve_error *error)
{
    unsigned number = handle_job(client, client->request.words[0], error);
    long match[2] = {0, 0};
    size_t length;
    int fd;

    if (number == 0 || read_match(client->request.words[1], match, error) != 0)
        return -1;
    fd = queue_open_log(client->control->setup.queue, number, (unsigned)match[0],
                        (unsigned)match[1], &length, error);
    if (fd < 0)
        return -1;
    client_send_file(client, fd, length);
    return 0;
}
