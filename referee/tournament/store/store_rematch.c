/* Matches that are played again, because their bot was repaired, or because a bot that runs
 * elsewhere has seen cards of a match that became void. Nobody sees a deal twice, so they are
 * played in new blocks. A record says which bot that is about, and where its new blocks come in
 * the schedule; which old blocks they replace follows from the results before the record: every
 * block with a result of that bot that has no rematch yet. The old results stay in the journal, and
 * their logs where they are: they can be proved like all others, but do not count. */

#include "tournament/store/store_private.h"

#include "base/memory.h"
#include "wire/json_record.h"

#include <stdlib.h>
#include <string.h>

unsigned store_rematches_count(const struct store *store)
{
    return store->rematches_count;
}

const struct store_rematches *store_rematches(const struct store *store, unsigned index)
{
    return &store->rematches[index];
}

static bool has_bot(const struct result *result, unsigned bot)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if (result->bots[seat] == bot)
            return true;
    }
    return false;
}

static int compare_numbers(const void *one, const void *other)
{
    unsigned a = *(const unsigned *)one;
    unsigned b = *(const unsigned *)other;

    return (a > b) - (a < b);
}

/* Takes out of the list what is in it twice. */
static void sort_blocks(struct store_rematches *rematches)
{
    unsigned kept = 0;

    qsort(rematches->blocks, rematches->count, sizeof *rematches->blocks, compare_numbers);
    for (unsigned i = 0; i < rematches->count; i++) {
        if (kept == 0 || rematches->blocks[kept - 1] != rematches->blocks[i])
            rematches->blocks[kept++] = rematches->blocks[i];
    }
    rematches->count = kept;
}

static bool has_rematch(const struct store *store, unsigned block)
{
    for (unsigned i = 0; i < store->rematches_count; i++) {
        const struct store_rematches *known = &store->rematches[i];

        if (bsearch(&block, known->blocks, known->count, sizeof block, compare_numbers) != NULL)
            return true;
    }
    return false;
}

/* All blocks that a bot has played, and that have no rematch yet. Free the list. */
static struct store_rematches find_rematches(const struct store *store, unsigned bot,
                                             unsigned after)
{
    struct store_rematches rematches = {
        .bot = bot,
        .after = after,
        .rounds = store->round_count,
        .blocks = xcalloc(store->result_count + 1, sizeof *rematches.blocks),
    };

    memcpy(rematches.hash, store->bots[bot].hash, sizeof rematches.hash);
    for (size_t i = 0; i < store->result_count; i++) {
        const struct result *result = &store->results[i];

        if (has_bot(result, bot) && !has_rematch(store, result->block))
            rematches.blocks[rematches.count++] = result->block;
    }
    sort_blocks(&rematches);
    return rematches;
}

/* None of the answers of the bot so far counts, and neither do their times. */
static void append_rematches(struct store *store, const struct store_rematches *rematches)
{
    if (rematches->bot != STORE_NO_BOT)
        memset(&store->times[rematches->bot], 0, sizeof store->times[rematches->bot]);
    store->rematches =
        xrealloc(store->rematches, (store->rematches_count + 1) * sizeof *store->rematches);
    store->rematches[store->rematches_count++] = *rematches;
}

/* Takes the list of blocks over, or frees it. */
static bool add_rematches(struct store *store, const struct store_rematches *rematches)
{
    struct json_writer *json = store_begin_record(store);

    if (rematches->bot == STORE_NO_BOT)
        json_put_number(json, "redeal", rematches->blocks[0]);
    else
        json_put_number(json, "rematch", rematches->bot);
    json_put_number(json, "after", rematches->after);
    if (rematches->bot != STORE_NO_BOT)
        json_put_number(json, "blocks", rematches->count);
    if (!store_end_record(store)) {
        free(rematches->blocks);
        return false;
    }
    append_rematches(store, rematches);
    return true;
}

unsigned store_add_rematches(struct store *store, unsigned bot, unsigned after)
{
    struct store_rematches rematches = find_rematches(store, bot, after);

    if (rematches.count == 0 || after + rematches.count > STORE_BLOCKS_MAX) {
        free(rematches.blocks);
        return 0;
    }
    (void)add_rematches(store, &rematches);
    return rematches.count;
}

static bool add_redeal(struct store *store, unsigned block, unsigned after)
{
    struct store_rematches rematches = {
        .bot = STORE_NO_BOT,
        .after = after,
        .rounds = store->round_count,
        .blocks = xcalloc(1, sizeof *rematches.blocks),
        .count = 1,
    };

    rematches.blocks[0] = block;
    return add_rematches(store, &rematches);
}

bool store_redeal(struct store *store, unsigned block, unsigned after)
{
    return after < STORE_BLOCKS_MAX && add_redeal(store, block, after);
}

/* New blocks come after all that were known: so no block is replaced that comes after them, and no
 * earlier rematch moves. */
static long long read_after(const struct store *store, struct json_record *reader)
{
    const struct store_rematches *before =
        store->rematches_count > 0 ? &store->rematches[store->rematches_count - 1] : NULL;

    return json_record_number(reader, "after", before != NULL ? before->after + before->count : 1,
                              STORE_BLOCKS_MAX);
}

int store_read_redeal(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    unsigned block = (unsigned)json_record_number(&reader, "redeal", 1, store->commitment_count);
    long long after = read_after(store, &reader);

    if (reader.is_refused)
        return -1;
    if (block > after || has_rematch(store, block) || store_done(store, block) != 0)
        return json_record_refuse(&reader, "a block gets another deal that is decided or has one");
    return add_redeal(store, block, (unsigned)after) ? 0 : store_refuse_bytes(&reader);
}

int store_read_rematches(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long bot = json_record_number(&reader, "rematch", 0, (long long)store->bot_count - 1);
    long long after = read_after(store, &reader);
    long long count = json_record_number(&reader, "blocks", 1, STORE_BLOCKS_MAX);
    struct store_rematches rematches;

    if (reader.is_refused)
        return -1;
    rematches = find_rematches(store, (unsigned)bot, (unsigned)after);
    if (count == rematches.count && rematches.blocks[count - 1] <= after)
        return add_rematches(store, &rematches) ? 0 : store_refuse_bytes(&reader);
    free(rematches.blocks);
    return json_record_refuse(&reader, "other matches are played again than were played");
}
