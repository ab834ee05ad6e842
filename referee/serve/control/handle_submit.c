/* Requests that submit something. A match is submitted as a tournament file of one group of bots in
 * one seating, so that there is only one kind of job. */

#include "serve/control/control_private.h"
#include "serve/archive/archive.h"
#include "wire/json_write.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define TITLE_BYTES 101 /* what a tournament file takes, and a NUL */

/* Bots. */

/* Which keys go together. */
static int check_keys(const struct request *request, struct request_error *error)
{
    bool has_file = request_text(request, "file") != NULL;
    bool has_remote = request_text(request, "remote") != NULL;

    if (has_file != request->is_followed)
        return request_error_set(error, REQUEST_ERROR_VALUE, "file and bytes go together");
    if (has_remote && request->pair_count > 1)
        return request_error_set(error, REQUEST_ERROR_VALUE, "a remote bot takes no other keys");
    if (has_file && request_text(request, "folder") != NULL)
        return request_error_set(error, REQUEST_ERROR_VALUE, "a file has a folder of its own");
    if (!has_remote && !has_file && request_text(request, "command") == NULL)
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "a bot takes command=, file= or remote=yes");
    return 0;
}

/* What the author has to read: of the step that failed. NULL if there is nothing. */
static struct evbuffer *read_output(const struct client *client, const struct ledger_bot *bot)
{
    struct caller caller = client_caller(client);
    enum trial_step step = bot->trial[TRIAL_BUILD] == TRIAL_FAILED ? TRIAL_BUILD : TRIAL_HELLO;
    char name[CONFIG_NAME_MAX + 24];
    struct request_error error;
    struct evbuffer *body;
    size_t length;
    int fd;

    snprintf(name, sizeof name, "%s@%u", bot->name, bot->version);
    if (bot->trial[step] != TRIAL_FAILED)
        return NULL;
    fd = queue_open_trial(client->control->setup.queue, &caller, name, step, &length, &error);
    if (fd < 0)
        return NULL;
    body = evbuffer_new();
    if (evbuffer_add_file(body, fd, 0, (ev_off_t)length) == 0)
        return body;
    evbuffer_free(body);
    return NULL;
}

/* What is known about the bot by now. */
static void reply_to_submit(struct client *client)
{
    const struct ledger *ledger = queue_ledger(client->control->setup.queue);
    const struct ledger_bot *bot = ledger_bot(ledger, client->bot);

    if (bot->command == NULL)
        client_ok(client, "bot=%s version=%u", bot->name, bot->version);
    else
        client_ok_block(client, read_output(client, bot), "bot=%s version=%u build=%s hello=%s",
                        bot->name, bot->version, trial_result_name(bot->trial[TRIAL_BUILD]),
                        trial_result_name(bot->trial[TRIAL_HELLO]));
}

static void on_tried(void *context)
{
    struct client *client = context;

    client->trial = NULL;
    reply_to_submit(client);
    client_enter(client, CLIENT_READY);
    client_read(client);
}

/* A version is there: replies now, or when it was tried. */
static void await_trial(struct client *client)
{
    struct queue *queue = client->control->setup.queue;
    const char *name = client->request.arguments[0];
    struct trial_wait *trial;

    client->bot = (unsigned)ledger_find_bot(queue_ledger(queue), name);
    trial = queue_await_trial(queue, client->bot, on_tried, client);
    if (trial == NULL) {
        reply_to_submit(client);
        client_enter(client, CLIENT_READY);
    } else {
        client_enter(client, CLIENT_TRYING);
        client->trial = trial;
    }
}

static void on_unpacked(void *context, int version, const struct request_error *error)
{
    struct client *client = context;

    client->unpacking = NULL;
    if (version < 0) {
        client_refuse(client, error);
        client_enter(client, CLIENT_READY);
    } else {
        await_trial(client);
    }
    client_read(client);
}

static int submit_archive(struct client *client, const struct new_bot *bot,
                          struct request_error *error)
{
    struct queue_unpacked then = {on_unpacked, client};
    struct caller caller = client_caller(client);
    struct unpacking *unpacking =
        queue_submit_archive(client->control->setup.queue, &caller, bot, &then, error);

    if (unpacking == NULL)
        return -1;
    client_enter(client, CLIENT_TRYING);
    client->unpacking = unpacking;
    return 0;
}

int handle_submit(struct client *client, struct request_error *error)
{
    const struct request *request = &client->request;
    struct caller caller = client_caller(client);
    struct new_bot bot = {
        .name = request->arguments[0],
        .command = request_text(request, "command"),
        .build = request_text(request, "build"),
        .folder = request_text(request, "folder"),
        .file = request_text(request, "file"),
        .bytes = client->block,
        .length = client->block_length,
        .memory_mb = request_number(request, "memory_mb", 0),
        .is_remote = request_text(request, "remote") != NULL,
    };

    if (check_keys(request, error) != 0)
        return -1;
    if (bot.file != NULL && archive_is_name(bot.file))
        return submit_archive(client, &bot, error);
    if (queue_submit_bot(client->control->setup.queue, &caller, &bot, error) < 0)
        return -1;
    await_trial(client);
    return 0;
}

