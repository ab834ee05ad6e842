/* One function a request, found through the table of verbs; here those about the connection and the daemon
 * itself. A function that refuses has said and done nothing. */

#include "serve/control/control_private.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OWNER "owner"
#define GUEST "guest"

static handle_fn *const verbs[REQUEST_VERB_COUNT] = {
    [REQUEST_HELLO] = verb_hello,
    [REQUEST_HELP] = verb_help,
    [REQUEST_SUBMIT] = verb_submit,
    [REQUEST_MATCH] = verb_match,
    [REQUEST_TOURNAMENT] = verb_tournament,
    [REQUEST_STATUS] = verb_status,
    [REQUEST_QUEUE] = verb_queue,
    [REQUEST_BOTS] = verb_bots,
    [REQUEST_WATCH] = verb_watch,
    [REQUEST_CANCEL] = verb_cancel,
    [REQUEST_RESULT] = verb_result,
    [REQUEST_LOG] = verb_log,
    [REQUEST_PLAY] = verb_play,
    [REQUEST_FETCH] = verb_fetch,
    [REQUEST_SHUTDOWN] = verb_shutdown,
};

int handle_check(struct client *client, struct serve_error *error)
{
    const struct request_form *form = &request_forms[client->request.verb];

    if (form->is_for_owner && !client->is_owner)
        return serve_error_set(error, SERVE_ERROR_FORBIDDEN,
                               "%s is only for the owner of the daemon", form->name);
    if (form->is_for_remote && client->control->setup.remote_bots == NULL)
        return serve_error_set(error, SERVE_ERROR_NOT_CONNECTED,
                               "bots that play from elsewhere are switched off here");
    return 0;
}

void handle_answer(struct client *client)
{
    struct serve_error error = {.code = SERVE_ERROR_NONE};
    bool is_first = client->state == CLIENT_HELLO;

    client->is_busy = true;
    if (verbs[client->request.verb](client, &error) != 0) {
        client_refuse(client, &error);
        if (is_first)
            client_leave(client);
    }
    client->is_busy = false;
    client_pass_events(client);
}

unsigned handle_job(const struct client *client, const char *word, struct serve_error *error)
{
    long number;

    if (span_read_number(span_of(word), 1, UINT32_MAX, &number) == 0 &&
        ledger_job(queue_ledger(client->control->setup.queue), (unsigned)number) != NULL)
        return (unsigned)number;
    (void)serve_error_set(error, SERVE_ERROR_NO_JOB, "there is no work %.40s", word);
    return 0;
}

const struct ledger_bot *handle_bot(const struct client *client, const char *name,
                                    struct serve_error *error)
{
    const struct ledger *ledger = queue_ledger(client->control->setup.queue);
    int place = ledger_find_bot(ledger, name);

    if (place >= 0 && strcmp(ledger_bot(ledger, (unsigned)place)->name, name) == 0)
        return ledger_bot(ledger, (unsigned)place);
    (void)serve_error_set(error, SERVE_ERROR_NO_BOT, "there is no bot %.40s", name);
    return NULL;
}

/* Who somebody is. */

static void name_client(struct client *client, const char *user, bool is_owner)
{
    snprintf(client->user, sizeof client->user, "%s", user);
    client->is_owner = is_owner;
}

static int name_by_token(struct client *client, const char *token, struct serve_error *error)
{
    const char *user = users_find(client->control->setup.users, span_of(token));

    if (user == NULL)
        return serve_error_set(error, SERVE_ERROR_TOKEN, "nobody has that token");
    name_client(client, user, false);
    return 0;
}

static int name_by_door(struct client *client, struct serve_error *error)
{
    char user[USERS_NAME_MAX + 1];

    if (client->door == CONTROL_OPEN)
        return serve_error_set(error, SERVE_ERROR_TOKEN,
                               "from elsewhere nobody comes in without a token");
    if (client->door == CONTROL_LOOPBACK) {
        name_client(client, GUEST, false);
    } else if (client->uid == 0 || client->uid == geteuid()) {
        name_client(client, OWNER, true);
    } else {
        snprintf(user, sizeof user, "uid-%lu", (unsigned long)client->uid);
        name_client(client, user, false);
    }
    return 0;
}

int verb_hello(struct client *client, struct serve_error *error)
{
    const char *token = request_text(&client->request, "token");
    const char *version = client->request.words[0];

    if (client->state != CLIENT_HELLO)
        return serve_error_set(error, SERVE_ERROR_VALUE, "hello was said before");
    if (strcmp(version, "1") != 0)
        return serve_error_set(error, SERVE_ERROR_VERSION,
                               "this daemon speaks version %d, not %.40s", CONTROL_VERSION,
                               version);
    if ((token != NULL ? name_by_token(client, token, error) : name_by_door(client, error)) != 0)
        return -1;
    client_enter(client, CLIENT_READY);
    client_ok(client, "%d referee=%s user=%s", CONTROL_VERSION, REFEREE_VERSION, client->user);
    return 0;
}

int verb_help(struct client *client, struct serve_error *error)
{
    char help[REQUEST_HELP_MAX];
    struct text text;
    struct evbuffer *body = evbuffer_new();

    (void)error;
    text_start(&text, help, sizeof help);
    request_add_help(&text);
    (void)evbuffer_add(body, help, text.length);
    client_send_block(client, body);
    return 0;
}

int verb_shutdown(struct client *client, struct serve_error *error)
{
    const struct control_setup *setup = &client->control->setup;

    (void)error;
    client_ok(client, "%s", "");
    setup->on_shutdown(setup->context, request_text(&client->request, "now") != NULL);
    return 0;
}
