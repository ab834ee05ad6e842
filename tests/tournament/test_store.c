/* The store: what was written is there again, deals keep their commitments, logs move when they
 * may. */

#include "tournament/store/store.h"

#include "base/memory.h"
#include "support/scratch.h"
#include "tournament/store/journal.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void begin_all(void)
{
    cr_assert_eq(deal_random_init(), 0);
    scratch_begin();
}

#define SEEDS 20

/* Of any log. */
#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

TestSuite(store, .init = begin_all, .fini = scratch_end);

static char sentence[600];

static struct store *try_open(const char *name, enum journal_mode mode)
{
    struct text problem;

    text_start(&problem, sentence, sizeof sentence);
    return store_open(scratch_path(name), mode, &problem);
}

static struct store *open_good(const char *name, enum journal_mode mode)
{
    struct store *store = try_open(name, mode);

    cr_assert_not_null(store, "%s", sentence);
    return store;
}

static void repair(struct store *store)
{
    struct text problem;

    text_start(&problem, sentence, sizeof sentence);
    cr_assert_eq(store_repair(store, &problem), 0, "%s", sentence);
}

static const struct store_setting settings[] = {
    {"format", "round-robin"}, {"deals", "3"}, {NULL, NULL}};

/* A store with three bots. */
static struct store *make(const char *name, const char *seed_text)
{
    static char *const names[] = {"ann", "bob", "cy"};
    struct store *store = open_good(name, JOURNAL_WRITE);

    cr_assert(store_is_new(store));
    cr_assert_eq(store_begin(store, "cup", settings, seed_text), 0);
    for (unsigned i = 0; i < 3; i++) {
        struct store_bot bot = {.name = names[i], .command = names[i], .generation = 1};

        memset(bot.hash, '0' + (int)i, sizeof bot.hash - 1);
        store_add_bot(store, &bot);
    }
    return store;
}

static void add_result(struct store *store, unsigned block, unsigned rotation)
{
    struct histogram times[ALLEGRA_SEATS_MAX] = {{.total = 0}};
    struct result result = {
        .block = block,
        .rotation = (uint16_t)rotation,
        .seats = 2,
        .rounds = 3,
        .bots = {(uint16_t)(block % 3), (uint16_t)((block + 1) % 3)},
        .places = {1, 2},
        .faults = {BOT_ANSWERED, (uint8_t)((block + rotation) % BOT_OUTCOME_COUNT)},
        .score_halves = {-7 + (int32_t)block, 1000},
        .has_luck = block % 2 == 0,
        .luck_version = block % 2 == 0 ? 7 : 0,
    };

    if (result.has_luck) {
        result.luck[0] = (struct result_luck){-12345, RESULT_LUCK_MAX, -RESULT_LUCK_MAX, 0};
        result.luck[1] = (struct result_luck){(int32_t)block, -250000, 7, 120003};
    }

    for (unsigned i = 0; i <= block; i++)
        histogram_add(&times[0], (int64_t)i * 1000);
    histogram_add(&times[1], 123456789);
    store_add_result(store, &result, HASH, times);
}

static void fill(struct store *store)
{
    uint16_t order[] = {2, 0, 1};

    for (unsigned block = 1; block <= 20; block++) {
        add_result(store, block, 0);
        if (block % 4 != 0)
            add_result(store, block, 1);
    }
    store_set(store, "deals", "5");
    store_set(store, "new", "words \"quoted\" \xc3\xa4");
    store_change_bot(store, 1, "./bob --fast", HASH);
    store_withdraw_bot(store, 0, true);
    store_withdraw_bot(store, 2, true);
    store_withdraw_bot(store, 2, false);
    store_add_round(store, order, 3);
    store_add_round(store, order + 1, 2);
    store_add_void(store, 20, 1, "the world is at fault");
}

static void expect_same_bots(const struct store *one, const struct store *other)
{
    cr_assert_eq(store_bot_count(one), store_bot_count(other));
    for (unsigned i = 0; i < store_bot_count(one); i++) {
        const struct store_bot *a = store_bot(one, i);
        const struct store_bot *b = store_bot(other, i);

        cr_assert_str_eq(a->name, b->name);
        cr_assert_str_eq(a->command, b->command);
        cr_assert_str_eq(a->hash, b->hash);
        cr_assert_eq(a->generation, b->generation);
        cr_assert_eq(a->is_withdrawn, b->is_withdrawn);
        cr_assert_eq(store_find_bot(other, a->name), (int)i);
        cr_assert_eq(memcmp(store_times(one, i), store_times(other, i), sizeof(struct histogram)),
                     0);
    }
}

