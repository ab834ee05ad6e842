/* Blocks are played in any order and counted in the order of their numbers, up to the first gap.
 * Once the deciding test has its verdict, later blocks are neither played nor counted, so that it
 * does not matter how many matches were still running.
 *
 * Each kind of score has a test of its own, and all tests get the same blocks. Points are added up
 * as whole numbers, because sums of fractions would depend on the order of play. */

#include "tournament/play/comparison.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* How many blocks are added, and their deals committed to, at a time. */
#define STEP 64

#define THOUSANDTHS_PER_HALF 500

struct comparison {
    const struct store *store;
    struct difference_test tests[COMPARISON_SCORE_COUNT];
    enum comparison_score decider;
    enum difference_test_verdict verdict; /* of the decider */
    unsigned most;                        /* blocks */
    unsigned seats;
    unsigned blocks;
    unsigned counted;
    size_t results_seen; /* of the store */
    struct block_score *scores;
    unsigned score_capacity;
    unsigned faults[3];
    unsigned long matches;
    void (*on_counted)(void *context);
    void *context;
};

/* One block so far, by NEW and OLD. */
struct block_score {
    long long thousandths[COMPARISON_SCORE_COUNT][2]; /* of points */
    unsigned rounds[2];
    unsigned faults[3];
};

static unsigned rotations_of(const struct comparison *comparison)
{
    return comparison->seats == 2 && store_bot_count(comparison->store) == 2
               ? 2
               : 2 * comparison->seats;
}

static uint32_t all_of(const struct comparison *comparison)
{
    return block_mask(rotations_of(comparison));
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

/* What a seat gets for a match, in thousandths of a point. */
static long long thousandths_of(const struct result *result, unsigned seat,
                                enum comparison_score score)
{
    long long raw = (long long)result->score_halves[seat] * THOUSANDTHS_PER_HALF;

    return score == COMPARISON_RAW ? raw : raw - result->luck[seat].points;
}

static void add_seat(struct block_score *block, const struct result *result, unsigned seat)
{
    unsigned bot = result->bots[seat] < COMPARISON_FIELD ? result->bots[seat] : COMPARISON_FIELD;

    block->faults[bot] += result->faults[seat] != BOT_ANSWERED;
    if (bot == COMPARISON_FIELD)
        return;
    for (unsigned score = 0; score < COMPARISON_SCORE_COUNT; score++)
        block->thousandths[score][bot] +=
            thousandths_of(result, seat, (enum comparison_score)score);
    block->rounds[bot] += result->rounds;
}

/* Adds the results that are new in the store to their blocks. */
static void read_results(struct comparison *comparison)
{
    size_t count;
    const struct result *results = store_results(comparison->store, &count);

    for (; comparison->results_seen < count; comparison->results_seen++) {
        const struct result *result = &results[comparison->results_seen];

        if (result->block >= comparison->blocks)
            comparison->blocks = result->block;
        reserve_scores(comparison);
        for (unsigned seat = 0; seat < result->seats; seat++)
            add_seat(&comparison->scores[result->block], result, seat);
    }
}

bool comparison_is_over(const struct comparison *comparison)
{
    return comparison->verdict != DIFFERENCE_TEST_OPEN;
}

bool comparison_is_decided(const struct comparison *comparison)
{
    return comparison_is_over(comparison) && comparison->verdict != DIFFERENCE_TEST_UNDECIDED;
}

/* NEW's points per round in a block minus OLD's. */
static double block_difference(const struct block_score *block, enum comparison_score score)
{
    double points[2];

    for (unsigned bot = 0; bot < 2; bot++)
        points[bot] = (double)block->thousandths[score][bot] / 1000 / block->rounds[bot];
    return points[COMPARISON_NEW] - points[COMPARISON_OLD];
}

static void count_block(struct comparison *comparison, unsigned number)
{
    const struct block_score *block = &comparison->scores[number];

    for (unsigned score = 0; score < COMPARISON_SCORE_COUNT; score++)
        difference_test_add(&comparison->tests[score],
                            block_difference(block, (enum comparison_score)score));
    for (unsigned bot = 0; bot <= COMPARISON_FIELD; bot++)
        comparison->faults[bot] += block->faults[bot];
    comparison->matches += rotations_of(comparison);
    comparison->verdict = difference_test_verdict(&comparison->tests[comparison->decider]);
}

static void count_blocks(struct comparison *comparison)
{
    read_results(comparison);
    while (!comparison_is_over(comparison) && comparison->counted < comparison->blocks &&
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

    return comparison_is_over(comparison) && block > comparison->counted ? 0
                                                                         : rotations_of(comparison);
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

    if (comparison_is_over(comparison) || comparison->blocks >= comparison->most)
        return false;
    comparison->blocks += STEP;
    if (comparison->blocks > comparison->most)
        comparison->blocks = comparison->most;
    reserve_scores(comparison);
    return true;
}

struct block_source comparison_source(struct comparison *comparison)
{
    return (struct block_source){block_count, rotations, fill_task, on_block_decided,
                                 extend,      NULL,      comparison};
}

/* Which bot sat where follows from the number of the match alone. */
static bool is_ours(const struct comparison *comparison, const struct result *result)
{
    struct task task = {.block = result->block, .rotation = result->rotation};

    if (result->seats != comparison->seats || result->rotation >= rotations_of(comparison))
        return false;
    fill_task((void *)comparison, result->block, result->rotation, &task);
    return memcmp(task.bots, result->bots, task.seats * sizeof *task.bots) == 0;
}

int comparison_check(const struct store *store, unsigned bots, struct text *problem)
{
    struct comparison comparison = {.store = store, .seats = bots > 2 ? bots - 1 : 2};
    size_t count;
    const struct result *results = store_results(store, &count);
    size_t i = 0;

    while (store_bot_count(store) == bots && i < count && is_ours(&comparison, &results[i]))
        i++;
    if (store_bot_count(store) == bots && i == count)
        return 0;
    text_printf(problem,
                "%s has records that do not belong to this comparison: they were forged "
                "or damaged; name another folder",
                store_folder(store));
    return -1;
}

struct comparison *comparison_new(const struct store *store, const struct comparison_setup *setup,
                                  void (*on_counted)(void *context), void *context)
{
    struct comparison *comparison = xcalloc(1, sizeof *comparison);
    unsigned bots = store_bot_count(store);

    comparison->store = store;
    for (unsigned score = 0; score < COMPARISON_SCORE_COUNT; score++)
        comparison->tests[score] = difference_test_start(&setup->test);
    comparison->decider = setup->decider;
    comparison->most = setup->test.most;
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

struct difference_test_view comparison_look(const struct comparison *comparison)
{
    return comparison_look_at(comparison, comparison->decider);
}

struct difference_test_view comparison_look_at(const struct comparison *comparison,
                                               enum comparison_score score)
{
    return difference_test_look(&comparison->tests[score]);
}

bool comparison_is_adjusted(const struct comparison *comparison)
{
    return comparison->decider == COMPARISON_ADJUSTED;
}

unsigned comparison_faults(const struct comparison *comparison, unsigned bot)
{
    return comparison->faults[bot];
}

unsigned long comparison_matches(const struct comparison *comparison)
{
    return comparison->matches;
}

double comparison_matches_needed(const struct comparison *comparison)
{
    return comparison_look(comparison).blocks_needed * rotations_of(comparison);
}
