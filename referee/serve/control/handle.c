/* One function per request, found through a table. Here are those about the connection and the
 * daemon itself. A function that refuses has sent and done nothing. */

#include "serve/control/control_private.h"

#include <stdio.h>
#include <string.h>

#define OWNER "owner"
#define GUEST "guest"

static handle_fn *const handlers[REQUEST_VERB_COUNT] = {
    [REQUEST_HELLO] = handle_hello,
    [REQUEST_HELP] = handle_help,
    [REQUEST_SUBMIT] = handle_submit,
    [REQUEST_MATCH] = handle_match,
    [REQUEST_TOURNAMENT] = handle_tournament,
    [REQUEST_STATUS] = handle_status,
    [REQUEST_QUEUE] = handle_queue,
    [REQUEST_BOTS] = handle_bots,
    [REQUEST_LADDER] = handle_ladder,
    [REQUEST_WATCH] = handle_watch,
    [REQUEST_CANCEL] = handle_cancel,
    [REQUEST_RESUME] = handle_resume,
    [REQUEST_RESULT] = handle_result,
    [REQUEST_LOG] = handle_log,
    [REQUEST_STDERR] = handle_stderr,
    [REQUEST_OUTPUT] = handle_output,
    [REQUEST_PLAY] = handle_play,
    [REQUEST_LANGUAGES] = handle_languages,
    [REQUEST_FETCH] = handle_fetch,
    [REQUEST_SHUTDOWN] = handle_shutdown,
    [REQUEST_RERUN] = handle_rerun,
    [REQUEST_REPLAY] = handle_replay,
    [REQUEST_PRUNE] = handle_prune,
    [REQUEST_DISQUALIFY] = handle_disqualify,
    [REQUEST_REINSTATE] = handle_reinstate,
    [REQUEST_REMOVE] = handle_remove,
    [REQUEST_GRADES] = handle_grades,
};

int handle_check(struct client *client, struct request_error *error)
{
    const struct request_form *form = &request_forms[client->request.verb];
    struct caller caller = client_caller(client);

    if (form->is_for_owner && !client->is_owner)
        return request_error_set(error, REQUEST_ERROR_FORBIDDEN,
                                 "%s is only for the owner of the daemon", form->name);
    if (form->is_for_organisers && !caller_is_organiser(&caller))
        return request_error_set(error, REQUEST_ERROR_FORBIDDEN, "%s is only for organisers",
                                 form->name);
    if (form->is_for_remote && client->control->setup.remote_bots == NULL)
        return request_error_set(error, REQUEST_ERROR_NOT_CONNECTED,
                                 "remote bots are not allowed here");
    return 0;
}

void handle_answer(struct client *client)
{
    struct request_error error = {.code = REQUEST_ERROR_NONE};
    bool is_first = client->state == CLIENT_HELLO;

    client->is_busy = true;
    if (handlers[client->request.verb](client, &error) != 0) {
        client_refuse(client, &error);
        if (is_first)
            client_leave(client);
    }
    client->is_busy = false;
    client_flush_events(client);
}

unsigned handle_find_job(const struct client *client, const char *word, struct request_error *error)
{
    long number;

    if (span_read_number(span_of(word), 1, UINT32_MAX, &number) == 0 &&
        ledger_job(queue_ledger(client->control->setup.queue), (unsigned)number) != NULL)
        return (unsigned)number;
    (void)request_error_set(error, REQUEST_ERROR_NO_JOB, "there is no job %.40s", word);
    return 0;
}

const struct ledger_bot *handle_find_bot(const struct client *client, const char *name,
                                         struct request_error *error)
{
    const struct ledger *ledger = queue_ledger(client->control->setup.queue);
    int place = ledger_find_bot(ledger, name);

    if (place >= 0 && strcmp(ledger_bot(ledger, (unsigned)place)->name, name) == 0 &&
        !ledger_bot(ledger, (unsigned)place)->is_removed)
        return ledger_bot(ledger, (unsigned)place);
    (void)request_error_set(error, REQUEST_ERROR_NO_BOT, "there is no bot %.40s", name);
    return NULL;
}

static void set_user(struct client *client, const char *user, bool is_owner)
{
    snprintf(client->user, sizeof client->user, "%s", user);
    client->is_owner = is_owner;
}

/* Without a token, the address by which a client connects says who it is. */
static int find_user(struct client *client, const char *token, struct request_error *error)
{
    char user[USERS_NAME_MAX + 1];
    const char *found;

    if (token != NULL) {
        found = users_find(client->control->setup.users, span_of(token));
        if (found == NULL)
            return request_error_set(error, REQUEST_ERROR_TOKEN, "nobody has that token");
        set_user(client, found, false);
    } else if (client->address == CONTROL_OPEN) {
        return request_error_set(error, REQUEST_ERROR_TOKEN,
                                 "from another machine a token is required");
    } else if (client->address == CONTROL_LOOPBACK) {
        set_user(client, GUEST, false);
    } else if (control_is_owner(client->uid)) {
        set_user(client, OWNER, true);
    } else {
        snprintf(user, sizeof user, "uid-%lu", (unsigned long)client->uid);
        set_user(client, user, false);
    }
    return 0;
}

/* The client itself is counted, too. */
static int check_share(struct client *client, struct request_error *error)
{
    const struct control *control = client->control;
    long most = queue_settings(control->setup.queue)->connections_per_user;

    if (client->is_owner || control_count_user(control, client->user) <= most)
        return 0;
    return request_error_set(error, REQUEST_ERROR_TOO_MANY,
                             "%s has %ld connections, and this daemon allows no more "
                             "(connections_per_user)",
                             client->user, most);
}

int handle_greet(struct client *client, const char *user, struct request_error *error)
{
    set_user(client, user, false);
    if (check_share(client, error) != 0) {
        client_lose(client);
        return -1;
    }
    client_enter(client, CLIENT_READY);
    return 0;
}

int handle_hello(struct client *client, struct request_error *error)
{
    const char *token = request_text(&client->request, "token");
    const char *version = client->request.arguments[0];

    if (client->state != CLIENT_HELLO)
        return request_error_set(error, REQUEST_ERROR_VALUE, "hello was already sent");
    if (strcmp(version, "1") != 0)
        return request_error_set(error, REQUEST_ERROR_VERSION,
                                 "this daemon speaks version %d, not %.40s", CONTROL_VERSION,
                                 version);
    if (find_user(client, token, error) != 0 || check_share(client, error) != 0)
        return -1;
    client_enter(client, CLIENT_READY);
    client_ok(client, "%d referee=%s user=%s", CONTROL_VERSION, REFEREE_VERSION, client->user);
    return 0;
}

int handle_help(struct client *client, struct request_error *error)
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

int handle_shutdown(struct client *client, struct request_error *error)
{
    const struct control_setup *setup = &client->control->setup;

    (void)error;
    client_ok(client, "%s", "");
    setup->on_shutdown(setup->context, request_text(&client->request, "now") != NULL);
    return 0;
}
