/* A store and the files in it.
 *
 * The order of writing makes it safe to die at any time. The commitment of a deal is on disk before
 * its first match is played, a log before the record that counts it, and the record before the log
 * is public. So a match with a record counts, and a match without one (but with a log in open/,
 * say) is played again. */

#include "tournament/store/store_private.h"

#include "base/memory.h"
#include "base/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNFINISHED                                                                                 \
    "a start with --fresh is not finished: what was played before is put back, or deleted, when "  \
    "the tournament is started again"

int store_fail(struct text *problem, const char *path, const char *why)
{
    text_printf(problem, "%s: %s", path, why);
    return -1;
}

static struct store *new_store(const char *folder, enum journal_mode mode)
{
    struct store *store = xcalloc(1, sizeof *store);

    store->folder = xstrdup(folder);
    store->folder_fd = -1;
    store->lock_fd = -1;
    store->mode = mode;
    store->json = json_writer_new(false);
    return store;
}

/* Opening and closing. */

/* Without commitments, no result can be kept. */
static const char *find_way_out(void *context, unsigned long good_lines)
{
    const struct store *store = context;

    (void)good_lines;
    return store->commitment_count > 0
               ? "restore the file from a backup, or use --salvage to keep everything before that "
                 "line"
               : "restore the file from a backup, or start over with --fresh, which deletes what "
                 "is left";
}

static int read_journal(struct store *store, struct text *problem)
{
    char *path = directory_join(store->folder, STORE_JOURNAL);
    struct journal_reader reader = {store_read_record, find_way_out, store};
    char message[500];
    struct text why;

    text_start(&why, message, sizeof message);
    store->journal = journal_open(path, store->mode, &reader, &why);
    if (store->journal == NULL)
        store_fail(problem, path, message);
    free(path);
    return store->journal != NULL ? 0 : -1;
}

static void free_lists(struct store *store)
{
    for (unsigned i = 0; i < store->setting_count; i++) {
        free(store->keys[i]);
        free(store->values[i]);
    }
    for (unsigned i = 0; i < store->bot_count; i++) {
        free(store->bots[i].name);
        free(store->bots[i].command);
    }
    free(store->keys);
    free(store->values);
    free(store->bots);
    free(store->times);
    for (unsigned i = 0; i < store->round_count; i++)
        free(store->rounds[i].order);
    free(store->rounds);
    for (unsigned i = 0; i < store->rematches_count; i++)
        free(store->rematches[i].blocks);
    free(store->rematches);
    free(store->results);
    free(store->done);
    free(store->pruned);
    free(store->logs);
    free(store->aside);
    free(store->name);
}

/* The process that began the store was stopped before it committed to a deal. No match was played,
 * but the settings may be incomplete: forgets them. */
static void start_over(struct store *store)
{
    struct store kept = *store;

    free_lists(store);
    *store = (struct store){
        .folder = kept.folder,
        .folder_fd = kept.folder_fd,
        .lock_fd = kept.lock_fd,
        .mode = kept.mode,
        .journal = kept.journal,
        .json = kept.json,
    };
    journal_start_over(store->journal);
}

/* Whether the records can be used. Nothing is changed. */
static int check_records(struct store *store, struct text *problem)
{
    if (store->commitment_count == 0)
        return 0;
    if (store_read_master(store, problem) != 0 || store_check_commitments(store, problem) != 0)
        return -1;
    return store_check_logs(store, problem);
}

int store_repair(struct store *store, struct text *problem)
{
    if (store->mode == JOURNAL_SALVAGE && journal_salvage(store->journal) != 0)
        return store_fail(problem, store->folder, strerror(errno));
    if (store->mode == JOURNAL_SALVAGE && store_move_logs(store, problem) != 0)
        return -1;
    return store->lost_commitments != NULL ? store_restore_commitments(store, problem) : 0;
}

/* Returns 0, or -1 with one sentence. */
static int open_files(struct store *store, struct text *problem)
{
    bool is_playing = store->mode != JOURNAL_READ;
    struct store_remains remains;

    store_find_remains(store, &remains);
    if (!is_playing && remains.is_journal_missing && store_has_replaced(store))
        return store_fail(problem, store->folder, UNFINISHED);
    if (remains.is_journal_missing && store_is_recognised(store) &&
        store_check_remains(store, &remains, problem) != 0)
        return -1;
    if (is_playing && store_make_folders(store) != 0)
        return store_fail(problem, store->folder, strerror(errno));
    if (read_journal(store, problem) != 0 || store_check_remains(store, &remains, problem) != 0)
        return -1;
    if (is_playing && check_records(store, problem) != 0)
        return -1;
    if (store->commitment_count == 0 && !is_playing && store_has_replaced(store))
        return store_fail(problem, store->folder, UNFINISHED);
    if (store->commitment_count == 0) {
        start_over(store);
        deal_random_seed(store->master);
        return 0;
    }
    if (store->mode != JOURNAL_WRITE)
        return 0;
    /* Cuts off what is dropped. If this fails, it is tried again before the next record. */
    (void)journal_write(store->journal);
    return 0;
}

