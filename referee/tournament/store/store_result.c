/* The records of results. What is read is checked member by member, and must be what would be
 * written (store_record.c says why). */

#include "tournament/store/store_private.h"

#include "base/memory.h"
#include "tournament/schedule/schedule.h"
#include "wire/json_record.h"

#include <string.h>

#define HALVES_MAX 10000000 /* far more than a match can give */

/* Returns whether it is new: a match counts once. */
static bool append_result(struct store *store, const struct result *result)
{
    if (result->block >= store->done_capacity) {
        unsigned before = store->done_capacity;

        store->done_capacity = 2 * result->block + 64;
        store->done = xrealloc(store->done, store->done_capacity * sizeof *store->done);
        memset(store->done + before, 0, (store->done_capacity - before) * sizeof *store->done);
    }
    if (store->done[result->block] >> result->rotation & 1)
        return false;
    store->done[result->block] |= UINT32_C(1) << result->rotation;
    if (store->result_count == store->result_capacity) {
        store->result_capacity = 2 * store->result_capacity + 256;
        store->results = xrealloc(store->results, store->result_capacity * sizeof *store->results);
    }
    store->results[store->result_count++] = *result;
    return true;
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

/* Its version, and for each seat the four numbers of its luck. */
static void put_luck(struct json_writer *json, const struct result *result)
{
    if (!result->has_luck)
        return;
    json_put_number(json, "luck_version", result->luck_version);
    open_list(json, "luck");
    for (unsigned seat = 0; seat < result->seats; seat++) {
        const struct result_luck *luck = &result->luck[seat];

        json_open_list(json);
        json_number(json, luck->points);
        json_number(json, luck->wins);
        json_number(json, luck->choice);
        json_number(json, luck->choice_spread);
        json_close_list(json);
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

static bool add_result(struct store *store, const struct result *result, const char *log_hash,
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
    put_luck(json, result);
    put_times(json, result, times);
    json_put_text(json, "log", log_hash);
    if (!store_end_record(store))
        return false;
    if (!append_result(store, result))
        return true;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        for (unsigned box = 0; box < HISTOGRAM_BOXES; box++)
            histogram_add_box(&store->times[result->bots[seat]], box, times[seat].counts[box]);
    }
    return true;
}

void store_add_result(struct store *store, const struct result *result, const char *log_hash,
                      const struct histogram *times)
{
    (void)add_result(store, result, log_hash, times);
}

/* A list of numbers with one per seat. */
static void read_seats(struct json_record *reader, const char *key, const long long range[2],
                       long long *numbers, unsigned seats)
{
    if (json_record_numbers(reader, key, range, numbers, ALLEGRA_SEATS_MAX) != seats)
        (void)json_record_refuse_member(reader, key);
}

/* The outcome of that name, or BOT_ANSWERED. */
static enum bot_outcome fault_of(const struct json_node *value)
{
    for (unsigned i = BOT_ANSWERED + 1; value->kind == JSON_TEXT && i < BOT_OUTCOME_COUNT; i++) {
        if (strcmp(value->text, bot_outcome_name((enum bot_outcome)i)) == 0)
            return (enum bot_outcome)i;
    }
    return BOT_ANSWERED;
}

static void read_faults(struct json_record *reader, struct result *result)
{
    const struct json_node *list;
    unsigned seat = 0;

    if (!json_record_has(reader, "faults"))
        return;
    list = json_record_list(reader, "faults", result->seats);
    for (const struct json_node *value = json_first(list); value != NULL;
         value = json_next(list, value)) {
        result->faults[seat] = (uint8_t)fault_of(value);
        if (value->kind != JSON_NULL && result->faults[seat] == BOT_ANSWERED)
            break;
        seat++;
    }
    if (seat != result->seats)
        (void)json_record_refuse_member(reader, "faults");
}

/* Whether a list has the four numbers of a seat's luck. */
static bool read_luck_of(const struct json_node *list, struct result_luck *luck)
{
    int32_t *const members[] = {&luck->points, &luck->wins, &luck->choice, &luck->choice_spread};
    const struct json_node *value = list->kind == JSON_LIST ? json_first(list) : NULL;
    size_t count = 0;

    for (; value != NULL && count < ARRAY_LEN(members); value = json_next(list, value)) {
        if (value->kind != JSON_NUMBER || value->number < -RESULT_LUCK_MAX ||
            value->number > RESULT_LUCK_MAX)
            return false;
        *members[count++] = (int32_t)value->number;
    }
    return value == NULL && count == ARRAY_LEN(members) && luck->choice_spread >= 0;
}

static void read_luck(struct json_record *reader, struct result *result)
{
    const struct json_node *list;
    unsigned seat = 0;

    if (!json_record_has(reader, "luck"))
        return;
    result->has_luck = true;
    result->luck_version = (uint16_t)json_record_number(reader, "luck_version", 1, UINT16_MAX);
    list = json_record_list(reader, "luck", result->seats);
    for (const struct json_node *value = json_first(list);
         value != NULL && read_luck_of(value, &result->luck[seat]); value = json_next(list, value))
        seat++;
    if (seat != result->seats)
        (void)json_record_refuse_member(reader, "luck");
}

/* Whether a list consists of pairs of a box and a count, which are added. */
static bool read_boxes(const struct json_node *list, struct histogram *times)
{
    const struct json_node *box = list->kind == JSON_LIST ? json_first(list) : NULL;

    while (box != NULL) {
        const struct json_node *count = json_next(list, box);

        if (count == NULL || box->kind != JSON_NUMBER || count->kind != JSON_NUMBER ||
            box->number < 0 || box->number >= HISTOGRAM_BOXES || count->number < 1 ||
            count->number > UINT32_MAX)
            return false;
        histogram_add_box(times, (unsigned)box->number, (uint32_t)count->number);
        box = json_next(list, count);
    }
    return list->kind == JSON_LIST;
}

static void read_times(struct json_record *reader, unsigned seats, struct histogram *times)
{
    const struct json_node *list = json_record_list(reader, "time", seats);
    unsigned seat = 0;

    for (const struct json_node *boxes = json_first(list);
         boxes != NULL && read_boxes(boxes, &times[seat]); boxes = json_next(list, boxes))
        seat++;
    if (seat != seats)
        (void)json_record_refuse_member(reader, "time");
}

/* Who played and how it ended. */
static void read_players(struct store *store, struct json_record *reader, struct result *result)
{
    const long long known[2] = {0, (long long)store->bot_count - 1};
    long long bots[ALLEGRA_SEATS_MAX] = {0};
    long long places[ALLEGRA_SEATS_MAX] = {0};
    long long halves[ALLEGRA_SEATS_MAX] = {0};
    unsigned seats = json_record_numbers(reader, "bots", known, bots, ALLEGRA_SEATS_MAX);

    read_seats(reader, "places", (const long long[2]){1, seats}, places, seats);
    read_seats(reader, "halves", (const long long[2]){-HALVES_MAX, HALVES_MAX}, halves, seats);
    if (seats < ALLEGRA_SEATS_MIN)
        (void)json_record_refuse_member(reader, "bots");
    result->seats = (uint8_t)seats;
    for (unsigned seat = 0; seat < seats; seat++) {
        result->bots[seat] = (uint16_t)bots[seat];
        result->places[seat] = (uint8_t)places[seat];
        result->score_halves[seat] = (int32_t)halves[seat];
        for (unsigned other = 0; other < seat; other++) {
            if (bots[other] == bots[seat])
                (void)json_record_refuse_member(reader, "bots");
        }
    }
}

int store_read_result(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    /* The deals of all blocks were committed to before they were played. */
    struct result result = {
        .block = (uint32_t)json_record_number(&reader, "block", 1, store->commitment_count),
        .rotation = (uint16_t)json_record_number(&reader, "rotation", 0, SCHEDULE_SEATINGS_MAX - 1),
        .rounds = (uint8_t)json_record_number(&reader, "rounds", 1, UINT8_MAX),
    };
    struct histogram times[ALLEGRA_SEATS_MAX] = {{.total = 0}};
    const char *log_hash;

    read_players(store, &reader, &result);
    read_faults(&reader, &result);
    read_luck(&reader, &result);
    read_times(&reader, result.seats, times);
    log_hash = store_read_hash(&reader, "log");
    if (reader.is_refused)
        return -1;
    return add_result(store, &result, log_hash, times) ? 0 : store_refuse_bytes(&reader);
}
