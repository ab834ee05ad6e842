/* Requests that hand something in. A match is handed in as a tournament file of one group of bots in one
 * seating, so that there is only one kind of work. */

#include "serve/control/control_private.h"

#include "wire/json_write.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define TITLE_BYTES 101 /* what a tournament file takes, and a NUL */

/* Bots. */

/* Which keys go together: they say how the bot is run. */
static int check_offer(const struct request *request, struct serve_error *error)
{
    bool has_file = request_text(request, "file") != NULL;
    bool has_remote = request_text(request, "remote") != NULL;

    if (has_file != request->is_followed)
        return serve_error_set(error, SERVE_ERROR_VALUE, "file and bytes come together");
    if (has_remote && request->pair_count > 1)
        return serve_error_set(error, SERVE_ERROR_VALUE,
                               "a bot that plays from elsewhere takes no other keys");
    if (has_file && request_text(request, "folder") != NULL)
        return serve_error_set(error, SERVE_ERROR_VALUE, "a file has a folder of its own");
    if (!has_remote && !has_file && request_text(request, "command") == NULL)
        return serve_error_set(error, SERVE_ERROR_VALUE,
                               "a bot has a command or a file, or is remote=yes");
    return 0;
}

int verb_submit(struct client *client, struct serve_error *error)
{
    const struct request *request = &client->request;
    struct caller caller = client_caller(client);
    struct bot_offer offer = {
        .name = request->words[0],
        .command = request_text(request, "command"),
        .build = request_text(request, "build"),
        .folder = request_text(request, "folder"),
        .file = request_text(request, "file"),
        .bytes = client->block,
        .length = client->block_length,
        .memory_mb = request_number(request, "memory_mb", 0),
        .is_remote = request_text(request, "remote") != NULL,
    };
    int version;

    if (check_offer(request, error) != 0)
        return -1;
    version = queue_submit_bot(client->control->setup.queue, &caller, &offer, error);
    if (version < 0)
        return -1;
    client_ok(client, "bot=%s version=%d", offer.name, version);
    return 0;
}

/* Works. */

static int submit_job(struct client *client, struct span file, struct serve_error *error)
{
    struct caller caller = client_caller(client);
    bool is_match = client->request.verb == REQUEST_MATCH;
    int number = queue_submit_job(client->control->setup.queue, &caller, file, is_match, error);

    if (number < 0)
        return -1;
    client_ok(client, "work=%d", number);
    return 0;
}

int verb_tournament(struct client *client, struct serve_error *error)
{
    return submit_job(client, (struct span){client->block, client->block_length}, error);
}

static bool is_taken(char names[][CONFIG_NAME_MAX + 1], unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcasecmp(names[i], name) == 0)
            return true;
    }
    return false;
}

/* A bot that plays against itself is shown as NAME, NAME-2, NAME-3. */
static void name_player(char names[][CONFIG_NAME_MAX + 1], unsigned seat, const char *bot)
{
    char ending[12] = "";

    for (unsigned number = 2;; number++) {
        snprintf(names[seat], sizeof names[seat], "%.*s%s", (int)(CONFIG_NAME_MAX - strlen(ending)),
                 bot, ending);
        if (!is_taken(names, seat, names[seat]))
            return;
        snprintf(ending, sizeof ending, "-%u", number);
    }
}

static void write_bots(struct json_writer *writer, const struct request *request)
{
    char names[REQUEST_WORDS_MAX][CONFIG_NAME_MAX + 1];

    json_key(writer, "bots");
    json_open_list(writer);
    for (unsigned i = 0; i < request->word_count; i++) {
        name_player(names, i, request->words[i]);
        json_open_map(writer);
        json_key(writer, "name");
        json_text(writer, names[i]);
        json_key(writer, "bot");
        json_text(writer, request->words[i]);
        json_close_map(writer);
    }
    json_close_list(writer);
}

/* `set=KEY=VALUE`, and `rounds`, which is a rule. */
static int write_rules(struct json_writer *writer, const struct request *request,
                       struct serve_error *error)
{
    json_key(writer, "rules");
    json_open_map(writer);
    for (unsigned i = 0; i < request->pair_count; i++) {
        const struct request_pair *pair = &request->pairs[i];
        const char *sign = strchr(pair->value, '=');
        char key[REQUEST_LINE_MAX];

        if (strcmp(pair->key->name, "rounds") == 0) {
            json_key(writer, "rounds");
            json_number(writer, pair->number);
        } else if (strcmp(pair->key->name, "set") == 0) {
            if (sign == NULL)
                return serve_error_set(error, SERVE_ERROR_VALUE,
                                       "set takes KEY=VALUE, not \"%.40s\"", pair->value);
            snprintf(key, sizeof key, "%.*s", (int)(sign - pair->value), pair->value);
            json_key(writer, key);
            json_text(writer, sign + 1);
        }
    }
    json_close_map(writer);
    return 0;
}

/* Keys of a request that are keys of the tournament file too. */
static void write_same_keys(struct json_writer *writer, const struct request *request)
{
    static const char *const same[] = {"edition", "deals",   "seatings", "start_ms",
                                       "move_ms", "bank_ms", "clock"};

    for (unsigned i = 0; i < request->pair_count; i++) {
        const struct request_pair *pair = &request->pairs[i];

        for (size_t k = 0; k < ARRAY_LEN(same); k++) {
            if (strcmp(pair->key->name, same[k]) != 0)
                continue;
            json_key(writer, same[k]);
            if (pair->key->kind == REQUEST_NUMBER)
                json_number(writer, pair->number);
            else
                json_text(writer, pair->value);
        }
    }
}

static void write_title(struct json_writer *writer, const struct request *request)
{
    char title[TITLE_BYTES];
    struct text text;

    text_start(&text, title, sizeof title);
    for (unsigned i = 0; i < request->word_count; i++) {
        text_add(&text, i > 0 ? " - " : "");
        text_add(&text, request->words[i]);
    }
    json_key(writer, "name");
    json_text(writer,
              request_text(request, "title") != NULL ? request_text(request, "title") : title);
}

static int write_match(struct json_writer *writer, const struct request *request,
                       struct serve_error *error)
{
    json_open_map(writer);
    write_title(writer, request);
    write_bots(writer, request);
    json_key(writer, "seats");
    json_number(writer, request->word_count);
    if (write_rules(writer, request, error) != 0)
        return -1;
    write_same_keys(writer, request);
    if (request_text(request, "deals") == NULL) {
        json_key(writer, "deals");
        json_number(writer, 1);
    }
    if (request_text(request, "seatings") == NULL) {
        json_key(writer, "seatings");
        json_text(writer, "single");
    }
    json_close_map(writer);
    return 0;
}

int verb_match(struct client *client, struct serve_error *error)
{
    struct json_writer *writer = json_writer_new(false);
    struct span file;
    int result = write_match(writer, &client->request, error);

    if (result == 0) {
        file.start = json_writer_bytes(writer, &file.length);
        result = submit_job(client, file, error);
    }
    json_writer_free(writer);
    return result;
}
