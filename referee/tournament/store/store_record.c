/* The records of the journal. A record is read by taking its values and writing it again with them:
 * it counts if the same bytes come out. So a store that is read again is the store that was
 * written, and a record with anything more in it than its values is refused. All times in a record
 * are under one key, "time", so that two tournaments can be compared without them.
 *
 * A right checksum does not make a record a good one, because anybody can compute it. So reading
 * takes each member with its kind and range, and records only where a referee writes them: a
 * setting that is set changes, a bot that is withdrawn was there, and so on. */

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

bool store_end_record(struct store *store)
{
    const char *bytes;
    size_t length;

    json_close_map(store->json);
    bytes = json_writer_bytes(store->json, &length);
    if (store->reading.start != NULL)
        return journal_has_bytes(bytes, length, store->reading);
    journal_add(store->journal, bytes, length);
    return true;
}

int store_refuse_bytes(struct json_record *reader)
{
    return json_record_refuse(reader, "it is not written as a referee writes it");
}

const char *store_read_hash(struct json_record *reader, const char *key)
{
    const char *hash = json_record_text(reader, key, LOG_RECORD_HASH_HEX - 1);

    if (strspn(hash, "0123456789abcdef") != LOG_RECORD_HASH_HEX - 1)
        (void)json_record_refuse_member(reader, key);
    return hash;
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

static bool add_set(struct store *store, const char *key, const char *value)
{
    struct json_writer *json = store_begin_record(store);

    json_put_text(json, "set", key);
    json_put_text(json, "value", value);
    if (!store_end_record(store))
        return false;
    set_setting(store, key, value);
    return true;
}

void store_set(struct store *store, const char *key, const char *value)
{
    (void)add_set(store, key, value);
}

static int read_set(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    const char *key = json_record_line(&reader, "set", KEY_MAX);
    const char *value = json_record_line(&reader, "value", VALUE_MAX);

    const char *before = store_setting(store, key);

    if (!reader.is_refused && store->setting_count == SETTINGS_MAX)
        return json_record_refuse(&reader, "there are too many settings");
    if (!reader.is_refused && before != NULL && strcmp(before, value) == 0)
        return json_record_refuse(&reader, "the setting has this value already");
    if (reader.is_refused)
        return -1;
    return add_set(store, key, value) ? 0 : store_refuse_bytes(&reader);
}

/* The first record. */

/* What the first record says. */
struct beginning {
    const char *referee; /* its version */
    const char *name;
    bool is_guessable;
    struct store_setting settings[SETTINGS_MAX + 1]; /* without a key: the end */
};

static bool add_beginning(struct store *store, const struct beginning *beginning)
{
    struct json_writer *json = store_begin_record(store);
    const struct store_setting *setting;

    json_put_number(json, "allegra_store", STORE_VERSION);
    json_put_text(json, "referee", beginning->referee);
    json_put_text(json, "name", beginning->name);
    json_put_flag(json, "guessable", beginning->is_guessable);
    json_key(json, "settings");
    json_open_map(json);
    for (setting = beginning->settings; setting->key != NULL; setting++)
        json_put_text(json, setting->key, setting->value);
    json_close_map(json);
    if (!store_end_record(store))
        return false;
    for (setting = beginning->settings; setting->key != NULL; setting++)
        set_setting(store, setting->key, setting->value);
    store->has_begun = true;
    store->name = xstrdup(beginning->name);
    store->is_guessable = beginning->is_guessable;
    return true;
}

int store_begin(struct store *store, const char *name, const struct store_setting *settings,
                const char *seed_text)
{
    struct beginning beginning = {
        .referee = REFEREE_VERSION, .name = name, .is_guessable = seed_text != NULL};

    for (unsigned i = 0; i < SETTINGS_MAX && settings[i].key != NULL; i++)
        beginning.settings[i] = settings[i];
    if (seed_text != NULL)
        deal_random_seed_from_text(store->master, seed_text);
    if (store_remove_master(store) != 0)
        return -1;
    (void)add_beginning(store, &beginning);
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
    struct beginning beginning = {0};
    const struct json_node *settings;
    unsigned count = 0;

    if (!reader.is_refused && version != STORE_VERSION) {
        text_add(problem, "the store has another version");
        return -1;
    }
    if (store->has_begun)
        return json_record_refuse(&reader, "a store begins only once");
    beginning.referee = json_record_line(&reader, "referee", KEY_MAX);
    beginning.name = json_record_line(&reader, "name", NAME_MAX_BYTES);
    beginning.is_guessable = json_record_flag(&reader, "guessable");
    settings = json_record_map(&reader, "settings", SETTINGS_MAX);
    if (reader.is_refused || check_settings(settings, problem) != 0)
        return -1;
    for (const struct json_node *value = json_first(settings); value != NULL;
         value = json_next(settings, value))
        beginning.settings[count++] = (struct store_setting){value->key, value->text};
    return add_beginning(store, &beginning) ? 0 : store_refuse_bytes(&reader);
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

static bool add_bot(struct store *store, const struct store_bot *bot)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "bot", store->bot_count);
    json_put_text(json, "name", bot->name);
    json_put_text(json, "command", bot->command);
    json_put_text(json, "hash", bot->hash);
    json_put_number(json, "generation", bot->generation);
    if (!store_end_record(store))
        return false;
    append_bot(store, bot);
    return true;
}