static int open_folder(struct store *store, struct text *problem)
{
    if (store_open_folder(store, problem) != 0)
        return -1;
    return store->mode == JOURNAL_READ ? 0 : store_settle_replaced(store, problem);
}

struct store *store_open(const char *folder, enum journal_mode mode, struct text *problem)
{
    struct store *store = new_store(folder, mode);

    if (open_folder(store, problem) == 0 && open_files(store, problem) == 0)
        return store;
    store_free(store);
    return NULL;
}

/* Nothing of the old store is read: it may be damaged. */
struct store *store_open_fresh(const char *folder, struct text *problem)
{
    struct store *store = new_store(folder, JOURNAL_WRITE);

    if (open_folder(store, problem) == 0 && store_put_aside(store, problem) == 0) {
        if (open_files(store, problem) == 0)
            return store;
        (void)store_put_back(store, problem);
    }
    store_free(store);
    return NULL;
}

int store_give_up(struct store *store, struct text *problem)
{
    if (store == NULL || store->commitment_count > 0 || !store_has_replaced(store))
        return 0;
    return store_put_back(store, problem);
}

int store_walk(const char *folder, store_visit_fn *visit, void *context, struct text *problem)
{
    struct store *store = new_store(folder, JOURNAL_READ);
    int result;

    store->visit = visit;
    store->visit_context = context;
    result = store_open_folder(store, problem) == 0 ? read_journal(store, problem) : -1;
    store_free(store);
    return result;
}

void store_free(struct store *store)
{
    if (store == NULL)
        return;
    journal_free(store->journal);
    json_writer_free(store->json);
    if (store->folder_fd >= 0)
        close(store->folder_fd);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
    free_lists(store);
    sodium_memzero(store->master, sizeof store->master);
    free(store->folder);
    free(store);
}

void store_keep_lock_only(const struct store *store, int kept)
{
    int lock = store != NULL ? store->lock_fd : kept;
    int low = lock < kept ? lock : kept;
    int high = lock < kept ? kept : lock;

    if (low > STDERR_FILENO + 1)
        (void)close_range(STDERR_FILENO + 1, (unsigned)low - 1, 0);
    if (high > low + 1)
        (void)close_range((unsigned)low + 1, (unsigned)high - 1, 0);
    (void)close_range((unsigned)high + 1, ~0U, 0);
}

int store_write(struct store *store)
{
    if (!journal_is_waiting(store->journal))
        return 0;
    if (syncfs(store->folder_fd) != 0 || journal_write(store->journal) != 0)
        return -1;
    store->is_unsealed = true;
    return 0;
}

/* The seal is a group of its own: it says that those before it were synced. */
int store_seal(struct store *store)
{
    if (store_write(store) != 0)
        return -1;
    if (!store->is_unsealed)
        return 0;
    store_add_seal(store);
    if (store_write(store) != 0)
        return -1;
    store->is_unsealed = false;
    return 0;
}

const char *store_lost_commitments(const struct store *store)
{
    return store->lost_commitments;
}

bool store_is_waiting(const struct store *store)
{
    return journal_is_waiting(store->journal);
}

const struct journal_loss *store_loss(const struct store *store)
{
    return journal_loss(store->journal);
}

unsigned long store_record_count(const struct store *store)
{
    return journal_count(store->journal);
}

unsigned long store_aside(const struct store *store, const char **folder)
{
    *folder = store->aside;
    return store->aside_count;
}

const char *store_sum(const struct store *store)
{
    return journal_sum(store->journal);
}

bool store_is_new(const struct store *store)
{
    return !store->has_begun;
}

const char *store_folder(const struct store *store)
{
    return store->folder;
}

const char *store_name(const struct store *store)
{
    return store->name;
}

bool store_is_guessable(const struct store *store)
{
    return store->is_guessable;
}

unsigned store_bot_count(const struct store *store)
{
    return store->bot_count;
}

const struct store_bot *store_bot(const struct store *store, unsigned number)
{
    return &store->bots[number];
}

int store_find_bot(const struct store *store, const char *name)
{
    for (unsigned i = 0; i < store->bot_count; i++) {
        if (strcmp(store->bots[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

unsigned store_round_count(const struct store *store)
{
    return store->round_count;
}

const struct store_round *store_round(const struct store *store, unsigned index)
{
    return &store->rounds[index];
}

uint32_t store_done(const struct store *store, unsigned block)
{
    return block < store->done_capacity ? store->done[block] : 0;
}

const struct result *store_results(const struct store *store, size_t *count)
{
    *count = store->result_count;
    return store->results;
}

const struct histogram *store_times(const struct store *store, unsigned bot)
{
    return &store->times[bot];
}
