/* Requests that organisers need, and some that authors may make, too: about jobs that are played
 * once more, about bots, and about grades. */

#include "serve/control/control_private.h"
#include "serve/queue/grades.h"

#include <stdlib.h>

#define NO_REASON "no reason was given"

int handle_rerun(struct client *client, struct request_error *error)
{
    struct caller caller = client_caller(client);
    unsigned number = handle_find_job(client, client->request.arguments[0], error);
    int rerun = number > 0 ? queue_rerun(client->control->setup.queue, &caller, number, error) : -1;

    if (rerun < 0)
        return -1;
    client_ok(client, "job=%d", rerun);
    return 0;
}

int handle_replay(struct client *client, struct request_error *error)
{
    struct caller caller = client_caller(client);
    unsigned number = handle_find_job(client, client->request.arguments[0], error);

    if (number == 0 || queue_replay(client->control->setup.queue, &caller, number,
                                    client->request.arguments[1], error) != 0)
        return -1;
    client_ok(client, "%s", "");
    return 0;
}

int handle_disqualify(struct client *client, struct request_error *error)
{
    struct caller caller = client_caller(client);
    const char *why = request_text(&client->request, "why");

    if (queue_disqualify(client->control->setup.queue, &caller, client->request.arguments[0],
                         why != NULL ? why : NO_REASON, error) != 0)
        return -1;
    client_ok(client, "%s", "");
    return 0;
}

typedef int change_fn(struct queue *queue, const struct caller *caller, const char *name,
                      struct request_error *error);

static int change_bot(struct client *client, change_fn *change, struct request_error *error)
{
    struct caller caller = client_caller(client);

    if (change(client->control->setup.queue, &caller, client->request.arguments[0], error) != 0)
        return -1;
    client_ok(client, "%s", "");
    return 0;
}

int handle_reinstate(struct client *client, struct request_error *error)
{
    return change_bot(client, queue_reinstate, error);
}

int handle_remove(struct client *client, struct request_error *error)
{
    return change_bot(client, queue_remove_bot, error);
}

int handle_grades(struct client *client, struct request_error *error)
{
    struct grades_request request;
    struct evbuffer *body;
    size_t length = 0;
    char *table = NULL;

    if (grades_read(&request, span_of(client->request.arguments[0]),
                    request_text(&client->request, "format"), error) == 0)
        table = grades_make(client->control->setup.queue, client->control->setup.users, &request,
                            &length, error);
    if (table == NULL)
        return -1;
    body = evbuffer_new();
    (void)evbuffer_add(body, table, length);
    free(table);
    client_send_block(client, body);
    return 0;
}
