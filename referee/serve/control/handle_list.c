/* Requests that show what is there: the daemon, works, bots. */

#include "serve/control/control_private.h"

#include <stdlib.h>
#include <string.h>

#define LIST_LIMIT 1000 /* works, unless told */

static const struct ledger *ledger_of(const struct client *client)
{
    return queue_ledger(client->control->setup.queue);
}

static const char *kind_of_job(const struct job *job)
{
    return job->is_match ? "match" : "tournament";
}

/* The state of one. */

static void send_job(struct client *client, const struct job *job)
{
    char words[REQUEST_LINE_MAX];
    struct text text;

    text_start(&text, words, sizeof words);
    text_add(&text, " title=");
    request_add_word(&text, job->title);
    text_add(&text, " words=");
    request_add_word(&text, job->words);
    client_ok(client, "work=%u state=%s user=%s kind=%s decided=%lu matches=%lu%s", job->number,
              job_state_name(job->state), job->user, kind_of_job(job), job->decided, job->matches,
              words);
}

static void send_daemon(struct client *client)
{
    const struct queue *queue = client->control->setup.queue;
    unsigned counts[JOB_STATE_COUNT] = {0};
    unsigned jobs = ledger_job_count(ledger_of(client));

    for (unsigned i = 1; i <= jobs; i++)
        counts[ledger_job(ledger_of(client), i)->state]++;
    client_ok(client, "works=%u queued=%u playing=%u bots=%u connections=%u watchers=%u ending=%s",
              jobs, counts[JOB_QUEUED], counts[JOB_PLAYING], ledger_bot_count(ledger_of(client)),
              control_count(client->control), broadcast_count(queue_broadcast(queue)),
              queue_is_draining(queue) ? "yes" : "no");
}

int verb_status(struct client *client, struct serve_error *error)
{
    unsigned number;

    if (client->request.word_count == 0) {
        send_daemon(client);
        return 0;
    }
    number = handle_job(client, client->request.words[0], error);
    if (number == 0)
        return -1;
    send_job(client, ledger_job(ledger_of(client), number));
    return 0;
}

/* Works. */

static bool is_listed(const struct request *request, const struct job *job)
{
    const char *user = request_text(request, "user");

    return (request_text(request, "all") != NULL || !job_is_over(job->state)) &&
           (user == NULL || strcmp(user, job->user) == 0);
}

/* The number of the first that is shown, so that the newest are. */
static unsigned first_listed(const struct client *client)
{
    long limit = request_number(&client->request, "limit", LIST_LIMIT);
    unsigned number = ledger_job_count(ledger_of(client)) + 1;

    while (number > 1 && limit > 0) {
        if (is_listed(&client->request, ledger_job(ledger_of(client), --number)))
            limit--;
    }
    return number;
}

int verb_queue(struct client *client, struct serve_error *error)
{
    struct evbuffer *body = evbuffer_new();

    (void)error;
    for (unsigned i = first_listed(client); i <= ledger_job_count(ledger_of(client)); i++) {
        const struct job *job = ledger_job(ledger_of(client), i);

        if (is_listed(&client->request, job))
            client_add_line(body, "%u %s %s %s %lu/%lu %s", job->number, job_state_name(job->state),
                            job->user, kind_of_job(job), job->decided, job->matches, job->title);
    }
    client_send_block(client, body);
    return 0;
}

/* Bots. */

static const char *kind_of_bot(const struct ledger_bot *bot)
{
    if (bot->command == NULL)
        return "remote";
    return bot->is_upload ? "upload" : "command";
}

static void add_bot(const struct client *client, struct evbuffer *body,
                    const struct ledger_bot *bot)
{
    const struct remote_bots *remote_bots = client->control->setup.remote_bots;
    unsigned long faults = 0;
    char waiting[40];
    struct text text;

    for (unsigned i = 0; i < LEDGER_FAULTS; i++)
        faults += bot->faults[i];
    text_start(&text, waiting, sizeof waiting);
    if (bot->command == NULL && remote_bots != NULL) {
        text_add(&text, " waiting=");
        text_add_number(&text, remote_bots_count(remote_bots, bot->name));
    }
    client_add_line(body,
                    "%s %u %s %s matches=%lu wins=%lu faults=%lu median_us=%lld p99_us=%lld%s",
                    bot->name, bot->version, bot->user, kind_of_bot(bot), bot->matches, bot->wins,
                    faults, (long long)bot->median_us, (long long)bot->p99_us, waiting);
}

static bool is_shown(const struct client *client, unsigned place)
{
    const struct ledger_bot *bot = ledger_bot(ledger_of(client), place);

    if (client->request.word_count > 0)
        return strcmp(bot->name, client->request.words[0]) == 0;
    return ledger_find_bot(ledger_of(client), bot->name) == (int)place;
}

int verb_bots(struct client *client, struct serve_error *error)
{
    struct evbuffer *body;

    if (client->request.word_count > 0 &&
        handle_bot(client, client->request.words[0], error) == NULL)
        return -1;
    body = evbuffer_new();
    for (unsigned i = 0; i < ledger_bot_count(ledger_of(client)); i++) {
        if (is_shown(client, i))
            add_bot(client, body, ledger_bot(ledger_of(client), i));
    }
    client_send_block(client, body);
    return 0;
}
