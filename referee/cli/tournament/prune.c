/* A rule chooses logs; the store records that they are pruned; then they are deleted, and the
 * tables are written again without them. If that is stopped in the middle, the same command does
 * the rest. */

#include "cli/tournament/prune.h"

#include "base/directory_tree.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "tournament/report/summary.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define DAY_S 86400

struct pruner {
    const char *rule;
    bool has_feed;
    long days; /* -1: the rule is `best` */
    long best;
    struct store *store;
    struct progression *progression;
    bool *is_best; /* by number of the bot */
    unsigned blocks;
    uint32_t *chosen; /* by block, from 1 */
    unsigned long count;
    double bytes;
};

static bool read_number(const char *rule, const char *key, long *number)
{
    size_t length = strlen(key);
    char *end;

    if (strncmp(rule, key, length) != 0 || rule[length] < '0' || rule[length] > '9')
        return false;
    *number = strtol(rule + length, &end, 10);
    return *end == '\0' && *number <= 100000;
}

/* Returns 0, or -1 after it has said why not. For the daemon, a store in which nothing was played
 * has no logs, and no progression. */
static int open_store(struct pruner *pruner, const char *folder)
{
    char message[600];
    struct text problem;
    struct stat status;

    text_start(&problem, message, sizeof message);
    if (stat(folder, &status) != 0)
        text_printf(&problem, "%s: %s", folder, strerror(errno));
    else
        pruner->store = store_open(folder, JOURNAL_WRITE, &problem);
    if (pruner->store != NULL && store_is_new(pruner->store))
        text_add(&problem, "nothing was played in this store yet");
    else if (pruner->store != NULL)
        pruner->progression = progression_new(pruner->store, &problem);
    if (pruner->progression != NULL ||
        (pruner->has_feed && pruner->store != NULL && store_is_new(pruner->store)))
        return 0;
    message_say("%s", message);
    return -1;
}

static void find_best(struct pruner *pruner)
{
    struct summary *summary = summary_new(pruner->progression, pruner->store, false);
    const struct standings *standings = summary_report(summary)->standings;

    pruner->is_best = xcalloc(store_bot_count(pruner->store) + 1, sizeof *pruner->is_best);
    for (unsigned i = 0; i < standings->count && i < pruner->best; i++)
        pruner->is_best[standings->rows[i].bot] = true;
    summary_free(summary);
}

static bool has_best(const struct pruner *pruner, const struct result *result)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if (pruner->is_best[result->bots[seat]])
            return true;
    }
    return false;
}

static void choose(struct pruner *pruner, const struct result *result)
{
    struct stat status;
    bool is_there = store_stat_log(pruner->store, result->block, result->rotation, &status) == 0;
    bool is_chosen = pruner->days < 0
                         ? !has_best(pruner, result)
                         : is_there && status.st_mtime < time(NULL) - pruner->days * DAY_S;

    if (is_there && is_chosen) {
        pruner->chosen[result->block] |= UINT32_C(1) << result->rotation;
        pruner->count++;
        pruner->bytes += (double)status.st_size;
    }
}

static void choose_all(struct pruner *pruner)
{
    size_t count;
    const struct result *results = store_results(pruner->store, &count);

    for (size_t i = 0; i < count; i++) {
        if (results[i].block > pruner->blocks)
            pruner->blocks = results[i].block;
    }
    pruner->chosen = xcalloc(pruner->blocks + 2, sizeof *pruner->chosen);
    for (size_t i = 0; i < count; i++)
        choose(pruner, &results[i]);
}

/* Blocks in a row that lose the same matches share a record. */
static void record(struct pruner *pruner)
{
    unsigned first = 1;

    for (unsigned block = 1; block <= pruner->blocks; block++) {
        struct store_pruning pruning = {first, block, pruner->chosen[block], pruner->rule};

        if (pruner->chosen[block + 1] == pruning.matches && block < pruner->blocks)
            continue;
        if (pruning.matches != 0)
            store_add_pruned(pruner->store, &pruning);
        first = block + 1;
    }
}

static int delete_all(const struct pruner *pruner)
{
    for (unsigned block = 1; block <= pruner->blocks; block++) {
        for (uint32_t left = pruner->chosen[block]; left != 0; left &= left - 1) {
            if (store_delete_log(pruner->store, block, (unsigned)__builtin_ctz(left)) != 0)
                return -1;
        }
    }
    return 0;
}

/* Tables name the logs that are there. */
static int write_tables(const struct pruner *pruner)
{
    struct summary *summary = summary_new(pruner->progression, pruner->store, false);
    int result = summary_write_files(summary);

    summary_free(summary);
    return result;
}

static int run(struct pruner *pruner, const char *folder)
{
    if (open_store(pruner, folder) != 0)
        return CLI_FAILED;
    if (pruner->progression == NULL)
        return CLI_FINE;
    if (pruner->days < 0)
        find_best(pruner);
    choose_all(pruner);
    record(pruner);
    if (store_seal(pruner->store) != 0 || delete_all(pruner) != 0 || write_tables(pruner) != 0) {
        message_say("%s: %s", folder, strerror(errno));
        return CLI_FAILED;
    }
    return CLI_FINE;
}

/* The daemon reads what is left, whatever has happened; a person, what was done. */
static void print(const struct pruner *pruner, const char *folder, int code)
{
    if (pruner->has_feed)
        printf("pruned %lu %lld\n", pruner->count, (long long)directory_tree_disk(folder));
    else if (code == CLI_FINE)
        printf("%lu logs were pruned, %.1f MB; their results and hashes stay\n", pruner->count,
               pruner->bytes / 1e6);
}

int prune(const char *folder, const char *rule, bool has_feed)
{
    struct pruner pruner = {.rule = rule, .has_feed = has_feed, .days = -1};
    struct stat status;
    int code = CLI_USAGE;

    if (!read_number(rule, "days=", &pruner.days) && !read_number(rule, "best=", &pruner.best))
        message_say("--prune takes days=N or best=N, not %s", rule);
    else if (has_feed && (lstat(folder, &status) != 0 || !S_ISDIR(status.st_mode)))
        message_say("%s: it is not a folder", folder);
    else
        code = run(&pruner, folder);
    if (code != CLI_USAGE)
        print(&pruner, folder, code);
    free(pruner.chosen);
    free(pruner.is_best);
    progression_free(pruner.progression);
    store_free(pruner.store);
    return code;
}
