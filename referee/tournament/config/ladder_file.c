/* A ladder's file is read with the tables of the tournament file: the rows that say how a match is
 * played are taken from there, so both files have the same words for the same things. The config is
 * the first member of a ladder, so the rows find their members in it. */

#include "tournament/config/ladder_file.h"

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SEATS_DEFAULT 4
/* With fewer, opponents are chosen so often that the intervals become too narrow. */
#define DEALS_DEFAULT 6
#define FINAL_DEALS 100
#define FINAL_MATCHES 2000
#define EXAMPLE "{\"name\": \"club\", \"deadline\": \"2030-01-31T18:00Z\"}"

_Static_assert(offsetof(struct ladder_file, config) == 0, "rows of the tournament file do not fit");

static config_key_fn read_name, read_deadline, read_final;

#define RANGE(from, to, without) .least = (from), .most = (to), .default_value = (without)
#define MEMBER(member) CONFIG_MEMBER(ladder_file, member)

enum { NAME, VERSIONS, ENOUGH, AT_ONCE, KEEP, DEADLINE, FINAL, OWN_KEYS };

static const struct config_key own_keys[OWN_KEYS] = {
    [NAME] = {"name", "what it is called, also in addresses", read_name, .is_required = true,
              .takes = "1 to 32 letters, digits, \".\", \"-\" and \"_\""},
    [VERSIONS] = {"versions", "which versions of a bot play", config_read_choice, MEMBER(versions),
                  .choices = {[LADDER_NEWEST] = "newest", [LADDER_ALL] = "all"}},
    [ENOUGH] = {"enough", "deals after which a version plays only as an opponent of others",
                config_read_number, MEMBER(enough), RANGE(1, 1000000, 120)},
    [AT_ONCE] = {"at_once", "tables in the queue at a time", config_read_number, MEMBER(at_once),
                 RANGE(1, 100, 2)},
    [KEEP] = {"keep", "how many tables keep their logs; older ones keep only places and luck",
              config_read_number, MEMBER(keep), RANGE(0, 1000000, 1000)},
    [DEADLINE] = {"deadline", "when the last version enters and the final begins, in UTC",
                  read_deadline, .takes = "a time, \"2030-01-31T18:00Z\"", .default_text = "none"},
    [FINAL] = {"final", "a round robin of all, after the deadline", read_final,
               .takes = "a map, {\"deals\": 100, \"matches\": 2000, \"seatings\": \"single\"}",
               .default_text = "100 deals per group of bots, at most 2000 matches"},
};

/* Rows of the tournament file that a ladder has, too; and those of its final. */
static const enum config_key_number shared_keys[] = {
    CONFIG_EDITION,  CONFIG_RULES,   CONFIG_VARIANT, CONFIG_SEATS,    CONFIG_DEALS,
    CONFIG_SEATINGS, CONFIG_CLOCK,   CONFIG_PONDER,  CONFIG_START_MS, CONFIG_MOVE_MS,
    CONFIG_BANK_MS,  CONFIG_CONTAIN, CONFIG_TABLES,  CONFIG_REUSE,    CONFIG_LUCK,
};

static const enum config_key_number final_keys[] = {CONFIG_DEALS, CONFIG_MATCHES, CONFIG_SEATINGS};

#define KEY_COUNT (OWN_KEYS + ARRAY_LEN(shared_keys))

/* The rows of a file. Their defaults are those of a ladder. */
static void collect_keys(struct config_key keys[KEY_COUNT])
{
    memcpy(keys, own_keys, sizeof own_keys);
    for (size_t i = 0; i < ARRAY_LEN(shared_keys); i++) {
        struct config_key *key = &keys[OWN_KEYS + i];

        *key = config_keys[shared_keys[i]];
        if (shared_keys[i] == CONFIG_SEATS)
            key->default_value = SEATS_DEFAULT;
        if (shared_keys[i] == CONFIG_DEALS)
            key->default_value = DEALS_DEFAULT;
        if (shared_keys[i] == CONFIG_SEATINGS)
            key->default_value = SCHEDULE_ROTATIONS;
        if (shared_keys[i] == CONFIG_SEATS || shared_keys[i] == CONFIG_DEALS)
            key->default_text = NULL;
        if (shared_keys[i] == CONFIG_DEALS)
            key->meaning = "deals per table";
    }
}

static void collect_final_keys(struct config_key keys[ARRAY_LEN(final_keys)])
{
    for (size_t i = 0; i < ARRAY_LEN(final_keys); i++)
        keys[i] = config_keys[final_keys[i]];
    keys[0].default_value = FINAL_DEALS;
    keys[0].default_text = NULL;
    keys[1].default_value = FINAL_MATCHES;
}

static struct ladder_file *file_of(const struct config_map *map)
{
    return map->object;
}

static bool read_name(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    if (!config_is_text(node) ||
        !span_is_name((struct span){node->text, node->length}, CONFIG_NAME_MAX))
        return config_refuse(reader, map, key, node);
    memcpy(file_of(map)->name, node->text, node->length);
    return true;
}

