/* The records of the journal. Each kind is written by one function and read by another, and both
 * change the store by the same code: so a store that is read again is the store that was written.
 * All times in a record are under one key, "time", so that two tournaments can be compared without
 * them.
 *
 * A right checksum does not make a record a good one, because anybody can compute it. So reading
 * takes each member with its kind and range, and records only in an order in which a referee writes
 * them. */

#include "tournament/store/store_private.h"

#include "base/memory.h"
#include "tournament/config/config.h"
#include "wire/json_record.h"

#include <stdlib.h>
#include <string.h>

/* Far more than a referee writes. */
#define SETTINGS_MAX 60
#define KEY_MAX 60
#define VALUE_MAX 4096
#define NAME_MAX_BYTES 400
#define COMMAND_MAX 1048576
#define TEXT_MAX 65536

struct json_writer *store_begin_record(struct store *store)
{
    json_writer_clear(store->json);
    json_open_map(store->json);
    return store->json;
}

void store_end_record(struct store *store)
{
    const char *bytes;
    size_t length;

    json_close_map(store->json);
    bytes = json_writer_bytes(store->json, &length);
    journal_add(store->journal, bytes, length);
}

/* Settings. */

static void set_setting(struct store *store, const char *key, const char *value)
{
    unsigned at = 0;

    while (at < store->setting_count && strcmp(store->keys[at], key) != 0)
        at++;
    if (at < store->setting_count) {
        free(store->values[at]);
    } else {
        store->keys = xrealloc(store->keys, (at + 1) * sizeof *store->keys);
        store->values = xrealloc(store->values, (at + 1) * sizeof *store->values);
        store->keys[at] = xstrdup(key);
        store->setting_count++;
    }
    store->values[at] = xstrdup(value);
}

const char *store_setting(const struct store *store, const char *key)
{
    for (unsigned i = 0; i < store->setting_count; i++) {
        if (strcmp(store->keys[i], key) == 0)
            return store->values[i];
    }
    return NULL;
}

void store_set(struct store *store, const char *key, const char *value)
{
    struct json_writer *json = store_begin_record(store);

    json_put_text(json, "set", key);
    json_put_text(json, "value", value);
    store_end_record(store);
    set_setting(store, key, value);
}

static int read_set(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    const char *key = json_record_line(&reader, "set", KEY_MAX);
    const char *value = json_record_line(&reader, "value", VALUE_MAX);

    if (!reader.is_refused && store->setting_count == SETTINGS_MAX)
        return json_record_refuse(&reader, "there are too many settings");
    if (reader.is_refused)
        return -1;
    set_setting(store, key, value);
    return 0;
}

/* The first record. */

static void set_beginning(struct store *store, const char *name, bool is_guessable)
{
    store->has_begun = true;
    store->name = xstrdup(name);
    store->is_guessable = is_guessable;
}

static void add_beginning(struct store *store, const char *name,
                          const struct store_setting *settings, bool is_guessable)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "allegra_store", STORE_VERSION);
    json_put_text(json, "referee", REFEREE_VERSION);
    json_put_text(json, "name", name);
    json_put_flag(json, "guessable", is_guessable);
    json_key(json, "settings");
    json_open_map(json);
    for (; settings->key != NULL; settings++) {
        json_put_text(json, settings->key, settings->value);
        set_setting(store, settings->key, settings->value);
    }
    json_close_map(json);
    store_end_record(store);
    set_beginning(store, name, is_guessable);
}

int store_begin(struct store *store, const char *name, const struct store_setting *settings,
                const char *seed_text)
{
    if (seed_text != NULL)
        deal_random_seed_from_text(store->master, seed_text);
    if (store_remove_master(store) != 0)
        return -1;
    add_beginning(store, name, settings, seed_text != NULL);
    return store_write(store) == 0 ? store_write_master(store) : -1;
}

static int check_settings(const struct json_node *map, struct text *problem)
{
    struct json_record reader = json_record_start(map, problem);

    for (const struct json_node *value = json_first(map); value != NULL && !reader.is_refused;
         value = json_next(map, value)) {
        (void)json_record_line(&reader, value->key, VALUE_MAX);
        if (strlen(value->key) > KEY_MAX)
            (void)json_record_refuse_member(&reader, value->key);
    }
    return reader.is_refused ? -1 : 0;
}

static int read_beginning(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long version = json_record_number(&reader, "allegra_store", 0, INT32_MAX);
    const char *name;
    bool is_guessable;
    const struct json_node *settings;

    if (!reader.is_refused && version != STORE_VERSION) {
        text_add(problem, "the store has another version");
        return -1;
    }
    if (store->has_begun)
        return json_record_refuse(&reader, "a store begins only once");
    name = json_record_line(&reader, "name", NAME_MAX_BYTES);
    is_guessable = json_record_flag(&reader, "guessable");
    settings = json_record_map(&reader, "settings", SETTINGS_MAX);
    if (reader.is_refused || check_settings(settings, problem) != 0)
        return -1;
    for (const struct json_node *value = json_first(settings); value != NULL;
         value = json_next(settings, value))
        set_setting(store, value->key, value->text);
    set_beginning(store, name, is_guessable);
    return 0;
}