static void expect_same(const struct store *one, const struct store *other)
{
    static const char *const keys[] = {"format", "deals", "new"};
    size_t count;
    size_t other_count;
    const struct result *results = store_results(one, &count);
    const struct result *other_results = store_results(other, &other_count);

    expect_same_bots(one, other);
    cr_assert_eq(count, other_count);
    cr_assert_eq(memcmp(results, other_results, count * sizeof *results), 0);
    for (unsigned block = 0; block < 100; block++)
        cr_assert_eq(store_done(one, block), store_done(other, block), "block %u", block);
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        cr_assert_str_eq(store_setting(one, keys[i]), store_setting(other, keys[i]));
    cr_assert_eq(store_round_count(one), store_round_count(other));
    for (unsigned i = 0; i < store_round_count(one); i++) {
        cr_assert_eq(store_round(one, i)->count, store_round(other, i)->count);
        cr_assert_eq(memcmp(store_round(one, i)->order, store_round(other, i)->order,
                            store_round(one, i)->count * sizeof(uint16_t)),
                     0);
    }
    cr_assert_str_eq(store_name(one), store_name(other));
    cr_assert_eq(store_is_guessable(one), store_is_guessable(other));
}

Test(store, a_store_that_was_written_is_read_again)
{
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "open" : "secret";
        struct store *store = make(name, i == 0 ? "words" : NULL);
        struct store *again;

        cr_assert_eq(store_commit(store, 100), 0);
        fill(store);
        cr_assert(store_is_waiting(store));
        cr_assert_eq(store_write(store), 0);
        cr_assert_not(store_is_waiting(store));
        again = open_good(name, JOURNAL_READ);
        cr_assert_not(store_is_new(again));
        expect_same(store, again);
        cr_assert_eq(store_is_guessable(again), i == 0);
        cr_assert_eq(store_done(again, 4), 1);
        cr_assert_eq(store_done(again, 5), 3);
        cr_assert_eq(store_find_bot(again, "dora"), -1);
        cr_assert_null(store_setting(again, "colour"));
        store_free(again);
        store_free(store);
    }
}

Test(store, a_match_counts_once)
{
    struct store *store = make("store", "words");
    size_t count;

    cr_assert_eq(store_commit(store, 1), 0);
    for (int i = 0; i < 3; i++)
        add_result(store, 1, 1);
    (void)store_results(store, &count);
    cr_assert_eq(count, 1);
    cr_assert_eq(store_write(store), 0);
    store_free(store);
    store = open_good("store", JOURNAL_WRITE);
    (void)store_results(store, &count);
    cr_assert_eq(count, 1);
    cr_assert_eq(store_done(store, 1), 2);
    store_free(store);
}

Test(store, nothing_counts_that_was_not_written)
{
    struct store *store = make("store", "words");
    size_t count;

    cr_assert_eq(store_write(store), 0);
    add_result(store, 1, 0);
    store_free(store);
    store = open_good("store", JOURNAL_READ);
    (void)store_results(store, &count);
    cr_assert_eq(count, 0);
    store_free(store);
}

/* The commitments as anybody works them out. */
static void expect_commitments(const struct store *store, const char *name, unsigned blocks)
{
    size_t length;
    char *lines = scratch_read(name, &length);
    char *line = lines;

    for (unsigned block = 1; block <= blocks; block++) {
        uint8_t seed[DEAL_RANDOM_SEED_BYTES];
        unsigned char hash[crypto_hash_sha256_BYTES];
        char hex[65];
        char wanted[100];

        store_seed(store, block, seed);
        crypto_hash_sha256(hash, seed, sizeof seed);
        sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
        (void)snprintf(wanted, sizeof wanted, "%u %s\n", block, hex);
        cr_assert_eq(strncmp(line, wanted, strlen(wanted)), 0, "block %u", block);
        line += strlen(wanted);
    }
    cr_assert_eq(*line, '\0');
    free(lines);
}

