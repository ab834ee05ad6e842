/* A list of tables and a list of matches, those of one table side by side. Deals of different
 * tables are different, so blocks get numbers of their own: those of the table behind all that came
 * before. */

#include "serve/ladder/ladder_results.h"

#include "base/memory.h"
#include "tournament/schedule/schedule.h"
#include "wire/json_record.h"
#include "wire/json_write.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MATCHES_MAX 1000000 /* of one table */
#define BLOCK_MAX 10000000
#define JOB_MAX 100000000 /* far more than a daemon plays */
#define VERSIONS_MAX UINT16_MAX
#define NUMBERS_MAX (2 + 2 * ALLEGRA_SEATS_MAX) /* in one list */
#define TIME_MAX 100000000000LL

struct ladder_results {
    struct journal *journal;
    struct json_writer *writer;
    char (*versions)[LADDER_VERSION_MAX];
    unsigned version_count;
    struct ladder_table *tables;
    unsigned table_count;
    unsigned *by_job; /* by number of a job: the place of its table, from 1; 0: it has none */
    size_t job_limit;
    struct result *matches;
    size_t match_count, match_capacity;
    uint32_t blocks; /* the highest number that is used */
};

/* The lists. */

int ladder_results_find_version(const struct ladder_results *results, const char *version)
{
    for (unsigned i = results->version_count; i-- > 0;) {
        if (strcmp(results->versions[i], version) == 0)
            return (int)i;
    }
    return -1;
}

static unsigned insert_version(struct ladder_results *results, const char *version)
{
    int known = ladder_results_find_version(results, version);

    if (known >= 0)
        return (unsigned)known;
    results->versions =
        xrealloc(results->versions, (results->version_count + 1) * sizeof *results->versions);
    memset(results->versions[results->version_count], 0, sizeof *results->versions);
    memcpy(results->versions[results->version_count], version, strlen(version));
    return results->version_count++;
}

static void index_table(struct ladder_results *results, unsigned index)
{
    unsigned job = results->tables[index].job;

    if (job >= results->job_limit) {
        size_t limit = 2 * (size_t)job + 64;

        results->by_job = xrealloc(results->by_job, limit * sizeof *results->by_job);
        memset(results->by_job + results->job_limit, 0,
               (limit - results->job_limit) * sizeof *results->by_job);
        results->job_limit = limit;
    }
    results->by_job[job] = index + 1;
}

static void remove_table(struct ladder_results *results, unsigned index)
{
    struct ladder_table gone = results->tables[index];

    results->by_job[gone.job] = 0;
    memmove(&results->matches[gone.first], &results->matches[gone.first + gone.count],
            (results->match_count - gone.first - gone.count) * sizeof *results->matches);
    results->match_count -= gone.count;
    memmove(&results->tables[index], &results->tables[index + 1],
            (results->table_count - index - 1) * sizeof *results->tables);
    results->table_count--;
    for (unsigned i = index; i < results->table_count; i++) {
        results->tables[i].first -= gone.count;
        index_table(results, i);
    }
}

static void insert_match(struct ladder_results *results, const struct ladder_table *table,
                         const struct result *match)
{
    struct result *kept;

    if (results->match_count == results->match_capacity) {
        results->match_capacity = 2 * results->match_capacity + 64;
        results->matches =
            xrealloc(results->matches, results->match_capacity * sizeof *results->matches);
    }
    kept = &results->matches[results->match_count++];
    *kept = *match;
    kept->block += results->blocks;
    for (unsigned seat = 0; seat < match->seats; seat++)
        kept->bots[seat] = (uint16_t)table->versions[match->bots[seat]];
}

static int compare_blocks(const void *left, const void *right)
{
    const struct result *a = left;
    const struct result *b = right;

    if (a->block != b->block)
        return (a->block > b->block) - (a->block < b->block);
    return (a->rotation > b->rotation) - (a->rotation < b->rotation);
}

