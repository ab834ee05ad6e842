/* Blocks are played in any order and counted in the order of their numbers, up to the first gap.
 * Once the test has its verdict, later blocks are not played any more and would not change it. */

#include "tournament/play/comparison.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* How many blocks are added, and their deals committed to, at a time. */
#define STEP 64

struct comparison {
    const struct store *store;
    struct sprt test;
    unsigned seats;
    unsigned blocks;
    unsigned counted;
    size_t results_seen; /* of the store */
    struct block_score *scores;
    unsigned score_capacity;
    unsigned faults[2];
    unsigned long matches;
    void (*on_counted)(void *context);
    void *context;
};

/* One block so far, by NEW and OLD. */
struct block_score {
    long halves[2];
    unsigned rounds[2];
    unsigned faults[2];
};

static unsigned rotations_of(const struct comparison *comparison)
{
    return comparison->seats == 2 && store_bot_count(comparison->store) == 2
               ? 2
               : 2 * comparison->seats;
}

static uint32_t all_of(const struct comparison *comparison)
{
    return (UINT32_C(1) << rotations_of(comparison)) - 1;
}

static void reserve_scores(struct comparison *comparison)
{
    unsigned before = comparison->score_capacity;

    if (comparison->blocks < before)
        return;
    comparison->score_capacity = comparison->blocks + STEP;
    comparison->scores =
        xrealloc(comparison->scores, comparison->score_capacity * sizeof *comparison->scores);
    memset(comparison->scores + before, 0,
           (comparison->score_capacity - before) * sizeof *comparison->scores);
}

/* Adds the results that are new in the store to their blocks. */
static void read_results(struct comparison *comparison)
{
    size_t count;
    const struct result *results = store_results(comparison->store, &count);

    for (; comparison->results_seen < count; comparison->results_seen++) {
        const struct result *result = &results[comparison->results_seen];
        struct block_score *score;

        if (result->block >= comparison->blocks)
            comparison->blocks = result->block;
        reserve_scores(comparison);
        score = &comparison->scores[result->block];
        for (unsigned seat = 0; seat < result->seats; seat++) {
            unsigned bot = result->bots[seat];

            if (bot > COMPARISON_OLD)
                continue;
            score->halves[bot] += result->score_halves[seat];
            score->rounds[bot] += result->rounds;
            score->faults[bot] += result->faults[seat] != BOT_ANSWERED;
        }
    }
}

static bool has_verdict(const struct comparison *comparison)
{
    return comparison->test.verdict != SPRT_OPEN;
}

static void count_block(struct comparison *comparison, unsigned block)
{
    const struct block_score *score = &comparison->scores[block];
    double mean[2];

    for (unsigned bot = 0; bot < 2; bot++) {
        mean[bot] = (double)score->halves[bot] / 2 / score->rounds[bot];
        comparison->faults[bot] += score->faults[bot];
    }
    comparison->matches += rotations_of(comparison);
    (void)sprt_add(&comparison->test, mean[COMPARISON_NEW] - mean[COMPARISON_OLD]);
}

static void count_blocks(struct comparison *comparison)
{
    read_results(comparison);
    while (!has_verdict(comparison) && comparison->counted < comparison->blocks &&
           (store_done(comparison->store, comparison->counted + 1) & all_of(comparison)) ==
               all_of(comparison)) {
        count_block(comparison, ++comparison->counted);
        if (comparison->on_counted != NULL)
            comparison->on_counted(comparison->context);
    }
}

/* The block source. */

static unsigned block_count(void *context)
{
    const struct comparison *comparison = context;

    return comparison->blocks;
}

static unsigned rotations(void *context, unsigned block)
{
    const struct comparison *comparison = context;

    return has_verdict(comparison) && block > comparison->counted ? 0 : rotations_of(comparison);
}

/* With a field: first NEW in all seats, then OLD. */
static void fill_task(void *context, unsigned block, unsigned rotation, struct task *task)
{
    const struct comparison *comparison = context;
    unsigned turn = rotation % comparison->seats;
    bool has_field = store_bot_count(comparison->store) > 2;

    (void)block;
    task->seats = (uint8_t)comparison->seats;
    for (unsigned i = 0; i < comparison->seats; i++)
        task->bots[(i + turn) % comparison->seats] = (uint16_t)(has_field ? i + 1 : i);
    if (has_field)
        task->bots[turn] = rotation < comparison->seats ? COMPARISON_NEW : COMPARISON_OLD;
}

static void on_block_decided(void *context, unsigned block)
{
    (void)block;
    count_blocks(context);
}

static bool extend(void *context)
{
    struct comparison *comparison = context;

    if (has_verdict(comparison) || comparison->blocks >= comparison->test.setup.most)
        return false;
    comparison->blocks += STEP;
    if (comparison->blocks > comparison->test.setup.most)
        comparison->blocks = comparison->test.setup.most;
    reserve_scores(comparison);
    return true;
}

struct block_source comparison_source(struct comparison *comparison)
{
    return (struct block_source){block_count,      rotations, fill_task,
                                 on_block_decided, extend,    comparison};
}

struct comparison *comparison_new(const struct store *store, const struct sprt_setup *setup,
                                  void (*on_counted)(void *context), void *context)
{
    struct comparison *comparison = xcalloc(1, sizeof *comparison);
    unsigned bots = store_bot_count(store);

    comparison->store = store;
    comparison->test = sprt_start(setup);
    comparison->seats = bots > 2 ? bots - 1 : 2;
    comparison->on_counted = on_counted;
    comparison->context = context;
    (void)extend(comparison);
    count_blocks(comparison);
    return comparison;
}

void comparison_free(struct comparison *comparison)
{
    if (comparison == NULL)
        return;
    free(comparison->scores);
    free(comparison);
}

struct sprt_view comparison_look(const struct comparison *comparison)
{
    return sprt_look(&comparison->test);
}

unsigned comparison_faults(const struct comparison *comparison, unsigned bot)
{
    return comparison->faults[bot];
}

unsigned long comparison_matches(const struct comparison *comparison)
{
    return comparison->matches;
}