Test(store, commitments_are_hashes_of_seeds_and_grow)
{
    struct store *store = make("store", NULL);

    cr_assert_eq(store_commit(store, 5), 0);
    expect_commitments(store, "store/commitments", 5);
    cr_assert_eq(store_commit(store, 3), 0);
    expect_commitments(store, "store/commitments", 5);
    store_free(store);
    store = open_good("store", JOURNAL_WRITE);
    cr_assert_eq(unlink(scratch_path("store/commitments")), 0);
    cr_assert_eq(store_commit(store, 3), 0);
    expect_commitments(store, "store/commitments", 5);
    cr_assert_eq(store_commit(store, 9), 0);
    expect_commitments(store, "store/commitments", 9);
    store_free(store);
}

static bool is_there(const char *name)
{
    return access(scratch_path(name), F_OK) == 0;
}

static void expect_file(const char *name, const char *bytes, size_t length)
{
    size_t found;
    char *content = scratch_read(name, &found);

    cr_assert_eq(found, length);
    cr_assert_arr_eq(content, bytes, length);
    free(content);
}

Test(store, another_master_is_found_out)
{
    struct store *store = make("store", NULL);
    size_t length;
    char *master;

    cr_assert_eq(store_commit(store, 5), 0);
    store_free(store);
    master = scratch_read("store/master", &length);
    cr_assert_eq(length, 65);
    master[10] = master[10] == '0' ? '1' : '0';
    scratch_write("store/master", master, length);
    cr_assert_null(try_open("store", JOURNAL_WRITE));
    cr_assert_not_null(strstr(sentence, "not of the same tournament"), "%s", sentence);
    cr_assert_null(try_open("store", JOURNAL_SALVAGE));
    cr_assert_eq(unlink(scratch_path("store/master")), 0);
    cr_assert_null(try_open("store", JOURNAL_WRITE));
    cr_assert_not_null(strstr(sentence, "master"), "%s", sentence);
    store = open_good("store", JOURNAL_READ);
    store_free(store);
    free(master);
}

Test(store, lost_commitments_are_reported_and_written_again)
{
    struct store *store = make("store", NULL);
    size_t length;
    char *lines;

    cr_assert_eq(store_commit(store, 5), 0);
    cr_assert_null(store_lost_commitments(store));
    store_free(store);
    lines = scratch_read("store/commitments", &length);
    cr_assert_eq(unlink(scratch_path("store/commitments")), 0);
    store = open_good("store", JOURNAL_WRITE);
    cr_assert_str_eq(store_lost_commitments(store), "was missing");
    cr_assert_not(is_there("store/commitments"));
    repair(store);
    store_free(store);
    expect_file("store/commitments", lines, length);
    scratch_write("store/commitments", lines, length - 1);
    store = open_good("store", JOURNAL_WRITE);
    cr_assert_str_eq(store_lost_commitments(store), "was changed");
    repair(store);
    store_free(store);
    expect_file("store/commitments", lines, length);
    store = open_good("store", JOURNAL_WRITE);
    cr_assert_null(store_lost_commitments(store));
    store_free(store);
    free(lines);
}

Test(store, seeds_come_from_the_text_or_are_secret)
{
    const char *const words[] = {"x", "x", "y", NULL, NULL};
    uint8_t seeds[ARRAY_LEN(words)][SEEDS][DEAL_RANDOM_SEED_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        char name[] = "store-0";
        struct store *store;

        name[6] = (char)('0' + i);
        store = make(name, words[i]);
        for (unsigned block = 0; block < SEEDS; block++) {
            store_seed(store, block + 1, seeds[i][block]);
            for (unsigned other = 0; other < block; other++)
                cr_assert_neq(memcmp(seeds[i][block], seeds[i][other], DEAL_RANDOM_SEED_BYTES), 0);
        }
        for (size_t j = 0; j < i; j++)
            cr_assert_eq(memcmp(seeds[i], seeds[j], sizeof seeds[i]) == 0, i == 1 && j == 0);
        store_free(store);
    }
}

static unsigned mode_of(const char *name)
{
    struct stat status;

    cr_assert_eq(stat(scratch_path(name), &status), 0, "%s", name);
    return status.st_mode & 0777;
}