void store_add_bot(struct store *store, const struct store_bot *bot)
{
    (void)add_bot(store, bot);
}

static int read_bot(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    unsigned before = store->bot_count > 0 ? store->bots[store->bot_count - 1].generation : 1;
    const char *hash = store_read_hash(&reader, "hash");
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
    return add_bot(store, &bot) ? 0 : store_refuse_bytes(&reader);
}

static void change_bot(struct store_bot *bot, const char *command, const char *hash)
{
    free(bot->command);
    bot->command = xstrdup(command);
    memset(bot->hash, 0, sizeof bot->hash);
    memcpy(bot->hash, hash, strnlen(hash, sizeof bot->hash - 1));
}

static bool add_change(struct store *store, unsigned number, const char *command, const char *hash)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "changed", number);
    json_put_text(json, "command", command);
    json_put_text(json, "hash", hash);
    if (!store_end_record(store))
        return false;
    change_bot(&store->bots[number], command, hash);
    return true;
}

void store_change_bot(struct store *store, unsigned number, const char *command, const char *hash)
{
    (void)add_change(store, number, command, hash);
}

/* The number of the bot that a record is about; only then there is one if it is not refused. */
static unsigned bot_of(const struct store *store, struct json_record *reader, const char *key)
{
    return (unsigned)json_record_number(reader, key, 0, (long long)store->bot_count - 1);
}

static int read_change(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    const char *command = json_record_text(&reader, "command", COMMAND_MAX);
    const char *hash = store_read_hash(&reader, "hash");
    unsigned number = bot_of(store, &reader, "changed");

    if (!reader.is_refused && strcmp(store->bots[number].command, command) == 0 &&
        strcmp(store->bots[number].hash, hash) == 0)
        (void)json_record_refuse(&reader, "nothing about the bot changes");
    if (reader.is_refused)
        return -1;
    return add_change(store, number, command, hash) ? 0 : store_refuse_bytes(&reader);
}

static bool add_withdrawal(struct store *store, unsigned number, bool is_withdrawn)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, is_withdrawn ? "withdrawn" : "reinstated", number);
    if (!store_end_record(store))
        return false;
    store->bots[number].is_withdrawn = is_withdrawn;
    return true;
}

void store_withdraw_bot(struct store *store, unsigned number, bool is_withdrawn)
{
    (void)add_withdrawal(store, number, is_withdrawn);
}

static int read_withdrawn(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    bool is_withdrawn = json_record_has(&reader, "withdrawn");
    unsigned number = bot_of(store, &reader, is_withdrawn ? "withdrawn" : "reinstated");

    if (!reader.is_refused && store->bots[number].is_withdrawn == is_withdrawn)
        (void)json_record_refuse(&reader, is_withdrawn ? "the bot was withdrawn before"
                                                       : "the bot was not withdrawn");
    if (reader.is_refused)
        return -1;
    return add_withdrawal(store, number, is_withdrawn) ? 0 : store_refuse_bytes(&reader);
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

static bool add_round(struct store *store, const uint16_t *order, unsigned count)
{
    struct json_writer *json = store_begin_record(store);
    struct store_round *round;

    json_put_number(json, "round", store->round_count + 2);
    json_key(json, "order");
    json_open_list(json);
    for (unsigned i = 0; i < count; i++)
        json_number(json, order[i]);
    json_close_list(json);
    if (!store_end_record(store))
        return false;
    round = append_round(store, count);
    for (unsigned i = 0; i < count; i++)
        round->order[i] = order[i];
    return true;
}

void store_add_round(struct store *store, const uint16_t *order, unsigned count)
{
    (void)add_round(store, order, count);
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
    uint16_t *bots = xcalloc(store->bot_count, sizeof *bots);
    unsigned count = json_record_numbers(&reader, "order", range, order, store->bot_count);

    (void)json_record_number(&reader, "round", store->round_count + 2LL, store->round_count + 2LL);
    if (!reader.is_refused && !is_distinct(order, count, store->bot_count))
        (void)json_record_refuse_member(&reader, "order");
    for (unsigned i = 0; i < count; i++)
        bots[i] = (uint16_t)order[i];
    if (!reader.is_refused && !add_round(store, bots, count))
        (void)store_refuse_bytes(&reader);
    free(order);
    free(bots);
    return reader.is_refused ? -1 : 0;
}

/* Commitments. */

static void set_commitments(struct store *store, unsigned blocks, const char *hash)
{
    store->commitment_count = blocks;
    memset(store->commitments_hash, 0, sizeof store->commitments_hash);
    memcpy(store->commitments_hash, hash, strnlen(hash, LOG_RECORD_HASH_HEX - 1));
}

static bool add_commitments(struct store *store, unsigned blocks, const char *hash)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "commitments", blocks);
    json_put_text(json, "sha256", hash);
    if (!store_end_record(store))
        return false;
    set_commitments(store, blocks, hash);
    return true;
}

