/* The records of results. */

#include "tournament/store/store_private.h"

#include "base/memory.h"

#include <string.h>

static void append_result(struct store *store, const struct result *result)
{
    if (result->block >= store->done_capacity) {
        unsigned before = store->done_capacity;

        store->done_capacity = 2 * result->block + 64;
        store->done = xrealloc(store->done, store->done_capacity * sizeof *store->done);
        memset(store->done + before, 0, (store->done_capacity - before) * sizeof *store->done);
    }
    if (store->done[result->block] >> result->rotation & 1)
        return;
    store->done[result->block] |= UINT32_C(1) << result->rotation;
    if (store->result_count == store->result_capacity) {
        store->result_capacity = 2 * store->result_capacity + 256;
        store->results = xrealloc(store->results, store->result_capacity * sizeof *store->results);
    }
    store->results[store->result_count++] = *result;
}

static void open_list(struct json_writer *json, const char *key)
{
    json_key(json, key);
    json_open_list(json);
}

static void put_faults(struct json_writer *json, const struct result *result)
{
    bool has_fault = false;

    for (unsigned seat = 0; seat < result->seats; seat++)
        has_fault = has_fault || result->faults[seat] != BOT_ANSWERED;
    if (!has_fault)
        return;
    open_list(json, "faults");
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if (result->faults[seat] == BOT_ANSWERED)
            json_null(json);
        else
            json_text(json, bot_outcome_name((enum bot_outcome)result->faults[seat]));
    }
    json_close_list(json);
}

/* For each seat, for each box of its histogram that is not empty: the box, and how many answers it
 * has. */
static void put_times(struct json_writer *json, const struct result *result,
                      const struct histogram *times)
{
    open_list(json, "time");
    for (unsigned seat = 0; seat < result->seats; seat++) {
        json_open_list(json);
        for (unsigned box = 0; box < HISTOGRAM_BOXES; box++) {
            if (times[seat].counts[box] == 0)
                continue;
            json_number(json, box);
            json_number(json, times[seat].counts[box]);
        }
        json_close_list(json);
    }
    json_close_list(json);
}

void store_add_result(struct store *store, const struct result *result, const char *log_hash,
                      const struct histogram *times)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "block", result->block);
    json_put_number(json, "rotation", result->rotation);
    open_list(json, "bots");
    for (unsigned seat = 0; seat < result->seats; seat++)
        json_number(json, result->bots[seat]);
    json_close_list(json);
    open_list(json, "places");
    for (unsigned seat = 0; seat < result->seats; seat++)
        json_number(json, result->places[seat]);
    json_close_list(json);
    open_list(json, "halves");
    for (unsigned seat = 0; seat < result->seats; seat++)
        json_number(json, result->score_halves[seat]);
    json_close_list(json);
    json_put_number(json, "rounds", result->rounds);
    put_faults(json, result);
    put_times(json, result, times);
    json_put_text(json, "log", log_hash);
    store_end_record(store);
    append_result(store, result);
    for (unsigned seat = 0; seat < result->seats; seat++) {
        for (unsigned box = 0; box < HISTOGRAM_BOXES; box++)
            histogram_add_box(&store->times[result->bots[seat]], box, times[seat].counts[box]);
    }
}

/* Reads a list of numbers, one per seat. Returns how many there are, or -1. */
static int read_list(const struct json_node *record, const char *key, long long *numbers)
{
    const struct json_node *list = json_member(record, key);
    int count = 0;

    for (const struct json_node *value = json_first(list); value != NULL;
         value = json_next(list, value)) {
        if (value->kind != JSON_NUMBER || count == ALLEGRA_SEATS_MAX)
            return -1;
        numbers[count++] = value->number;
    }
    return count;
}

static void read_faults(const struct json_node *record, struct result *result)
{
    const struct json_node *list = json_member(record, "faults");
    unsigned seat = 0;

    for (const struct json_node *value = json_first(list); value != NULL && seat < result->seats;
         value = json_next(list, value), seat++) {
        for (unsigned i = 1; value->kind == JSON_TEXT && i < BOT_OUTCOME_COUNT; i++) {
            if (strcmp(value->text, bot_outcome_name((enum bot_outcome)i)) == 0)
                result->faults[seat] = (uint8_t)i;
        }
    }
}

static void read_times(struct store *store, const struct json_node *record,
                       const struct result *result)
{
    const struct json_node *list = json_member(record, "time");
    const struct json_node *seat_list = json_first(list);

    for (unsigned seat = 0; seat < result->seats && seat_list != NULL; seat++) {
        const struct json_node *box = json_first(seat_list);

        while (box != NULL) {
            const struct json_node *count = json_next(seat_list, box);

            if (count == NULL)
                break;
            histogram_add_box(&store->times[result->bots[seat]], (unsigned)box->number,
                              (uint32_t)count->number);
            box = json_next(seat_list, count);
        }
        seat_list = json_next(list, seat_list);
    }
}

int store_read_result(struct store *store, const struct json_node *record, struct text *problem)
{
    long long bots[ALLEGRA_SEATS_MAX];
    long long places[ALLEGRA_SEATS_MAX];
    long long halves[ALLEGRA_SEATS_MAX];
    long long block = json_member_number(record, "block", 0);
    long long rotation = json_member_number(record, "rotation", -1);
    int seats = read_list(record, "bots", bots);
    struct result result = {
        .block = (uint32_t)block,
        .rotation = (uint16_t)rotation,
        .seats = (uint8_t)seats,
        .rounds = (uint8_t)json_member_number(record, "rounds", 0),
    };

    if (seats < ALLEGRA_SEATS_MIN || read_list(record, "places", places) != seats ||
        read_list(record, "halves", halves) != seats || block < 1 || block > STORE_BLOCKS_MAX ||
        rotation < 0 || rotation > 31 || result.rounds == 0)
        return store_refuse_record(problem, "a result");
    for (int seat = 0; seat < seats; seat++) {
        if (bots[seat] < 0 || bots[seat] >= store->bot_count)
            return store_refuse_record(problem, "a result's bots");
        result.bots[seat] = (uint16_t)bots[seat];
        result.places[seat] = (uint8_t)places[seat];
        result.score_halves[seat] = (int32_t)halves[seat];
    }
    read_faults(record, &result);
    read_times(store, record, &result);
    append_result(store, &result);
    return 0;
}