Test(store, logs_are_hidden_until_they_are_published)
{
    struct store *store = make("store", NULL);

    cr_assert_eq(mode_of("store/master"), 0600);
    cr_assert_eq(mode_of("store/open"), 0700);
    cr_assert_eq(store_open_block(store, 7), 0);
    cr_assert_eq(store_open_block(store, 7), 0);
    cr_assert_eq(mode_of("store/open/000007"), 0700);
    scratch_write("store/open/000007/01.ndjson.zst", "1", 1);
    cr_assert(store_is_open(store, 7));
    cr_assert_eq(store_publish(store, 7), 0);
    cr_assert_not(store_is_open(store, 7));
    cr_assert(is_there("store/logs/000007/01.ndjson.zst"));
    cr_assert_eq(mode_of("store/logs/000007"), 0755);
    cr_assert_eq(store_publish(store, 7), 0, "it was published before");
    cr_assert_eq(store_publish(store, 8), -1, "there is no such block");
    store_free(store);
}

Test(store, the_path_of_a_published_log_needs_no_store)
{
    struct store *store = make("store", NULL);
    char *path = store_published_path("x/y", 1234567, 23);
    char *one = store_published_path(store_folder(store), 7, 0);
    char *other = store_log_path(store, 7, 0);

    cr_assert_str_eq(path, "x/y/logs/1234567/24.ndjson.zst");
    cr_assert_str_eq(one, other);
    cr_assert_eq(strcmp(one + strlen(one) - 26, "/logs/000007/01.ndjson.zst"), 0);
    free(path);
    free(one);
    free(other);
    store_free(store);
}

Test(store, a_match_played_again_after_its_block_was_published_replaces_its_log)
{
    struct store *store = make("store", NULL);
    size_t length;
    char *bytes;

    scratch_write("store/logs/000007/01.ndjson.zst", "old", 3);
    scratch_write("store/logs/000007/02.ndjson.zst", "other", 5);
    cr_assert_eq(store_open_block(store, 7), 0);
    scratch_write("store/open/000007/01.ndjson.zst", "new", 3);
    scratch_write("store/open/000007/01.ndjson.stderr.0", "words", 5);
    cr_assert_eq(store_publish(store, 7), 0);
    cr_assert_not(store_is_open(store, 7));
    bytes = scratch_read("store/logs/000007/01.ndjson.zst", &length);
    cr_assert_str_eq(bytes, "new");
    cr_assert(is_there("store/logs/000007/02.ndjson.zst"));
    cr_assert(is_there("store/logs/000007/01.ndjson.stderr.0"));
    free(bytes);
    store_free(store);
}

Test(store, no_partial_log_is_published)
{
    struct store *store = make("store", NULL);

    for (unsigned block = 3; block < 5; block++) {
        char name[60];

        cr_assert_eq(store_open_block(store, block), 0);
        snprintf(name, sizeof name, "store/open/%06u/01.ndjson.zst", block);
        scratch_write(name, "x", 1);
        snprintf(name, sizeof name, "store/open/%06u/02.ndjson.partial", block);
        scratch_write(name, "x", 1);
    }
    scratch_write("store/logs/000004/03.ndjson.zst", "x", 1);
    cr_assert_eq(store_publish(store, 3), 0);
    cr_assert_eq(store_publish(store, 4), 0);
    cr_assert(is_there("store/logs/000003/01.ndjson.zst") &&
              is_there("store/logs/000004/01.ndjson.zst"));
    cr_assert_not(is_there("store/logs/000003/02.ndjson.partial"));
    cr_assert_not(is_there("store/logs/000004/02.ndjson.partial"));
    store_free(store);
}

Test(store, attempts_are_kept_one_after_the_other)
{
    struct store *store = make("store", NULL);
    char *path = store_open_path(store, 3, 1);

    cr_assert_not_null(strstr(path, "store/open/000003/02.ndjson.zst"), "%s", path);
    cr_assert_eq(store_open_block(store, 3), 0);
    store_keep_attempt(store, 3, 1);
    for (int i = 0; i < 3; i++) {
        scratch_write("store/open/000003/02.ndjson.partial", "x", 1);
        store_keep_attempt(store, 3, 1);
    }
    cr_assert_not(is_there("store/open/000003/02.ndjson.partial"));
    cr_assert(is_there("store/open/000003/02.attempt-3.ndjson"));
    cr_assert_not(is_there("store/open/000003/02.attempt-4.ndjson"));
    free(path);
    store_free(store);
}