/* The matches are in the order of their deals. */
static void insert_table(struct ladder_results *results, struct ladder_table table,
                         const char *const *versions, const struct result *matches)
{
    const struct ladder_table *before = ladder_results_find_table(results, table.job);

    if (before != NULL)
        remove_table(results, (unsigned)(before - results->tables));
    for (unsigned i = 0; i < table.version_count; i++)
        table.versions[i] = insert_version(results, versions[i]);
    table.first = results->match_count;
    table.deals = 0;
    table.block_offset = results->blocks;
    for (size_t i = 0; i < table.count; i++) {
        insert_match(results, &table, &matches[i]);
        table.deals += i == 0 || matches[i].block != matches[i - 1].block;
    }
    results->blocks += table.count > 0 ? matches[table.count - 1].block : 0;
    results->tables =
        xrealloc(results->tables, (results->table_count + 1) * sizeof *results->tables);
    results->tables[results->table_count++] = table;
    index_table(results, results->table_count - 1);
}

/* Records. */

/* The version of luck, the rotation, and for each seat what its choices drew and the spread. */
static void write_luck(struct json_writer *writer, const struct result *match)
{
    json_open_list(writer);
    json_number(writer, match->luck_version);
    json_number(writer, match->rotation);
    for (unsigned seat = 0; seat < match->seats; seat++) {
        json_number(writer, match->luck[seat].choice);
        json_number(writer, match->luck[seat].choice_spread);
    }
    json_close_list(writer);
}

/* The block, for each seat the bot and its place, and the luck if it was measured. */
static void write_match(struct json_writer *writer, const struct result *match)
{
    json_open_list(writer);
    json_number(writer, match->block);
    for (unsigned seat = 0; seat < match->seats; seat++) {
        json_number(writer, match->bots[seat]);
        json_number(writer, match->places[seat]);
    }
    if (match->has_luck)
        write_luck(writer, match);
    json_close_list(writer);
}

/* The record of a table. Lent, until the next one. */
static const char *write_record(struct ladder_results *results, const struct ladder_table *table,
                                const char *const *versions, const struct result *matches,
                                size_t *length)
{
    struct json_writer *writer = results->writer;

    json_writer_clear(writer);
    json_open_map(writer);
    json_put_number(writer, "table", table->job);
    json_put_number(writer, "ended_s", table->ended_s);
    json_put_number(writer, "is_failed", table->is_failed);
    json_key(writer, "versions");
    json_open_list(writer);
    for (unsigned i = 0; i < table->version_count; i++)
        json_text(writer, versions[i]);
    json_close_list(writer);
    json_key(writer, "matches");
    json_open_list(writer);
    for (size_t i = 0; i < table->count; i++)
        write_match(writer, &matches[i]);
    json_close_list(writer);
    json_close_map(writer);
    return json_writer_bytes(writer, length);
}

static void add_record(struct ladder_results *results, const struct ladder_table *table,
                       const char *const *versions, const struct result *matches)
{
    size_t length;
    const char *bytes = write_record(results, table, versions, matches, &length);

    journal_add(results->journal, bytes, length);
}

/* "NAME@VERSION". */
static bool is_version(const struct json_node *node)
{
    struct span rest = {node->text, node->length};
    struct span name;
    long number;

    if (node->kind != JSON_TEXT || node->length >= LADDER_VERSION_MAX)
        return false;
    name = span_cut(&rest, '@');
    return name.length > 0 && rest.start != NULL && span_is_name(name, LADDER_VERSION_MAX) &&
           span_read_number(rest, 1, INT_MAX, &number) == 0;
}

static unsigned take_versions(struct json_record *reader, const char **versions)
{
    const struct json_node *list = json_record_list(reader, "versions", ALLEGRA_SEATS_MAX);
    unsigned count = 0;

    for (const struct json_node *node = json_first(list); node != NULL && !reader->is_refused;
         node = json_next(list, node)) {
        if (!is_version(node))
            (void)json_record_refuse_member(reader, "versions");
        versions[count++] = node->text;
    }
    return count;
}

/* Takes the numbers that a list begins with. Returns how many, and what comes after them. */
static unsigned take_numbers(const struct json_node *list, long long numbers[NUMBERS_MAX],
                             const struct json_node **rest)
{
    const struct json_node *node = json_first(list);
    unsigned count = 0;

    for (; node != NULL && node->kind == JSON_NUMBER && count < NUMBERS_MAX;
         node = json_next(list, node))
        numbers[count++] = node->number;
    *rest = node;
    return count;
}

