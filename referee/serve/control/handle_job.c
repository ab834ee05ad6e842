/* Requests about jobs that exist: watching, cancelling, resuming, pruning, and reading their
 * results. */

#include "serve/control/control_private.h"
#include "serve/queue/ledger_describe.h"

static void on_event(void *context, const char *line)
{
    client_send_event(context, line);
}

static void send_event(struct client *client, const struct feed_line *event)
{
    char line[REQUEST_LINE_MAX];
    struct text text;

    text_start(&text, line, sizeof line);
    feed_line_write_event(&text, event);
    client_send_event(client, line);
}

/* A client that watches one job gets its present state first, as the event that reported it. */
int handle_watch(struct client *client, struct request_error *error)
{
    struct queue *queue = client->control->setup.queue;
    const char *word = client->request.argument_count > 0 ? client->request.arguments[0] : NULL;
    const struct job *job;
    struct feed_line event;
    unsigned number = 0;

    if (word != NULL && strcmp(word, "off") != 0 &&
        (number = handle_find_job(client, word, error)) == 0)
        return -1;
    broadcast_leave(client->watcher);
    client->watcher = NULL;
    client_ok(client, "%s", "");
    if (word != NULL && number == 0)
        return 0;
    client->watcher = broadcast_join(queue_broadcast(queue), number, on_event, client);
    if (number == 0)
        return 0;
    job = ledger_job(queue_ledger(queue), number);
    event = ledger_describe_state(job);
    send_event(client, &event);
    if (job->state == JOB_PLAYING)
        send_event(client, &(struct feed_line){.kind = FEED_LINE_BEGIN,
                                               .job = job->number,
                                               .decided = (long)job->decided,
                                               .matches = (long)job->matches});
    return 0;
}

typedef int change_fn(struct queue *queue, const struct caller *caller, unsigned number,
                      struct request_error *error);

static int change_job(struct client *client, change_fn *change, struct request_error *error)
{
    struct caller caller = client_caller(client);
    unsigned number = handle_find_job(client, client->request.arguments[0], error);

    if (number == 0 || change(client->control->setup.queue, &caller, number, error) != 0)
        return -1;
    client_ok(client, "%s", "");
    return 0;
}

int handle_cancel(struct client *client, struct request_error *error)
{
    return change_job(client, queue_cancel, error);
}

int handle_resume(struct client *client, struct request_error *error)
{
    return change_job(client, queue_resume, error);
}

static void on_pruned(void *context, unsigned long logs, int64_t freed,
                      const struct request_error *error)
{
    struct client *client = context;

    client->pruning = NULL;
    if (error != NULL)
        client_refuse(client, error);
    else
        client_ok(client, "logs=%lu freed=%lld", logs, (long long)freed);
    client_enter(client, CLIENT_READY);
    client_read(client);
}

/* Without a rule all logs go: there is a log of no match of the best 0 bots. */
int handle_prune(struct client *client, struct request_error *error)
{
    const struct request *request = &client->request;
    bool by_age = request_text(request, "days") != NULL;
    struct job_pruning pruning = {
        .rule = by_age ? PRUNING_DAYS : PRUNING_BEST,
        .number = (unsigned)request_number(request, by_age ? "days" : "best", 0),
    };
    struct caller caller = client_caller(client);
    unsigned number = handle_find_job(client, request->arguments[0], error);
    struct queue_pruned then = {on_pruned, client};
    struct pruning_wait *wait;

    if (number == 0)
        return -1;
    if (by_age && request_text(request, "best") != NULL)
        return request_error_set(error, REQUEST_ERROR_VALUE, "either days or best, not both");
    wait = queue_prune(client->control->setup.queue, &caller, number, &pruning, &then, error);
    if (wait == NULL)
        return -1;
    client_enter(client, CLIENT_TRYING);
    client->pruning = wait;
    return 0;
}