/* A store with results in two blocks, both public. */
static void make_played(const char *name)
{
    static const char *const logs[] = {"store/open/000001/01.ndjson.zst",
                                       "store/open/000001/02.ndjson.zst",
                                       "store/open/000002/01.ndjson.zst"};
    struct store *store = make(name, NULL);

    cr_assert_eq(store_commit(store, 5), 0);
    for (unsigned i = 0; i < 3; i++) {
        cr_assert_eq(store_open_block(store, i / 2 + 1), 0);
        scratch_write(logs[i], "x", 1);
        add_result(store, i / 2 + 1, i % 2);
        cr_assert_eq(store_write(store), 0);
    }
    cr_assert_eq(store_publish(store, 1), 0);
    cr_assert_eq(store_publish(store, 2), 0);
    store_free(store);
}

Test(store, results_without_a_log_are_counted_and_named)
{
    struct store *store;
    char names[200];
    struct text text;

    make_played("store");
    store = open_good("store", JOURNAL_WRITE);
    text_start(&text, names, sizeof names);
    cr_assert_eq(store_missing_logs(store, &text), 0);
    store_free(store);
    cr_assert_eq(unlink(scratch_path("store/logs/000001/02.ndjson.zst")), 0);
    cr_assert_eq(rename(scratch_path("store/logs/000002"), scratch_path("store/open/000002")), 0);
    store = open_good("store", JOURNAL_WRITE);
    cr_assert_eq(store_missing_logs(store, &text), 1, "it is not public yet, but there");
    cr_assert_str_eq(names, "logs/000001/02.ndjson.zst");
    store_free(store);
}

Test(store, public_logs_without_a_result_are_refused_or_set_aside)
{
    struct store *store;
    const char *aside;

    make_played("store");
    scratch_write("store/logs/000002/02.ndjson.zst", "y", 1);
    scratch_write("store/logs/000002/02.ndjson.stderr.1", "z", 1);
    scratch_write("store/logs/000004/01.ndjson.zst", "x", 1);
    cr_assert_null(try_open("store", JOURNAL_WRITE));
    cr_assert_not_null(strstr(sentence, "has lost results"), "%s", sentence);
    cr_assert(is_there("store/logs/000002/02.ndjson.zst"));
    store_free(open_good("store", JOURNAL_READ));
    store_free(open_good("store", JOURNAL_SALVAGE));
    cr_assert(is_there("store/logs/000004/01.ndjson.zst"), "nothing is moved yet");
    store = open_good("store", JOURNAL_SALVAGE);
    repair(store);
    cr_assert_eq(store_aside(store, &aside), 2);
    cr_assert_not_null(strstr(aside, "store/logs.damaged-1"));
    store_free(store);
    cr_assert(is_there("store/logs.damaged-1/000002/02.ndjson.zst"));
    cr_assert(is_there("store/logs.damaged-1/000002/02.ndjson.stderr.1"));
    cr_assert(is_there("store/logs.damaged-1/000004/01.ndjson.zst"));
    cr_assert(is_there("store/logs/000002/01.ndjson.zst"));
    cr_assert_not(is_there("store/logs/000004"));
    store_free(open_good("store", JOURNAL_WRITE));
}

Test(store, a_seal_makes_every_change_of_a_result_damage)
{
    struct store *store;
    size_t length;
    char *bytes;

    make_played("store");
    store = open_good("store", JOURNAL_WRITE);
    cr_assert_eq(store_seal(store), 0);
    cr_assert_not(store_is_waiting(store), "nothing was written");
    add_result(store, 3, 0);
    add_result(store, 3, 1);
    cr_assert_eq(store_seal(store), 0);
    cr_assert_eq(store_seal(store), 0);
    store_free(store);
    bytes = scratch_read("store/results.ndjson", &length);
    cr_assert_not_null(strstr(bytes, "{\"sealed\":5,"));
    *strstr(bytes, "{\"block\":3,") = ' ';
    scratch_write("store/results.ndjson", bytes, length);
    cr_assert_null(try_open("store", JOURNAL_READ));
    cr_assert_not_null(strstr(sentence, "wrong checksum"), "%s", sentence);
    free(bytes);
}