/* Bots. */

static void append_bot(struct store *store, const struct store_bot *bot)
{
    unsigned number = store->bot_count++;
    struct store_bot *kept;

    store->bots = xrealloc(store->bots, store->bot_count * sizeof *store->bots);
    store->times = xrealloc(store->times, store->bot_count * sizeof *store->times);
    memset(&store->times[number], 0, sizeof store->times[number]);
    kept = &store->bots[number];
    *kept = *bot;
    kept->name = xstrdup(bot->name);
    kept->command = xstrdup(bot->command);
}

void store_add_bot(struct store *store, const struct store_bot *bot)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "bot", store->bot_count);
    json_put_text(json, "name", bot->name);
    json_put_text(json, "command", bot->command);
    json_put_text(json, "hash", bot->hash);
    json_put_number(json, "generation", bot->generation);
    store_end_record(store);
    append_bot(store, bot);
}

static int read_bot(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    unsigned before = store->bot_count > 0 ? store->bots[store->bot_count - 1].generation : 1;
    const char *hash = json_record_text(&reader, "hash", LOG_RECORD_HASH_HEX - 1);
    struct store_bot bot = {
        .name = (char *)json_record_text(&reader, "name", CONFIG_NAME_MAX),
        .command = (char *)json_record_text(&reader, "command", COMMAND_MAX),
        .generation = (unsigned)json_record_number(&reader, "generation", before, STORE_BLOCKS_MAX),
    };

    (void)json_record_number(&reader, "bot", store->bot_count, store->bot_count);
    if (!reader.is_refused && store->bot_count == SCHEDULE_BOTS_MAX)
        return json_record_refuse(&reader, "there are too many bots");
    if (!reader.is_refused &&
        (!span_is_name(span_of(bot.name), CONFIG_NAME_MAX) || store_find_bot(store, bot.name) >= 0))
        return json_record_refuse_member(&reader, "name");
    if (reader.is_refused)
        return -1;
    memcpy(bot.hash, hash, strlen(hash));
    append_bot(store, &bot);
    return 0;
}

static void change_bot(struct store_bot *bot, const char *command, const char *hash)
{
    free(bot->command);
    bot->command = xstrdup(command);
    memset(bot->hash, 0, sizeof bot->hash);
    memcpy(bot->hash, hash, strnlen(hash, sizeof bot->hash - 1));
}

void store_change_bot(struct store *store, unsigned number, const char *command, const char *hash)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "changed", number);
    json_put_text(json, "command", command);
    json_put_text(json, "hash", hash);
    store_end_record(store);
    change_bot(&store->bots[number], command, hash);
}

/* The bot that a record is about; NULL if the record is refused. */
static struct store_bot *bot_of(struct store *store, struct json_record *reader, const char *key)
{
    long long number = json_record_number(reader, key, 0, (long long)store->bot_count - 1);

    return reader->is_refused ? NULL : &store->bots[number];
}

static int read_change(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    const char *command = json_record_text(&reader, "command", COMMAND_MAX);
    const char *hash = json_record_text(&reader, "hash", LOG_RECORD_HASH_HEX - 1);
    struct store_bot *bot = bot_of(store, &reader, "changed");

    if (bot == NULL)
        return -1;
    change_bot(bot, command, hash);
    return 0;
}

void store_withdraw_bot(struct store *store, unsigned number, bool is_withdrawn)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, is_withdrawn ? "withdrawn" : "reinstated", number);
    store_end_record(store);
    store->bots[number].is_withdrawn = is_withdrawn;
}

static int set_withdrawn(struct store *store, const struct json_node *record, const char *key,
                         struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    struct store_bot *bot = bot_of(store, &reader, key);

    if (bot == NULL)
        return -1;
    bot->is_withdrawn = strcmp(key, "withdrawn") == 0;
    return 0;
}

static int read_withdrawn(struct store *store, const struct json_node *record, struct text *problem)
{
    return set_withdrawn(store, record, "withdrawn", problem);
}

static int read_reinstated(struct store *store, const struct json_node *record,
                           struct text *problem)
{
    return set_withdrawn(store, record, "reinstated", problem);
}

/* Rounds. */

static struct store_round *append_round(struct store *store, unsigned count)
{
    struct store_round *round;

    store->rounds = xrealloc(store->rounds, (store->round_count + 1) * sizeof *store->rounds);
    round = &store->rounds[store->round_count++];
    round->order = xcalloc(count + 1, sizeof *round->order);
    round->count = count;
    return round;
}

