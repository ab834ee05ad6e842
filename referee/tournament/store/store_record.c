/* The records of the journal. Each kind is written by one function and read by another, and both
 * change the store by the same code: so a store that is read again is the store that was written.
 * All times in a record are under one key, "time", so that two tournaments can be compared without
 * them. */

#include "tournament/store/store_private.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int store_refuse_record(struct text *problem, const char *what)
{
    text_printf(problem, "invalid record: %s", what);
    return -1;
}

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
    const char *key = json_member_text(record, "set", NULL);
    const char *value = json_member_text(record, "value", NULL);

    if (key == NULL || value == NULL)
        return store_refuse_record(problem, "a setting");
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
    if (store_write_master(store) != 0)
        return -1;
    add_beginning(store, name, settings, seed_text != NULL);
    return store_write(store);
}

static int read_beginning(struct store *store, const struct json_node *record, struct text *problem)
{
    const struct json_node *settings = json_member(record, "settings");

    if (json_member_number(record, "allegra_store", 0) != STORE_VERSION) {
        text_add(problem, "the store has another version");
        return -1;
    }
    for (const struct json_node *value = json_first(settings); value != NULL;
         value = json_next(settings, value)) {
        if (value->kind != JSON_TEXT)
            return store_refuse_record(problem, "the settings");
        set_setting(store, value->key, value->text);
    }
    set_beginning(store, json_member_text(record, "name", ""),
                  json_member_number(record, "guessable", 0) == 1);
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
    const char *hash = json_member_text(record, "hash", "");
    long long generation = json_member_number(record, "generation", 0);
    struct store_bot bot = {
        .name = (char *)json_member_text(record, "name", ""),
        .command = (char *)json_member_text(record, "command", ""),
        .generation = (unsigned)generation,
    };

    if (json_member_number(record, "bot", -1) != store->bot_count || *bot.name == '\0' ||
        strlen(hash) >= sizeof bot.hash || generation < 1 || generation > STORE_BLOCKS_MAX)
        return store_refuse_record(problem, "a bot");
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

/* The bot that a record is about, or NULL. */
static struct store_bot *bot_of(struct store *store, const struct json_node *record,
                                const char *key)
{
    long long number = json_member_number(record, key, -1);

    return number >= 0 && number < store->bot_count ? &store->bots[number] : NULL;
}

static int read_change(struct store *store, const struct json_node *record, struct text *problem)
{
    struct store_bot *bot = bot_of(store, record, "changed");

    if (bot == NULL)
        return store_refuse_record(problem, "a changed bot");
    change_bot(bot, json_member_text(record, "command", ""), json_member_text(record, "hash", ""));
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
    struct store_bot *bot = bot_of(store, record, key);

    if (bot == NULL)
        return store_refuse_record(problem, "a bot that is withdrawn or back");
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

static int read_round(struct store *store, const struct json_node *record, struct text *problem)
{
    const struct json_node *order = json_member(record, "order");
    struct store_round *round;
    unsigned count = 0;

    for (const struct json_node *bot = json_first(order); bot != NULL;
         bot = json_next(order, bot)) {
        if (bot->kind != JSON_NUMBER || bot->number < 0 || bot->number >= store->bot_count)
            return store_refuse_record(problem, "a round");
        count++;
    }
    round = append_round(store, count);
    count = 0;
    for (const struct json_node *bot = json_first(order); bot != NULL; bot = json_next(order, bot))
        round->order[count++] = (uint16_t)bot->number;
    return 0;
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
    long long blocks = json_member_number(record, "commitments", -1);

    if (blocks < 0 || blocks > STORE_BLOCKS_MAX)
        return store_refuse_record(problem, "the commitments");
    set_commitments(store, (unsigned)blocks, json_member_text(record, "sha256", ""));
    return 0;
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

static int read_void(struct store *store, const struct json_node *record, struct text *problem)
{
    (void)store;
    (void)record;
    (void)problem;
    return 0;
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
    {"commitments", read_commitments},
};

int store_read_record(void *context, const struct json_node *record, struct text *problem)
{
    struct store *store = context;
    const struct json_node *first = json_first(record);

    for (size_t i = 0; first != NULL && i < ARRAY_LEN(kinds); i++) {
        if (strcmp(first->key, kinds[i].key) != 0)
            continue;
        if (!store->has_begun && kinds[i].read != read_beginning)
            break;
        return kinds[i].read(store, record, problem);
    }
    text_add(problem, "a record of unknown kind");
    return -1;
}