Test(store, pruned_logs_are_remembered_and_not_missed)
{
    struct store_pruning pruning = {1, 1, 3, "best=1"};
    struct store *store;
    char names[200];
    struct text text;

    make_played("store");
    store = open_good("store", JOURNAL_WRITE);
    store_add_pruned(store, &pruning);
    cr_assert_eq(store_write(store), 0);
    cr_assert_eq(store_delete_log(store, 1, 0), 0);
    cr_assert_eq(store_delete_log(store, 1, 1), 0);
    cr_assert_eq(store_delete_log(store, 1, 1), 0, "it was gone already");
    store_free(store);
    cr_assert_not(is_there("store/logs/000001"));
    store = open_good("store", JOURNAL_WRITE);
    cr_assert_eq(store_pruned(store, 1), 3);
    cr_assert_eq(store_pruned(store, 2), 0);
    cr_assert_eq(store_pruned(store, 1000000), 0);
    text_start(&text, names, sizeof names);
    cr_assert_eq(store_missing_logs(store, &text), 0, "%s", names);
    /* A match that has no result has no log to prune. */
    pruning = (struct store_pruning){1, 3, 1, "best=1"};
    store_add_pruned(store, &pruning);
    cr_assert_eq(store_write(store), 0);
    store_free(store);
    cr_assert_null(try_open("store", JOURNAL_READ));
    cr_assert_not_null(strstr(sentence, "a log was pruned that has no result"), "%s", sentence);
}

static struct store *open_fresh(const char *name)
{
    struct text problem;

    text_start(&problem, sentence, sizeof sentence);
    return store_open_fresh(scratch_path(name), &problem);
}

/* Begins a new store where one is; `commits` to its deals or not. */
static struct store *start_over(const char *name, bool commits)
{
    struct store *store = open_fresh(name);

    cr_assert_not_null(store, "%s", sentence);
    cr_assert(store_is_new(store));
    cr_assert_eq(store_begin(store, "again", settings, NULL), 0);
    cr_assert_eq(store_write(store), 0);
    if (commits)
        cr_assert_eq(store_commit(store, 3), 0);
    return store;
}

static void assert_name(const char *name)
{
    struct store *store = open_good("store", JOURNAL_WRITE);

    cr_assert_str_eq(store_name(store), name);
    cr_assert_not(is_there("store/replacing"));
    cr_assert_not(is_there("store/replaced"));
    cr_assert_not(is_there("store/removal"));
    store_free(store);
}

Test(store, starting_over_deletes_only_the_files_of_the_store)
{
    struct store *store = make("store", NULL);

    store_free(store);
    scratch_write("store/mine", "x", 1);
    scratch_write("store/logs/000001/01.ndjson.zst", "x", 1);
    scratch_write("store/results.ndjson", "damaged\ndamaged\n", 16);
    cr_assert_null(try_open("store", JOURNAL_WRITE));
    store_free(start_over("store", true));
    cr_assert(is_there("store/mine"));
    cr_assert_not(is_there("store/logs/000001"));
    assert_name("again");
    scratch_write("foreign/logs/mine", "x", 1);
    cr_assert_null(try_open("foreign", JOURNAL_WRITE));
    cr_assert_null(open_fresh("foreign"));
    cr_assert_not_null(strstr(sentence, "not a store"), "%s", sentence);
    cr_assert(is_there("foreign/logs/mine"));
    cr_assert_not(is_there("foreign/referee.lock"));
    cr_assert_null(try_open("nowhere", JOURNAL_READ));
    cr_assert_not(is_there("nowhere"));
}

Test(store, an_old_store_comes_back_unless_the_new_one_has_begun)
{
    struct store *store;
    struct text problem;

    make_played("store");
    scratch_write("store/report.html", "old", 3);
    /* It gives up, or is killed. */
    for (unsigned is_killed = 0; is_killed < 2; is_killed++) {
        store = start_over("store", false);
        cr_assert_not(is_there("store/report.html"));
        cr_assert_null(try_open("store", JOURNAL_READ));
        cr_assert_not_null(strstr(sentence, "--fresh is not finished"), "%s", sentence);
        text_start(&problem, sentence, sizeof sentence);
        if (!is_killed) {
            cr_assert_eq(store_give_up(store, &problem), 0, "%s", sentence);
            cr_assert(store_is_restored(store));
        }
        store_free(store);
        store = open_good("store", JOURNAL_WRITE);
        cr_assert_eq(store_is_restored(store), is_killed);
        cr_assert(is_there("store/report.html"));
        store_free(store);
        assert_name("cup");
    }
    store_free(start_over("store", true));
    cr_assert_not(is_there("store/report.html"));
    assert_name("again");
}