int handle_result(struct client *client, struct request_error *error)
{
    const char *format = request_text(&client->request, "format");
    unsigned artifact = ARTIFACT_TEXT;
    unsigned number;
    size_t length;
    int fd;

    while (format != NULL && artifact < ARTIFACT_COUNT &&
           strcmp(format, artifact_names[artifact]) != 0)
        artifact++;
    if (artifact == ARTIFACT_COUNT)
        return request_error_set(
            error, REQUEST_ERROR_VALUE,
            "format takes text, json, csv, cross, matches or html, not \"%.40s\"", format);
    number = handle_find_job(client, client->request.arguments[0], error);
    if (number == 0)
        return -1;
    fd = queue_open_artifact(client->control->setup.queue, number, (enum artifact)artifact, &length,
                             error);
    if (fd < 0)
        return -1;
    client_send_file(client, fd, length);
    return 0;
}

/* Reads JOB BLOCK.MATCH [PLAYER]. */
static int read_log_name(const struct client *client, struct log_name *name,
                         struct request_error *error)
{
    struct span match = span_of(client->request.arguments[1]);
    struct span block = span_cut(&match, '.');
    long numbers[2];

    name->job = handle_find_job(client, client->request.arguments[0], error);
    name->player = client->request.argument_count > 2 ? client->request.arguments[2] : NULL;
    if (name->job == 0)
        return -1;
    if (match.start == NULL || span_read_number(block, 0, INT32_MAX, &numbers[0]) != 0 ||
        span_read_number(match, 1, INT32_MAX, &numbers[1]) != 0)
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "a match is BLOCK.MATCH, like 3.1, not \"%.40s\"",
                                 client->request.arguments[1]);
    name->block = (unsigned)numbers[0];
    name->match = (unsigned)numbers[1];
    return 0;
}

typedef int open_fn(const struct queue *queue, const struct caller *caller,
                    const struct log_name *name, size_t *length, struct request_error *error);

static int send_of_match(struct client *client, open_fn *open, struct request_error *error)
{
    struct caller caller = client_caller(client);
    struct log_name name;
    size_t length;
    int fd = read_log_name(client, &name, error) == 0
                 ? open(client->control->setup.queue, &caller, &name, &length, error)
                 : -1;

    if (fd < 0)
        return -1;
    client_send_file(client, fd, length);
    return 0;
}

int handle_log(struct client *client, struct request_error *error)
{
    return send_of_match(client, queue_open_log, error);
}

int handle_stderr(struct client *client, struct request_error *error)
{
    return send_of_match(client, queue_open_stderr, error);
}

/* Without `of`: the first step that failed, else the last one that was done. */
static enum trial_step step_to_show(const struct ledger_bot *bot)
{
    enum trial_step shown = TRIAL_BUILD;

    for (enum trial_step step = TRIAL_BUILD; step < TRIAL_STEP_COUNT; step++) {
        if (bot->trial[step] == TRIAL_FAILED)
            return step;
        if (bot->trial[step] == TRIAL_OK)
            shown = step;
    }
    return shown;
}

static int find_step(const struct client *client, enum trial_step *step,
                     struct request_error *error)
{
    const struct ledger *ledger = queue_ledger(client->control->setup.queue);
    const char *name = request_text(&client->request, "of");
    int place = ledger_find_bot(ledger, client->request.arguments[0]);

    if (name == NULL) {
        *step = place >= 0 ? step_to_show(ledger_bot(ledger, (unsigned)place)) : TRIAL_BUILD;
        return 0;
    }
    for (unsigned i = 0; i < TRIAL_STEP_COUNT; i++) {
        if (strcmp(name, trial_step_name((enum trial_step)i)) == 0) {
            *step = (enum trial_step)i;
            return 0;
        }
    }
    return request_error_set(error, REQUEST_ERROR_VALUE,
                             "of is build, hello or check, not \"%.40s\"", name);
}

int handle_output(struct client *client, struct request_error *error)
{
    struct caller caller = client_caller(client);
    enum trial_step step = TRIAL_BUILD;
    size_t length;
    int fd = find_step(client, &step, error) == 0
                 ? queue_open_trial(client->control->setup.queue, &caller,
                                    client->request.arguments[0], step, &length, error)
                 : -1;

    if (fd < 0)
        return -1;
    client_send_file(client, fd, length);
    return 0;
}
