/* Blocks are played in any order and counted in their own: the test is fed from the first block on as
 * far as there is no gap. When it has its verdict, blocks behind it are not played any more and would
 * not change it. */

#include "tournament/duel.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Blocks that are added at a time, and their deals committed to. */
#define STEP 64

struct duel {
    const struct store *store;
    struct sequential test;
    unsigned seats;
    unsigned blocks;
    unsigned counted;
    size_t results_seen; /* of the store */
    struct block_score *scores;
    unsigned score_capacity;
    unsigned faults[2];
    unsigned long matches;
    void (*on_step)(void *context);
    void *context;
};

/* What is known of one block so far, by NEW and OLD. */
struct block_score {
    long halves[2];
    unsigned rounds[2];
    unsigned faults[2];
};

static unsigned rotations_of(const struct duel *duel)
{
    return duel->seats == 2 && store_bot_count(duel->store) == 2 ? 2 : 2 * duel->seats;
}

static uint32_t all_of(const struct duel *duel)
{
    return (UINT32_C(1) << rotations_of(duel)) - 1;
}

/* Results come in the order of the store; each is added to its block once. */
static void add_result(struct duel *duel, const struct result *result)
{
    struct block_score *score = &duel->scores[result->block];

    for (unsigned seat = 0; seat < result->seats; seat++) {
        unsigned bot = result->bots[seat];

        if (bot > DUEL_OLD)
            continue;
        score->halves[bot] += result->score_halves[seat];
        score->rounds[bot] += result->rounds;
        score->faults[bot] += result->faults[seat] != BOT_ANSWERED;
    }
}

static void make_room(struct duel *duel)
{
    unsigned before = duel->score_capacity;

    if (duel->blocks < before)
        return;
    duel->score_capacity = duel->blocks + STEP;
    duel->scores = xrealloc(duel->scores, duel->score_capacity * sizeof *duel->scores);
    memset(duel->scores + before, 0, (duel->score_capacity - before) * sizeof *duel->scores);
}

static void read_results(struct duel *duel)
{
    size_t count;
    const struct result *results = store_results(duel->store, &count);

    for (; duel->results_seen < count; duel->results_seen++) {
        const struct result *result = &results[duel->results_seen];

        if (result->block >= duel->blocks)
            duel->blocks = result->block;
        make_room(duel);
        add_result(duel, result);
    }
}

static bool is_over(const struct duel *duel)
{
    return duel->test.verdict != SEQUENTIAL_GOES_ON;
}

static void count_block(struct duel *duel, unsigned block)
{
    const struct block_score *score = &duel->scores[block];
    double mean[2];

    for (unsigned bot = 0; bot < 2; bot++) {
        mean[bot] = (double)score->halves[bot] / 2 / score->rounds[bot];
        duel->faults[bot] += score->faults[bot];
    }
    duel->matches += rotations_of(duel);
    (void)sequential_add(&duel->test, mean[DUEL_NEW] - mean[DUEL_OLD]);
}

static void count_blocks(struct duel *duel)
{
    read_results(duel);
    while (!is_over(duel) && duel->counted < duel->blocks &&
           (store_done(duel->store, duel->counted + 1) & all_of(duel)) == all_of(duel)) {
        count_block(duel, ++duel->counted);
        if (duel->on_step != NULL)
            duel->on_step(duel->context);
    }
}

/* The programme. */

static unsigned blocks(void *context)
{
    const struct duel *duel = context;

    return duel->blocks;
}

static unsigned rotations(void *context, unsigned block)
{
    const struct duel *duel = context;

    return is_over(duel) && block > duel->counted ? 0 : rotations_of(duel);
}

/* With a field: first all seats of NEW, then all of OLD. */
static void seat(void *context, unsigned block, unsigned rotation, struct job *job)
{
    const struct duel *duel = context;
    unsigned turn = rotation % duel->seats;
    bool has_field = store_bot_count(duel->store) > 2;

    (void)block;
    job->seats = (uint8_t)duel->seats;
    for (unsigned i = 0; i < duel->seats; i++)
        job->bots[(i + turn) % duel->seats] = (uint16_t)(has_field ? i + 1 : i);
    if (has_field)
        job->bots[turn] = rotation < duel->seats ? DUEL_NEW : DUEL_OLD;
}

static void on_block(void *context, unsigned block)
{
    (void)block;
    count_blocks(context);
}

static bool extend(void *context)
{
    struct duel *duel = context;

    if (is_over(duel) || duel->blocks >= duel->test.setup.most)
        return false;
    duel->blocks += STEP;
    if (duel->blocks > duel->test.setup.most)
        duel->blocks = duel->test.setup.most;
    make_room(duel);
    return true;
}

struct programme duel_programme(struct duel *duel)
{
    return (struct programme){blocks, rotations, seat, on_block, extend, duel};
}

/* The life of a duel. */

struct duel *duel_new(const struct store *store, const struct sequential_setup *setup,
                      void (*on_step)(void *context), void *context)
{
    struct duel *duel = xcalloc(1, sizeof *duel);
    unsigned bots = store_bot_count(store);

    duel->store = store;
    duel->test = sequential_start(setup);
    duel->seats = bots > 2 ? bots - 1 : 2;
    duel->on_step = on_step;
    duel->context = context;
    (void)extend(duel);
    count_blocks(duel);
    return duel;
}

void duel_free(struct duel *duel)
{
    if (duel == NULL)
        return;
    free(duel->scores);
    free(duel);
}

struct sequential_view duel_look(const struct duel *duel)
{
    return sequential_look(&duel->test);
}

unsigned duel_faults(const struct duel *duel, unsigned bot)
{
    return duel->faults[bot];
}

unsigned long duel_matches(const struct duel *duel)
{
    return duel->matches;
}