/* "2030-01-31T18:00Z", perhaps with seconds. A day that does not exist comes back as another. */
static bool read_time(const char *text, int64_t *seconds)
{
    static const char *const forms[] = {"%Y-%m-%dT%H:%MZ", "%Y-%m-%dT%H:%M:%SZ"};

    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        struct tm time = {0};
        const char *end = strptime(text, forms[i], &time);
        int day = time.tm_mday;

        if (end == NULL || *end != '\0')
            continue;
        *seconds = timegm(&time);
        return time.tm_mday == day;
    }
    return false;
}

static bool read_deadline(struct config_reader *reader, const struct config_map *map,
                          const struct config_key *key, const struct json_node *node)
{
    struct ladder_file *file = file_of(map);

    if (!config_is_text(node) || !read_time(node->text, &file->deadline_s))
        return config_refuse(reader, map, key, node);
    file->has_deadline = true;
    return true;
}

static bool read_final(struct config_reader *reader, const struct config_map *map,
                       const struct config_key *key, const struct json_node *node)
{
    struct config_key keys[ARRAY_LEN(final_keys)];
    struct config_map final = {
        .keys = keys, .count = ARRAY_LEN(keys), .object = &file_of(map)->final, .path = "final"};

    if (node->kind != JSON_MAP)
        return config_refuse(reader, map, key, node);
    collect_final_keys(keys);
    config_map_read(reader, &final, node);
    return true;
}

static void check(struct config_reader *reader, const struct config_map *map,
                  const struct json_node *root)
{
    struct ladder_file *file = file_of(map);
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    if (map->found[NAME] == NULL)
        config_add_problem(reader, root->at, "name is missing: what the ladder is called");
    if (reader->problem_count == 0 &&
        rules_check(&file->config.rules, file->config.schedule.seats, &text) != 0)
        config_add_problem(reader, root->at, "rules: %s", sentence);
    if (file->config.schedule.seats > SEATS_DEFAULT &&
        (file->config.schedule.seatings == SCHEDULE_ALL ||
         file->final.schedule.seatings == SCHEDULE_ALL))
        config_add_problem(reader, root->at,
                           "seatings takes \"rotations\" or \"single\" with %u "
                           "seats: \"all\" is for %d at most",
                           file->config.schedule.seats, SEATS_DEFAULT);
}

static struct ladder_file *read_file(struct config_reader *reader, const char *path,
                                     config_problem_fn *problem, void *context)
{
    struct ladder_file *file = xcalloc(1, sizeof *file);
    struct config_key keys[KEY_COUNT];
    struct config_key last_keys[ARRAY_LEN(final_keys)];
    struct config_map map = {.keys = keys, .count = KEY_COUNT, .object = file};
    struct config_map final = {
        .keys = last_keys, .count = ARRAY_LEN(last_keys), .object = &file->final};

    collect_keys(keys);
    collect_final_keys(last_keys);
    config_map_start(&final);
    reader->config = &file->config;
    reader->rules = &file->config.rules;
    reader->variant = file->config.variant;
    file->config.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    file->config.folder = config_folder_of(path);
    config_read_document(reader, &map, EXAMPLE, check);
    if (reader->problem_count > 0) {
        config_report_problems(reader, problem, context);
        ladder_file_free(file);
        return NULL;
    }
    if (file->config.sandbox == NULL)
        file->config.sandbox = xstrdup(config_keys[CONFIG_CONTAIN].choices[0]);
    return file;
}

struct ladder_file *ladder_file_read(struct span bytes, config_problem_fn *problem, void *context)
{
    struct config_reader reader = {.source = {bytes.length > 0 ? bytes.start : "", bytes.length}};

    return read_file(&reader, "", problem, context);
}

struct ladder_file *ladder_file_load(const char *path, config_problem_fn *problem, void *context)
{
    char sentence[200];
    size_t length = 0;
    char *bytes = config_load_bytes(path, &length);
    struct config_reader reader = {.source = {bytes, length}, .opens_files = true};
    struct ladder_file *file;

    if (bytes == NULL) {
        snprintf(sentence, sizeof sentence, "cannot read it: %s", strerror(errno));
        problem(context, 0, 0, sentence);
        return NULL;
    }
    file = read_file(&reader, path, problem, context);
    free(bytes);
    return file;
}

void ladder_file_free(struct ladder_file *file)
{
    if (file != NULL)
        config_free(&file->config);
}

void ladder_file_write_keys(struct text *text)
{
    struct config_key keys[KEY_COUNT];
    struct config_key last_keys[ARRAY_LEN(final_keys)];

    collect_keys(keys);
    collect_final_keys(last_keys);
    for (size_t i = 0; i < KEY_COUNT; i++) {
        config_write_key(text, "", &keys[i]);
        for (size_t j = 0; i == FINAL && j < ARRAY_LEN(last_keys); j++)
            config_write_key(text, "final", &last_keys[j]);
    }
}