/* Jobs. */

static int submit_job(struct client *client, struct span file, struct request_error *error)
{
    struct caller caller = client_caller(client);
    bool is_match = client->request.verb == REQUEST_MATCH;
    int number = queue_submit_job(client->control->setup.queue, &caller, file, is_match, error);

    if (number < 0)
        return -1;
    client_ok(client, "job=%d", number);
    return 0;
}

int handle_tournament(struct client *client, struct request_error *error)
{
    return submit_job(client, (struct span){client->block, client->block_length}, error);
}

/* A bot that plays against itself, or against another version, plays as NAME, NAME-2, NAME-3. */
static void name_player(char names[][CONFIG_NAME_MAX + 1], unsigned seat, const char *bot)
{
    size_t length = strcspn(bot, "@");
    char ending[12] = "";

    for (unsigned number = 2;; number++) {
        unsigned same = 0;

        snprintf(names[seat], sizeof names[seat], "%.*s%s",
                 (int)(length < CONFIG_NAME_MAX - strlen(ending)
                           ? length
                           : CONFIG_NAME_MAX - strlen(ending)),
                 bot, ending);
        while (same < seat && strcasecmp(names[same], names[seat]) != 0)
            same++;
        if (same == seat)
            return;
        snprintf(ending, sizeof ending, "-%u", number);
    }
}

static void put_bots(struct json_writer *writer, const struct request *request)
{
    char names[REQUEST_ARGUMENTS_MAX][CONFIG_NAME_MAX + 1];
    char title[TITLE_BYTES];
    struct text text;

    text_start(&text, title, sizeof title);
    json_key(writer, "bots");
    json_open_list(writer);
    for (unsigned i = 0; i < request->argument_count; i++) {
        name_player(names, i, request->arguments[i]);
        json_open_map(writer);
        json_put_text(writer, "name", names[i]);
        json_put_text(writer, "bot", request->arguments[i]);
        json_close_map(writer);
        text_printf(&text, "%s%s", i > 0 ? " - " : "", request->arguments[i]);
    }
    json_close_list(writer);
    json_put_text(writer, "name",
                  request_text(request, "title") != NULL ? request_text(request, "title") : title);
}

/* `set=KEY=VALUE`, and `rounds`, which is a rule. */
static int put_rules(struct json_writer *writer, const struct request *request,
                     struct request_error *error)
{
    json_key(writer, "rules");
    json_open_map(writer);
    for (unsigned i = 0; i < request->pair_count; i++) {
        const struct request_pair *pair = &request->pairs[i];
        const char *sign = strchr(pair->value, '=');
        char key[REQUEST_LINE_MAX];

        if (strcmp(pair->key->name, "rounds") == 0) {
            json_put_number(writer, "rounds", pair->number);
        } else if (strcmp(pair->key->name, "set") == 0) {
            if (sign == NULL)
                return request_error_set(error, REQUEST_ERROR_VALUE,
                                         "set takes KEY=VALUE, not \"%.40s\"", pair->value);
            snprintf(key, sizeof key, "%.*s", (int)(sign - pair->value), pair->value);
            json_put_text(writer, key, sign + 1);
        }
    }
    json_close_map(writer);
    return 0;
}

/* Keys of a request that are keys of the tournament file, too. */
static void put_same_keys(struct json_writer *writer, const struct request *request)
{
    static const char *const same[] = {"edition",  "variant", "deals",   "seatings",
                                       "start_ms", "move_ms", "bank_ms", "clock"};

    for (unsigned i = 0; i < request->pair_count; i++) {
        const struct request_pair *pair = &request->pairs[i];

        for (size_t k = 0; k < ARRAY_LEN(same); k++) {
            if (strcmp(pair->key->name, same[k]) != 0)
                continue;
            if (pair->key->kind == REQUEST_NUMBER)
                json_put_number(writer, same[k], pair->number);
            else
                json_put_text(writer, same[k], pair->value);
        }
    }
    if (request_text(request, "deals") == NULL)
        json_put_number(writer, "deals", 1);
    if (request_text(request, "seatings") == NULL)
        json_put_text(writer, "seatings", "single");
}

int handle_match(struct client *client, struct request_error *error)
{
    struct json_writer *writer = json_writer_new(false);
    struct span file;
    int result;

    json_open_map(writer);
    put_bots(writer, &client->request);
    json_put_number(writer, "seats", client->request.argument_count);
    result = put_rules(writer, &client->request, error);
    if (result == 0) {
        put_same_keys(writer, &client->request);
        json_close_map(writer);
        file.start = json_writer_bytes(writer, &file.length);
        result = submit_job(client, file, error);
    }
    json_writer_free(writer);
    return result;
}