Test(store, starting_over_can_be_killed_anywhere)
{
    make_played("store");
    /* While the old store is put aside, or put back. */
    cr_assert_eq(mkdir(scratch_path("store/replacing"), 0700), 0);
    cr_assert_eq(rename(scratch_path("store/logs"), scratch_path("store/replacing/logs")), 0);
    assert_name("cup");
    cr_assert(is_there("store/logs/000001/01.ndjson.zst"));
    cr_assert_eq(mkdir(scratch_path("store/replacing"), 0700), 0);
    cr_assert_eq(rename(scratch_path("store/results.ndjson"),
                        scratch_path("store/replacing/results.ndjson")),
                 0);
    assert_name("cup");
    /* While it is deleted. */
    scratch_write("store/removal/results.ndjson", "x", 1);
    assert_name("cup");
    /* When the new one has just begun. */
    store_free(start_over("store", true));
    scratch_write("store/replaced/results.ndjson", "x", 1);
    assert_name("again");
    scratch_write("store/replaced/results.ndjson", "x", 1);
    store_free(start_over("store", false));
    assert_name("again");
}

/* A good store, and records with a good checksum that nobody should have written: as its first
 * record, and after all of these. */
static const char *const sound[] = {
    "{\"allegra_store\":1,\"referee\":\"0\",\"name\":\"x\",\"guessable\":false,\"settings\":{\"a\":"
    "\"1\"}}",
    "{\"bot\":0,\"name\":\"a\",\"command\":\"a\",\"hash\":\"" HASH "\",\"generation\":1}",
    "{\"bot\":1,\"name\":\"b\",\"command\":\"b\",\"hash\":\"" HASH "\",\"generation\":1}",
    "{\"commitments\":2,\"sha256\":\"" HASH "\"}",
    "{\"block\":1,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
};
static const char *const strange_first[] = {
    "{\"bot\":0,\"name\":\"a\"}",
    "{\"allegra_store\":2,\"referee\":\"0\",\"name\":\"x\",\"guessable\":false,\"settings\":{}}",
    "{\"allegra_store\":1,\"referee\":\"0\",\"name\":\"x\",\"guessable\":false,\"settings\":{\"a\":"
    "1}}",
    "{\"allegra_store\":1,\"referee\":\"0\",\"name\":\"x\",\"guessable\":false,\"settings\":{},"
    "\"x\":1}",
    "{\"allegra_store\":1,\"name\":\"x\",\"guessable\":false,\"settings\":{}}",
};
static const char *const strange_later[] = {
    "{\"what\":1}",
    "{\"set\":\"a\"}",
    "{\"set\":\"a\",\"value\":\"1\"}",
    "{\"set\":\"a\",\"value\":\"2\",\"x\":1}",
    "{\"set\": \"a\",\"value\":\"2\"}",
    "{\"value\":\"2\",\"set\":\"a\"}",
    "{\"set\":\"a\",\"value\":\"\\u0032\"}",
    "{\"set\":\"a\",\"value\":\"2\\u0000\"}",
    "{\"set\":\"a\",\"value\":\"2\",\"value\":\"2\"}",
    "{\"bot\":1,\"name\":\"c\",\"command\":\"c\",\"hash\":\"" HASH "\",\"generation\":1}",
    "{\"bot\":2,\"name\":\"\",\"command\":\"c\",\"hash\":\"" HASH "\",\"generation\":1}",
    "{\"bot\":2,\"name\":\"c\",\"command\":\"c\",\"hash\":\"\",\"generation\":1}",
    "{\"bot\":2,\"name\":\"c\",\"command\":\"c\",\"hash\":\"" HASH "\",\"generation\":0}",
    "{\"bot\":2,\"name\":\"c\",\"command\":\"c\",\"hash\":\"" HASH "\",\"generation\":01}",
    "{\"bot\":2,\"name\":\"b\",\"command\":\"c\",\"hash\":\"" HASH "\",\"generation\":1}",
    "{\"changed\":2,\"command\":\"c\",\"hash\":\"" HASH "\"}",
    "{\"changed\":1,\"command\":\"c\",\"hash\":\"\"}",
    "{\"changed\":1,\"command\":\"b\",\"hash\":\"" HASH "\"}",
    "{\"withdrawn\":-1}",
    "{\"withdrawn\":2}",
    "{\"reinstated\":1}",
    "{\"withdrawn\":1,\"why\":\"x\"}",
    "{\"back\":1}",
    "{\"round\":2,\"order\":[0,0]}",
    "{\"round\":2,\"order\":[0,2]}",
    "{\"round\":3,\"order\":[0,1]}",
    "{\"round\":2,\"order\":[0,1],\"x\":0}",
    "{\"commitments\":2,\"sha256\":\"" HASH "\"}",
    "{\"commitments\":3,\"sha256\":\"\"}",
    "{\"commitments\":3,\"sha256\":\"" HASH "\",\"by\":\"me\"}",
    "{\"void\":1,\"rotation\":0,\"why\":\"it was decided\"}",
    "{\"void\":3,\"rotation\":0,\"why\":\"no such deal\"}",
    "{\"void\":2,\"rotation\":32,\"why\":\"x\"}",
    "{\"void\":2,\"rotation\":0,\"why\":\"x\",\"x\":1}",
    "{\"sealed\":2}",
    "{\"sealed\":1,\"x\":1}",
    "{\"pruned\":2,\"last\":1,\"matches\":1,\"why\":\"x\"}",
    "{\"pruned\":1,\"last\":2,\"matches\":1,\"why\":\"x\"}",
    "{\"pruned\":1,\"last\":1,\"matches\":1,\"why\":\"x\",\"x\":1}",
    "{\"allegra_store\":1,\"referee\":\"0\",\"name\":\"x\",\"guessable\":false,\"settings\":{}}",
    "{\"block\":3,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":0,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":32,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,0],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,2],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0],\"places\":[1],\"halves\":[1],\"rounds\":1,\"time\":["
    "[]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,3],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":0,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"faults\":[null,null],\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"faults\":[null,\"tired\"],\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"luck\":[[1,1,1,1],[1,1,1,1]],\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,0]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[5,1,4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1,4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"x\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\",\"x\":1}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1,2.0],\"rounds\":1,"
    "\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
    "{\"block\":2,\"rotation\":0,\"bots\":[0,1],\"places\":[1,2],\"halves\":[1, "
    "2],\"rounds\":1,\"time\":[[3,1],[4,1]],\"log\":\"" HASH "\"}",
};