void store_add_commitments(struct store *store, unsigned blocks, const char *hash)
{
    (void)add_commitments(store, blocks, hash);
}

static int read_commitments(struct store *store, const struct json_node *record,
                            struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long blocks =
        json_record_number(&reader, "commitments", store->commitment_count + 1LL, STORE_BLOCKS_MAX);
    const char *hash = store_read_hash(&reader, "sha256");

    if (reader.is_refused)
        return -1;
    return add_commitments(store, (unsigned)blocks, hash) ? 0 : store_refuse_bytes(&reader);
}

/* Seals and void matches: nothing follows from them. A seal has the number of results before it;
 * a void match is only for people who look for the cause. */

static bool add_seal(struct store *store)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "sealed", (long long)store->result_count);
    return store_end_record(store);
}

void store_add_seal(struct store *store)
{
    (void)add_seal(store);
}

static bool add_void(struct store *store, unsigned block, unsigned rotation, const char *why)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "void", block);
    json_put_number(json, "rotation", rotation);
    json_put_text(json, "why", why);
    return store_end_record(store);
}

void store_add_void(struct store *store, unsigned block, unsigned rotation, const char *why)
{
    (void)add_void(store, block, rotation, why);
}

static int read_seal(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long count = (long long)store->result_count;

    (void)json_record_number(&reader, "sealed", count, count);
    if (store->is_sealed)
        (void)json_record_refuse(&reader, "nothing was recorded since the last seal");
    if (reader.is_refused)
        return -1;
    return add_seal(store) ? 0 : store_refuse_bytes(&reader);
}

static int read_void(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    unsigned block = (unsigned)json_record_number(&reader, "void", 1, store->commitment_count);
    unsigned rotation =
        (unsigned)json_record_number(&reader, "rotation", 0, SCHEDULE_SEATINGS_MAX - 1);
    const char *why = json_record_text(&reader, "why", TEXT_MAX);

    if (!reader.is_refused && store_done(store, block) >> rotation & 1)
        (void)json_record_refuse(&reader, "a match is void that was decided before");
    if (reader.is_refused)
        return -1;
    return add_void(store, block, rotation, why) ? 0 : store_refuse_bytes(&reader);
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
    {"reinstated", read_withdrawn},
    {"void", read_void},
    {"pruned", store_read_pruned},
    {"rematch", store_read_rematches},
    {"redeal", store_read_redeal},
    {"sealed", read_seal},
    {"commitments", read_commitments},
};

static int read_record(struct store *store, const struct json_node *record, struct text *problem)
{
    const struct json_node *first = record->kind == JSON_MAP ? json_first(record) : NULL;

    for (size_t i = 0; first != NULL && i < ARRAY_LEN(kinds); i++) {
        if (strcmp(first->key, kinds[i].key) != 0)
            continue;
        if (!store->has_begun && kinds[i].read != read_beginning)
            break;
        if (kinds[i].read(store, record, problem) != 0)
            return -1;
        store->is_sealed = kinds[i].read == read_seal;
        return 0;
    }
    text_add(problem, "a record of unknown kind");
    return -1;
}

int store_read_record(void *context, const struct json_node *record, struct span bytes,
                      struct text *problem)
{
    struct store *store = context;
    int result;

    store->reading = bytes;
    result = read_record(store, record, problem);
    store->reading = (struct span){NULL, 0};
    if (result == 0 && store->visit != NULL)
        store->visit(store->visit_context, store, record);
    return result;
}
