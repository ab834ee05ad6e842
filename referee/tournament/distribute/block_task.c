/* Two lines of JSON: the task, and the workers that are shut out. The hash is that of the first. */

#include "tournament/distribute/block_task.h"

#include "base/memory.h"
#include "wire/json_record.h"
#include "wire/json_write.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHUT_OUT_MAX 1000

static void put_match(struct json_writer *json, const struct task *task)
{
    json_open_list(json);
    json_number(json, task->rotation);
    for (unsigned seat = 0; seat < task->seats; seat++)
        json_number(json, task->bots[seat]);
    json_close_list(json);
}

static void put_task(struct json_writer *json, const struct block_task *task)
{
    char seed[2 * DEAL_RANDOM_SEED_BYTES + 1];

    sodium_bin2hex(seed, sizeof seed, task->tasks[0].seed, sizeof task->tasks[0].seed);
    json_open_map(json);
    json_put_text(json, "store", task->store);
    json_put_text(json, "setup", task->setup);
    json_put_number(json, "block", task->tasks[0].block);
    json_put_number(json, "attempt", task->attempt);
    json_put_text(json, "seed", seed);
    json_key(json, "matches");
    json_open_list(json);
    for (unsigned i = 0; i < task->count; i++)
        put_match(json, &task->tasks[i]);
    json_close_list(json);
    json_close_map(json);
}

char *block_task_write(struct block_task *task, const char *shut_out, size_t *length)
{
    struct json_writer *json = json_writer_new(false);
    size_t first;
    const char *bytes;
    char *packed;

    put_task(json, task);
    bytes = json_writer_bytes(json, &first);
    seal_hash((struct span){bytes, first}, task->hash);
    packed = xcalloc(first + 2, 1);
    memcpy(packed, bytes, first);
    packed[first++] = '\n';
    json_writer_clear(json);
    json_open_list(json);
    for (; *shut_out != '\0'; shut_out += strlen(shut_out) + 1)
        json_text(json, shut_out);
    json_close_list(json);
    bytes = json_writer_bytes(json, length);
    packed = xrealloc(packed, first + *length + 1);
    memcpy(packed + first, bytes, *length + 1);
    *length += first;
    json_writer_free(json);
    return packed;
}

static void read_match(struct json_record *record, struct task *task, const struct json_node *item)
{
    unsigned seat = 0;

    for (const struct json_node *number = json_first(item); number != NULL;
         number = json_next(item, number)) {
        bool is_rotation = number == json_first(item);

        if (number->kind != JSON_NUMBER || number->number < 0 ||
            number->number >= (is_rotation ? BLOCK_RESULT_MATCHES_MAX : UINT16_MAX) ||
            seat == ALLEGRA_SEATS_MAX)
            (void)json_record_refuse_member(record, "matches");
        else if (is_rotation)
            task->rotation = (uint16_t)number->number;
        else
            task->bots[seat++] = (uint16_t)number->number;
    }
    task->seats = (uint8_t)seat;
    if (seat < 2)
        (void)json_record_refuse_member(record, "matches");
}

static void read_matches(struct block_task *task, struct json_record *record)
{
    const struct json_node *list = json_record_list(record, "matches", BLOCK_RESULT_MATCHES_MAX);
    unsigned block = (unsigned)json_record_number(record, "block", 1, SCHEDULE_BLOCKS_MAX);
    const char *seed = json_record_text(record, "seed", 2 * DEAL_RANDOM_SEED_BYTES);
    uint8_t bytes[DEAL_RANDOM_SEED_BYTES];
    size_t length = 0;

    if (sodium_hex2bin(bytes, sizeof bytes, seed, strlen(seed), NULL, &length, NULL) != 0 ||
        length != sizeof bytes)
        (void)json_record_refuse_member(record, "seed");
    for (const struct json_node *item = json_first(list); item != NULL && !record->is_refused;
         item = json_next(list, item)) {
        struct task *match = &task->tasks[task->count++];

        match->block = block;
        memcpy(match->seed, bytes, sizeof bytes);
        read_match(record, match, item);
    }
    if (task->count == 0)
        (void)json_record_refuse_member(record, "matches");
}

static bool is_in_list(const struct json_node *list, const char *worker)
{
    for (const struct json_node *item = json_first(list); item != NULL;
         item = json_next(list, item)) {
        if (item->kind == JSON_TEXT && strcmp(item->text, worker) == 0)
            return true;
    }
    return false;
}

static int read_task(struct block_task *task, const struct json_node *root, struct text *problem)
{
    struct json_record record = json_record_start(root, problem);

    snprintf(task->store, sizeof task->store, "%s",
             json_record_text(&record, "store", STORE_ID_HEX));
    snprintf(task->setup, sizeof task->setup, "%s",
             json_record_text(&record, "setup", SEAL_HASH_HEX));
    task->attempt = (unsigned)json_record_number(&record, "attempt", 0, 1000000);
    read_matches(task, &record);
    return record.is_refused ? -1 : 0;
}

int block_task_read(struct block_task *task, struct span bytes, const char *worker,
                    bool *is_shut_out, struct text *problem)
{
    const char *end = bytes.length > 0 ? memchr(bytes.start, '\n', bytes.length) : NULL;
    struct json_document *document = json_document_new();
    const struct json_node *root;
    size_t first;
    int result = -1;

    memset(task, 0, sizeof *task);
    *is_shut_out = false;
    if (end != NULL) {
        first = (size_t)(end - bytes.start);
        seal_hash((struct span){bytes.start, first}, task->hash);
        root = json_read(document, bytes.start, first, problem);
        if (root != NULL)
            result = read_task(task, root, problem);
        root = json_read(document, end + 1, bytes.length - first - 1, problem);
        *is_shut_out = is_in_list(root, worker);
    } else {
        text_add(problem, "it is no task");
    }
    json_document_free(document);
    return result;
}

void block_task_key(const struct block_task *task, char key[BLOCK_TASK_KEY_MAX])
{
    uint32_t matches = 0;

    for (unsigned i = 0; i < task->count; i++)
        matches |= UINT32_C(1) << task->tasks[i].rotation;
    snprintf(key, BLOCK_TASK_KEY_MAX, "%s.%u.%x.%u", task->store, task->tasks[0].block, matches,
             task->attempt);
}

void block_task_function(const struct seal_key *key, enum sandbox_level level,
                         char name[BLOCK_TASK_FUNCTION_MAX])
{
    snprintf(name, BLOCK_TASK_FUNCTION_MAX, "referee-block-%s-%s", sandbox_level_name(level),
             key->name);
}

void block_task_files_function(const struct seal_key *key, const char *store,
                               char name[BLOCK_TASK_FUNCTION_MAX])
{
    snprintf(name, BLOCK_TASK_FUNCTION_MAX, "referee-files-%s-%s", store, key->name);
}