void store_add_round(struct store *store, const uint16_t *order, unsigned count)
{
    struct json_writer *json = store_begin_record(store);
    struct store_round *round = append_round(store, count);

    json_put_number(json, "round", store->round_count + 1);
    json_key(json, "order");
    json_open_list(json);
    for (unsigned i = 0; i < count; i++) {
        json_number(json, order[i]);
        round->order[i] = order[i];
    }
    json_close_list(json);
    store_end_record(store);
}

/* Whether no bot is twice in a round. */
static bool is_distinct(const long long *bots, unsigned count, unsigned bot_count)
{
    bool *is_there = xcalloc(bot_count, sizeof *is_there);
    unsigned i = 0;

    while (i < count && !is_there[bots[i]])
        is_there[bots[i++]] = true;
    free(is_there);
    return i == count;
}

static int read_round(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    const long long range[2] = {0, (long long)store->bot_count - 1};
    long long *order = xcalloc(store->bot_count, sizeof *order);
    unsigned count = json_record_numbers(&reader, "order", range, order, store->bot_count);

    (void)json_record_number(&reader, "round", store->round_count + 2LL, store->round_count + 2LL);
    if (!reader.is_refused && !is_distinct(order, count, store->bot_count))
        (void)json_record_refuse_member(&reader, "order");
    if (!reader.is_refused) {
        struct store_round *round = append_round(store, count);

        for (unsigned i = 0; i < count; i++)
            round->order[i] = (uint16_t)order[i];
    }
    free(order);
    return reader.is_refused ? -1 : 0;
}

/* Commitments. */

static void set_commitments(struct store *store, unsigned blocks, const char *hash)
{
    store->commitment_count = blocks;
    memset(store->commitments_hash, 0, sizeof store->commitments_hash);
    memcpy(store->commitments_hash, hash, strnlen(hash, LOG_RECORD_HASH_HEX - 1));
}

void store_add_commitments(struct store *store, unsigned blocks, const char *hash)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "commitments", blocks);
    json_put_text(json, "sha256", hash);
    store_end_record(store);
    set_commitments(store, blocks, hash);
}

static int read_commitments(struct store *store, const struct json_node *record,
                            struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long blocks =
        json_record_number(&reader, "commitments", store->commitment_count + 1LL, STORE_BLOCKS_MAX);
    const char *hash = json_record_text(&reader, "sha256", LOG_RECORD_HASH_HEX - 1);

    if (reader.is_refused)
        return -1;
    set_commitments(store, (unsigned)blocks, hash);
    return 0;
}

void store_add_seal(struct store *store)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "sealed", (long long)store->result_count);
    store_end_record(store);
}

/* Matches that are void: only for people who look for the cause. */

void store_add_void(struct store *store, unsigned block, unsigned rotation, const char *why)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "void", block);
    json_put_number(json, "rotation", rotation);
    json_put_text(json, "why", why);
    store_end_record(store);
}

/* Nothing follows from a seal or a void match. A seal has the number of results before it. */
static int read_seal(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long count = (long long)store->result_count;

    (void)json_record_number(&reader, "sealed", count, count);
    return reader.is_refused ? -1 : 0;
}

static int read_void(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);

    (void)json_record_number(&reader, "void", 1, store->commitment_count);
    (void)json_record_number(&reader, "rotation", 0, SCHEDULE_SEATINGS_MAX - 1);
    (void)json_record_text(&reader, "why", TEXT_MAX);
    return reader.is_refused ? -1 : 0;
}

/* The first key of a record is its kind. */
static const struct {
    const char *key;
    int (*read)(struct store *store, const struct json_node *record, struct text *problem);
} kinds[] = {
    {"round", read_round},
    {"block", store_read_result},
    {"allegra_store", read_beginning},
    {"set", read_set},
    {"bot", read_bot},
    {"changed", read_change},
    {"withdrawn", read_withdrawn},
    {"reinstated", read_reinstated},
    {"void", read_void},
    {"pruned", store_read_pruned},
    {"rematch", store_read_rematches},
    {"sealed", read_seal},
    {"commitments", read_commitments},
};

int store_read_record(void *context, const struct json_node *record, struct text *problem)
{
    struct store *store = context;
    const struct json_node *first = record->kind == JSON_MAP ? json_first(record) : NULL;

    for (size_t i = 0; first != NULL && i < ARRAY_LEN(kinds); i++) {
        if (strcmp(first->key, kinds[i].key) != 0)
            continue;
        if (!store->has_begun && kinds[i].read != read_beginning)
            break;
        if (kinds[i].read(store, record, problem) != 0)
            return -1;
        if (store->visit != NULL)
            store->visit(store->visit_context, store, record);
        return 0;
    }
    text_add(problem, "a record of unknown kind");
    return -1;
}