/* Returns whether luck is possible. */
static bool take_luck(const struct json_node *list, struct result *match)
{
    const struct json_node *rest;
    long long numbers[NUMBERS_MAX];

    if (list->kind != JSON_LIST || take_numbers(list, numbers, &rest) != 2U + 2U * match->seats ||
        rest != NULL || numbers[0] < 1 || numbers[0] > UINT16_MAX || numbers[1] < 0 ||
        numbers[1] >= SCHEDULE_SEATINGS_MAX)
        return false;
    match->has_luck = true;
    match->luck_version = (uint16_t)numbers[0];
    match->rotation = (uint16_t)numbers[1];
    for (unsigned seat = 0; seat < match->seats; seat++) {
        long long choice = numbers[2 + 2 * seat], spread = numbers[3 + 2 * seat];

        if (choice < -RESULT_LUCK_MAX || choice > RESULT_LUCK_MAX || spread < 0 ||
            spread > RESULT_LUCK_MAX)
            return false;
        match->luck[seat].choice = (int32_t)choice;
        match->luck[seat].choice_spread = (int32_t)spread;
    }
    return true;
}

/* Returns whether a match is possible. */
static bool take_match(const struct json_node *list, unsigned versions, struct result *match)
{
    const struct json_node *luck;
    long long numbers[NUMBERS_MAX];
    unsigned count;

    if (list->kind != JSON_LIST)
        return false;
    count = take_numbers(list, numbers, &luck);
    if (count < 5 || count % 2 == 0 || numbers[0] < 1 || numbers[0] > BLOCK_MAX)
        return false;
    *match = (struct result){.block = (uint32_t)numbers[0], .seats = (uint8_t)(count / 2)};
    for (unsigned seat = 0; seat < match->seats; seat++) {
        long long bot = numbers[1 + 2 * seat], place = numbers[2 + 2 * seat];

        if (bot < 0 || bot >= versions || place < 1 || place > match->seats)
            return false;
        match->bots[seat] = (uint16_t)bot;
        match->places[seat] = (uint8_t)place;
    }
    return luck == NULL || (take_luck(luck, match) && json_next(list, luck) == NULL);
}

/* It must be what would be written with the same values. */
static int take_record(void *context, const struct json_node *record, struct span bytes,
                       struct text *problem)
{
    struct ladder_results *results = context;
    struct json_record reader = json_record_start(record, problem);
    const char *versions[ALLEGRA_SEATS_MAX];
    struct ladder_table table = {
        .job = (unsigned)json_record_number(&reader, "table", 1, JOB_MAX),
        .ended_s = json_record_number(&reader, "ended_s", 0, TIME_MAX),
        .is_failed = json_record_number(&reader, "is_failed", 0, 1) == 1,
        .version_count = take_versions(&reader, versions),
    };
    const struct json_node *list = json_record_list(&reader, "matches", MATCHES_MAX);
    struct result *matches = xcalloc(json_count(list) + 1U, sizeof *matches);
    const char *again;
    size_t length;

    for (const struct json_node *node = json_first(list); node != NULL && !reader.is_refused;
         node = json_next(list, node)) {
        if (!take_match(node, table.version_count, &matches[table.count++]))
            (void)json_record_refuse_member(&reader, "matches");
    }
    if (results->version_count + table.version_count > VERSIONS_MAX ||
        results->blocks > UINT32_MAX - BLOCK_MAX)
        (void)json_record_refuse(&reader, "a ladder has too many versions or matches");
    if (!reader.is_refused) {
        qsort(matches, table.count, sizeof *matches, compare_blocks);
        again = write_record(results, &table, versions, matches, &length);
        if (!journal_has_bytes(again, length, bytes))
            (void)json_record_refuse(&reader, "it is not written as the daemon writes it");
    }
    if (!reader.is_refused)
        insert_table(results, table, versions, matches);
    free(matches);
    return reader.is_refused ? -1 : 0;
}

