/* Requests that show what there is: the daemon, jobs, bots. */

#include "bot/language.h"
#include "serve/control/control_private.h"
#include "serve/queue/ledger_describe.h"

#define LIST_LIMIT 1000 /* jobs, by default */

static const struct ledger *ledger_of(const struct client *client)
{
    return queue_ledger(client->control->setup.queue);
}

int handle_status(struct client *client, struct request_error *error)
{
    const struct queue *queue = client->control->setup.queue;
    struct ledger_counts counts;
    char line[REQUEST_LINE_MAX];
    struct text text;
    unsigned number;

    if (client->request.argument_count > 0) {
        number = handle_find_job(client, client->request.arguments[0], error);
        if (number == 0)
            return -1;
        text_start(&text, line, sizeof line);
        ledger_describe_job(&text, ledger_job(ledger_of(client), number));
        text_printf(&text, " left_s=%lld",
                    (long long)queue_left_s(queue, ledger_job(ledger_of(client), number)));
        client_ok(client, "%s", line);
        return 0;
    }
    counts = ledger_describe_counts(ledger_of(client));
    client_ok(client, "jobs=%u queued=%u playing=%u bots=%u connections=%u watchers=%u ending=%s",
              counts.jobs, counts.states[JOB_QUEUED], counts.states[JOB_PLAYING], counts.bots,
              control_count(client->control), broadcast_count(queue_broadcast(queue)),
              queue_is_draining(queue) ? "yes" : "no");
    return 0;
}

static struct span word_of(const struct request *request, const char *key)
{
    const char *text = request_text(request, key);

    return span_of(text != NULL ? text : "");
}

static bool is_listed(const struct client *client, const struct job *job)
{
    const struct request *request = &client->request;
    struct span user = word_of(request, "user");

    return (request_text(request, "all") != NULL || !job_is_over(job->state)) &&
           (user.length == 0 || span_is(user, job->user)) &&
           ledger_describe_has_kind(job, word_of(request, "kind")) &&
           ledger_describe_has_bot(ledger_of(client), job, word_of(request, "bot"));
}

/* The newest jobs up to the limit, the oldest of them first. */
int handle_queue(struct client *client, struct request_error *error)
{
    struct evbuffer *body = evbuffer_new();
    long limit = request_number(&client->request, "limit", LIST_LIMIT);
    unsigned count = ledger_job_count(ledger_of(client));
    unsigned number = count + 1;

    (void)error;
    while (number > 1 && limit > 0) {
        if (is_listed(client, ledger_job(ledger_of(client), --number)))
            limit--;
    }
    for (; number <= count; number++) {
        const struct job *job = ledger_job(ledger_of(client), number);
        char line[REQUEST_LINE_MAX];
        struct text text;

        if (!is_listed(client, job))
            continue;
        text_start(&text, line, sizeof line);
        ledger_describe_job_line(&text, job);
        client_add_line(body, "%s", line);
    }
    client_send_block(client, body);
    return 0;
}

static bool is_shown(const struct client *client, unsigned place)
{
    const struct ledger_bot *bot = ledger_bot(ledger_of(client), place);

    if (client->request.argument_count > 0)
        return !bot->is_removed && strcmp(bot->name, client->request.arguments[0]) == 0;
    return ledger_describe_is_listed(ledger_of(client), place);
}

/* Quotes in commands are escaped, so they may become twice as long. */
#define LINE_WITH_COMMANDS_MAX (3 * REQUEST_LINE_MAX)

int handle_bots(struct client *client, struct request_error *error)
{
    const struct remote_bots *remote_bots = client->control->setup.remote_bots;
    bool has_commands = request_text(&client->request, "commands") != NULL;
    struct caller caller = client_caller(client);
    struct evbuffer *body;

    if (client->request.argument_count > 0 &&
        handle_find_bot(client, client->request.arguments[0], error) == NULL)
        return -1;
    body = evbuffer_new();
    for (unsigned i = 0; i < ledger_bot_count(ledger_of(client)); i++) {
        const struct ledger_bot *bot = ledger_bot(ledger_of(client), i);
        char line[LINE_WITH_COMMANDS_MAX];
        struct text text;

        if (!is_shown(client, i))
            continue;
        text_start(&text, line, sizeof line);
        ledger_describe_bot_line(&text, bot);
        if (bot->command == NULL && remote_bots != NULL)
            text_printf(&text, " waiting=%u", remote_bots_count(remote_bots, bot->name));
        if (has_commands && queue_may_see_bot(&caller, bot))
            ledger_describe_commands(&text, bot);
        client_add_line(body, "%s", line);
    }
    client_send_block(client, body);
    return 0;
}

/* Lines "NAME yes|no PROGRAM file=… build=… command=…". */
int handle_languages(struct client *client, struct request_error *error)
{
    struct evbuffer *body = evbuffer_new();

    (void)error;
    for (size_t i = 0; i < language_count(); i++) {
        const struct language *language = language_at(i);
        char line[REQUEST_LINE_MAX];
        struct text text;

        text_start(&text, line, sizeof line);
        text_printf(&text, "%s %s %s file=%s command=", language->name,
                    language_has_program(language->program) ? "yes" : "no", language->program,
                    language->file);
        request_add_quoted(&text, language->command);
        if (language->build != NULL) {
            text_add(&text, " build=");
            request_add_quoted(&text, language->build);
        }
        client_add_line(body, "%s", line);
    }
    client_send_block(client, body);
    return 0;
}