static int take_nothing(void *context, const struct json_node *record, struct span bytes,
                        struct text *problem)
{
    (void)bytes;
    (void)context;
    (void)record;
    (void)problem;
    return 0;
}

/* Writes a journal of these records and another one, and opens it. */
static struct store *open_with(const char *const *records, size_t count, const char *last)
{
    static const struct journal_reader nobody = {.take = take_nothing};
    struct text problem;
    struct journal *journal;

    (void)unlink(scratch_path("store/results.ndjson"));
    text_start(&problem, sentence, sizeof sentence);
    journal = journal_open(scratch_path("store/results.ndjson"), JOURNAL_WRITE, &nobody, &problem);
    for (size_t i = 0; i < count; i++)
        journal_add(journal, records[i], strlen(records[i]));
    journal_add(journal, last, strlen(last));
    cr_assert_eq(journal_write(journal), 0);
    journal_free(journal);
    return try_open("store", JOURNAL_READ);
}

Test(store, records_that_make_no_sense_are_refused)
{
    static const char good[] = "{\"sealed\":1}";
    struct store *store;

    cr_assert_eq(mkdir(scratch_path("store"), 0755), 0);
    store = open_with(sound, ARRAY_LEN(sound), good);
    cr_assert_not_null(store, "%s", sentence);
    store_free(store);
    for (size_t i = 0; i < ARRAY_LEN(strange_first); i++) {
        cr_assert_null(open_with(NULL, 0, strange_first[i]), "%s", strange_first[i]);
        cr_assert_not_null(strstr(sentence, "line 1: "), "%s", sentence);
    }
    for (size_t i = 0; i < ARRAY_LEN(strange_later); i++) {
        cr_assert_null(open_with(sound, ARRAY_LEN(sound), strange_later[i]), "%s",
                       strange_later[i]);
        cr_assert_not_null(strstr(sentence, "line 6: "), "%s", sentence);
    }
}

Test(store, is_sealed_once_after_the_last_record)
{
    const char *sealed[ARRAY_LEN(sound) + 1];

    cr_assert_eq(mkdir(scratch_path("store"), 0755), 0);
    memcpy(sealed, sound, sizeof sound);
    sealed[ARRAY_LEN(sound)] = "{\"sealed\":1}";
    cr_assert_null(open_with(sealed, ARRAY_LEN(sealed), "{\"sealed\":1}"));
    cr_assert_not_null(strstr(sentence, "since the last seal"), "%s", sentence);
}