static const char *find_way_out(void *context, unsigned long good_lines)
{
    (void)context;
    (void)good_lines;
    return "restore the file from a backup, or use --salvage to keep everything before that line";
}

/* The file. */

struct ladder_results *ladder_results_open(const char *path, enum journal_mode mode,
                                           struct text *problem)
{
    struct ladder_results *results = xcalloc(1, sizeof *results);
    struct journal_reader reader = {take_record, find_way_out, results};
    char message[500];
    struct text why;

    text_start(&why, message, sizeof message);
    results->writer = json_writer_new(false);
    results->journal = journal_open(path, mode, &reader, &why);
    if (results->journal != NULL &&
        (mode != JOURNAL_SALVAGE || journal_salvage(results->journal) == 0))
        return results;
    text_printf(problem, "%s: %s", path, results->journal != NULL ? strerror(errno) : message);
    ladder_results_free(results);
    return NULL;
}

void ladder_results_free(struct ladder_results *results)
{
    if (results == NULL)
        return;
    journal_free(results->journal);
    json_writer_free(results->writer);
    free(results->versions);
    free(results->tables);
    free(results->by_job);
    free(results->matches);
    free(results);
}

unsigned ladder_results_version_count(const struct ladder_results *results)
{
    return results->version_count;
}

const char *ladder_results_version(const struct ladder_results *results, unsigned number)
{
    return results->versions[number];
}

const struct result *ladder_results_list(const struct ladder_results *results, size_t *count)
{
    *count = results->match_count;
    return results->matches;
}

unsigned ladder_results_table_count(const struct ladder_results *results)
{
    return results->table_count;
}

const struct ladder_table *ladder_results_table(const struct ladder_results *results,
                                                unsigned index)
{
    return &results->tables[index];
}

const struct ladder_table *ladder_results_find_table(const struct ladder_results *results,
                                                     unsigned job)
{
    unsigned place = job < results->job_limit ? results->by_job[job] : 0;

    return place > 0 ? &results->tables[place - 1] : NULL;
}

int ladder_results_add(struct ladder_results *results, const struct ladder_table *table,
                       const char *const *versions, struct result *matches)
{
    size_t mark = journal_mark(results->journal);

    if (results->version_count + table->version_count > VERSIONS_MAX) {
        errno = ENOSPC;
        return -1;
    }
    qsort(matches, table->count, sizeof *matches, compare_blocks);
    add_record(results, table, versions, matches);
    if (journal_write(results->journal) != 0) {
        int why = errno;

        journal_return(results->journal, mark);
        errno = why;
        return -1;
    }
    insert_table(results, *table, versions, matches);
    return 0;
}

/* The record of a table that is in the lists. */
static void add_again(struct ladder_results *results, const struct ladder_table *table)
{
    struct result *matches = xcalloc(table->count + 1, sizeof *matches);
    const char *versions[ALLEGRA_SEATS_MAX];

    for (unsigned i = 0; i < table->version_count; i++)
        versions[i] = results->versions[table->versions[i]];
    for (size_t i = 0; i < table->count; i++) {
        matches[i] = results->matches[table->first + i];
        matches[i].block -= table->block_offset;
        for (unsigned seat = 0; seat < matches[i].seats; seat++) {
            unsigned bot = 0;

            while (table->versions[bot] != matches[i].bots[seat])
                bot++;
            matches[i].bots[seat] = (uint16_t)bot;
        }
    }
    add_record(results, table, versions, matches);
    free(matches);
}

int ladder_results_filter(struct ladder_results *results,
                          bool (*is_wanted)(void *context, const struct ladder_table *table),
                          void *context)
{
    unsigned before = results->table_count;

    for (unsigned i = results->table_count; i-- > 0;) {
        if (!is_wanted(context, &results->tables[i]))
            remove_table(results, i);
    }
    if (results->table_count == before)
        return 0;
    journal_start_over(results->journal);
    for (unsigned i = 0; i < results->table_count; i++)
        add_again(results, &results->tables[i]);
    return journal_write(results->journal);
}
