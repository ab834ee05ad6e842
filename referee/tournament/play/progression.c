/* Which bots are out because of faults follows from the results alone: all faults in decided blocks
 * are counted in the order of the schedule until a bot has too many. Whether a block counts depends
 * only on the blocks before it; so when everything is played, the same blocks count in whatever
 * order they were played. Until then a late result can change later blocks in both directions: it
 * puts a bot out, and the faults of other bots in its dropped blocks no longer count.
 *
 * Each round of a Swiss tournament after the first follows from the standings before it. The store
 * records its players when it begins, so that a later withdrawal does not change the past.
 *
 * Blocks that are played again have a rematch in the schedule, and count no more. Rounds and
 * rematches are added in the order in which the store has them, because the pairs of a round depend
 * on the blocks before it. */

#include "tournament/play/progression.h"

#include "base/memory.h"
#include "tournament/stats/swiss_order.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT_MAX

struct progression {
    struct store *store;
    struct schedule_setup setup;
    unsigned *generation;
    struct schedule *schedule;
    unsigned blocks_before; /* the last round that the store has */
    unsigned max_faults;
    unsigned *out_after; /* by bot: the block in which it reached max_faults; or NEVER */
    bool *has_memory;    /* by bot: progression_note_memory() */
    void (*on_block_decided)(void *context, unsigned block);
    void *context;
};

/* The setup, from the settings in the store. */

/* The settings that are numbers, and what they can be. */
enum number { SEATS, DEALS, ROUNDS, MATCHES, SEED, MAX_FAULTS, NUMBER_COUNT };

static const struct {
    const char *key;
    long most;
} numbers[NUMBER_COUNT] = {
    [SEATS] = {"seats", ALLEGRA_SEATS_MAX},     [DEALS] = {"deals", SCHEDULE_BLOCKS_MAX},
    [ROUNDS] = {"rounds", SCHEDULE_BLOCKS_MAX}, [MATCHES] = {"matches", LONG_MAX},
    [SEED] = {"schedule_seed", LONG_MAX},       [MAX_FAULTS] = {"max_faults", INT_MAX},
};

static int read_numbers(const struct store *store, long values[NUMBER_COUNT], struct text *problem)
{
    for (size_t i = 0; i < NUMBER_COUNT; i++) {
        const char *value = store_setting(store, numbers[i].key);

        if (value == NULL ||
            span_read_number(span_of(value), 0, numbers[i].most, &values[i]) != 0) {
            text_printf(problem, "the store has no valid setting `%s`", numbers[i].key);
            return -1;
        }
    }
    return 0;
}

static int choice_of(const struct store *store, const char *key, const char *const *choices,
                     int count)
{
    const char *value = store_setting(store, key);

    for (int i = 0; value != NULL && i < count; i++) {
        if (strcmp(value, choices[i]) == 0)
            return i;
    }
    return -1;
}

static int check_setup(const struct progression *progression, struct text *problem)
{
    const char *why = schedule_refuse(&progression->setup);

    if (why == NULL && progression->setup.format != SCHEDULE_SWISS &&
        store_round_count(progression->store) > 0)
        why = "there are rounds, and the format is not Swiss";
    if (why == NULL)
        return 0;
    text_printf(problem, "the store has settings or bots that do not go together: %s", why);
    return -1;
}

static int read_setup(struct progression *progression, struct text *problem)
{
    const struct store *store = progression->store;
    int format = choice_of(store, "format", schedule_format_names, SCHEDULE_FORMAT_COUNT);
    int seatings = choice_of(store, "seatings", schedule_seatings_names, SCHEDULE_SEATINGS_COUNT);
    const char *hero = store_setting(store, "hero");
    int hero_number = hero != NULL && *hero != '\0' ? store_find_bot(store, hero) : 0;
    long values[NUMBER_COUNT];

    if (format < 0 || seatings < 0 || hero_number < 0) {
        text_add(problem, "this is not the store of a tournament");
        return -1;
    }
    if (read_numbers(store, values, problem) != 0)
        return -1;
    progression->setup = (struct schedule_setup){
        .format = (enum schedule_format)format,
        .seatings = (enum schedule_seatings)seatings,
        .seats = (unsigned)values[SEATS],
        .bots = store_bot_count(store),
        .hero = (unsigned)hero_number,
        .deals = (unsigned)values[DEALS],
        .rounds = (unsigned)values[ROUNDS],
        .matches = (unsigned long)values[MATCHES],
        .seed = (uint64_t)values[SEED],
        .generation = progression->generation,
    };
    progression->max_faults = (unsigned)values[MAX_FAULTS];
    return check_setup(progression, problem);
}

/* Blocks. */

static uint32_t all_of(const struct progression *progression, unsigned block)
{
    unsigned rotations =
        schedule_rotations(progression->schedule, schedule_block(progression->schedule, block));

    return block_mask(rotations);
}

static bool is_decided(const struct progression *progression, unsigned block)
{
    uint32_t all = all_of(progression, block);

    return (store_done(progression->store, block) & all) == all;
}

enum progression_state progression_block(const struct progression *progression, unsigned number)
{
    const struct block *block = schedule_block(progression->schedule, number);
    bool has_withdrawn = false;

    if (block->rematch != 0)
        return PROGRESSION_DROPPED;
    for (unsigned i = 0; i < block->seats; i++) {
        if (progression->out_after[block->bots[i]] < number)
            return PROGRESSION_DROPPED;
        has_withdrawn =
            has_withdrawn || store_bot(progression->store, block->bots[i])->is_withdrawn;
    }
    if (is_decided(progression, number))
        return PROGRESSION_COUNTS;
    return has_withdrawn ? PROGRESSION_DROPPED : PROGRESSION_OPEN;
}

/* Faults. */

static int compare_blocks(const void *one, const void *other)
{
    const struct result *a = *(const struct result *const *)one;
    const struct result *b = *(const struct result *const *)other;

    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return (a->rotation > b->rotation) - (a->rotation < b->rotation);
}

static bool has_fault(const struct result *result)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if (result->faults[seat] != BOT_ANSWERED)
            return true;
    }
    return false;
}

static void count_faults(struct progression *progression, const struct result *result,
                         unsigned *faults)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        unsigned bot = result->bots[seat];

        if (result->faults[seat] == BOT_ANSWERED || ++faults[bot] < progression->max_faults)
            continue;
        if (result->block < progression->out_after[bot])
            progression->out_after[bot] = result->block;
    }
}

static void find_bots_out(struct progression *progression)
{
    size_t count;
    const struct result *results = store_results(progression->store, &count);
    const struct result **faulty;
    unsigned *faults = xcalloc(progression->setup.bots, sizeof *faults);
    size_t faulty_count = 0;

    for (unsigned bot = 0; bot < progression->setup.bots; bot++)
        progression->out_after[bot] = NEVER;
    faulty = xcalloc(progression->max_faults > 0 ? count + 1 : 1, sizeof(const struct result *));
    for (size_t i = 0; progression->max_faults > 0 && i < count; i++) {
        if (has_fault(&results[i]))
            faulty[faulty_count++] = &results[i];
    }
    qsort(faulty, faulty_count, sizeof(const struct result *), compare_blocks);
    for (size_t i = 0; i < faulty_count; i++) {
        if (faulty[i]->block <= schedule_count(progression->schedule) &&
            progression_block(progression, faulty[i]->block) == PROGRESSION_COUNTS)
            count_faults(progression, faulty[i], faults);
    }
    free(faulty);
    free(faults);
}

bool progression_is_out(const struct progression *progression, unsigned bot)
{
    return progression->out_after[bot] != NEVER || store_bot(progression->store, bot)->is_withdrawn;
}

/* Swiss rounds. */

/* The players of the next round by the results so far, the best first. Returns how many there are;
 * `order` has room for all bots. */
static unsigned find_players(const struct progression *progression, uint16_t *order)
{
    size_t count;
    struct result *results = progression_results(progression, &count);
    unsigned players = 0;

    swiss_order(results, count, progression->setup.bots, order);
    for (unsigned i = 0; i < progression->setup.bots; i++) {
        if (!progression_is_out(progression, order[i]))
            order[players++] = order[i];
    }
    free(results);
    return players;
}

static void add_round(struct progression *progression)
{
    uint16_t *order = xcalloc((size_t)progression->setup.bots + 1, sizeof *order);

    store_add_round(progression->store, order, find_players(progression, order));
    free(order);
}

/* Adds the rounds that the store has, up to a number of them. */
static void add_known_rounds(struct progression *progression, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        const struct store_round *round = store_round(progression->store, i);

        progression->blocks_before = schedule_count(progression->schedule);
        (void)schedule_add_round(progression->schedule, round->order, round->count);
    }
}

/* Adds the rounds and rematches that the store has. */
static int add_known_blocks(struct progression *progression, struct text *problem)
{
    const struct store *store = progression->store;
    unsigned rounds = 0;

    for (unsigned i = 0; i < store_rematches_count(store); i++) {
        const struct store_rematches *rematches = store_rematches(store, i);

        add_known_rounds(progression, rounds, rematches->rounds);
        rounds = rematches->rounds;
        if (schedule_add_rematches(progression->schedule, rematches->after, rematches->blocks,
                                   rematches->count))
            continue;
        text_printf(problem,
                    "the store has rematches after block %u that do not fit into its schedule: "
                    "they were forged or damaged",
                    rematches->after);
        return -1;
    }
    add_known_rounds(progression, rounds, store_round_count(store));
    return 0;
}

static bool extend(void *context)
{
    struct progression *progression = context;
    unsigned before = store_round_count(progression->store);
    unsigned blocks = schedule_count(progression->schedule);

    if (progression->setup.format != SCHEDULE_SWISS || before + 1 >= progression->setup.rounds)
        return false;
    add_round(progression);
    add_known_rounds(progression, before, before + 1);
    return schedule_count(progression->schedule) > blocks;
}

int progression_check_round(const struct progression *progression, struct text *problem)
{
    unsigned last = store_round_count(progression->store) - 1;
    const struct store_round *round = store_round(progression->store, last);
    uint16_t *order = xcalloc((size_t)progression->setup.bots + 1, sizeof *order);
    unsigned players = find_players(progression, order);
    bool is_same =
        players == round->count && memcmp(order, round->order, players * sizeof *order) == 0;
    bool is_early = false;

    free(order);
    for (unsigned block = 1; block <= progression->blocks_before && !is_early; block++)
        is_early = progression_block(progression, block) == PROGRESSION_OPEN;
    if (is_early)
        text_printf(problem, "round %u was recorded before the results that it follows from",
                    last + 2);
    else if (!is_same)
        text_printf(problem, "the order of round %u does not follow from the results before it",
                    last + 2);
    return is_early || !is_same ? -1 : 0;
}

/* Whether the store has results of other matches than the schedule says. The schedule of a block
 * never changes, so no referee wrote them. */
static int check_results(const struct progression *progression, struct text *problem)
{
    size_t count;
    const struct result *results = store_results(progression->store, &count);

    for (size_t i = 0; i < count; i++) {
        const struct result *result = &results[i];
        const struct block *block = schedule_block(progression->schedule, result->block);
        uint16_t bots[ALLEGRA_SEATS_MAX];

        if (block != NULL && result->seats == block->seats &&
            result->rotation < schedule_rotations(progression->schedule, block)) {
            schedule_seats(progression->schedule, block, result->rotation, bots);
            if (memcmp(bots, result->bots, block->seats * sizeof *bots) == 0)
                continue;
        }
        text_printf(problem,
                    "the store has a result of block %u, match %u, which is not in its "
                    "schedule: it was forged or damaged",
                    (unsigned)result->block, result->rotation + 1U);
        return -1;
    }
    return 0;
}

/* The life of a progression. */

struct progression *progression_new(struct store *store, struct text *problem)
{
    struct progression *progression = xcalloc(1, sizeof *progression);
    unsigned bots = store_bot_count(store);

    progression->store = store;
    progression->generation = xcalloc(bots + 1, sizeof *progression->generation);
    progression->out_after = xcalloc(bots + 1, sizeof *progression->out_after);
    progression->has_memory = xcalloc(bots + 1, sizeof *progression->has_memory);
    for (unsigned i = 0; i < bots; i++)
        progression->generation[i] = store_bot(store, i)->generation;
    if (read_setup(progression, problem) == 0) {
        progression->schedule = schedule_new(&progression->setup);
        if (progression->schedule == NULL)
            text_add(problem, "there are too many matches: limit them with `matches`");
    }
    if (progression->schedule == NULL || add_known_blocks(progression, problem) != 0 ||
        check_results(progression, problem) != 0) {
        progression_free(progression);
        return NULL;
    }
    find_bots_out(progression);
    return progression;
}

void progression_free(struct progression *progression)
{
    if (progression == NULL)
        return;
    schedule_free(progression->schedule);
    free(progression->generation);
    free(progression->has_memory);
    free(progression->out_after);
    free(progression);
}

/* Rematches. */

unsigned progression_add_rematches(struct progression *progression, unsigned bot)
{
    unsigned after = schedule_count(progression->schedule);
    unsigned count = store_add_rematches(progression->store, bot, after);
    const struct store_rematches *added;

    if (count == 0)
        return 0;
    added = store_rematches(progression->store, store_rematches_count(progression->store) - 1);
    if (!schedule_add_rematches(progression->schedule, after, added->blocks, count))
        return 0;
    find_bots_out(progression);
    return count;
}

unsigned progression_rematches(const struct progression *progression, unsigned bot, unsigned *open)
{
    unsigned times = 0;

    *open = 0;
    for (unsigned i = 0; i < store_rematches_count(progression->store); i++) {
        const struct store_rematches *rematches = store_rematches(progression->store, i);

        if (rematches->bot != bot)
            continue;
        times++;
        *open = 0;
        for (unsigned block = 1; block <= rematches->count; block++)
            *open += progression_block(progression, rematches->after + block) == PROGRESSION_OPEN;
    }
    return times;
}

void progression_note_memory(struct progression *progression, unsigned bot)
{
    progression->has_memory[bot] = true;
}

/* A block whose bots have no memory of an earlier attempt keeps its deal. */
static unsigned redeal(void *context, unsigned number)
{
    struct progression *progression = context;
    const struct block *block = schedule_block(progression->schedule, number);
    unsigned after = schedule_count(progression->schedule);
    bool has_memory = false;

    for (unsigned i = 0; i < block->seats; i++)
        has_memory = has_memory || progression->has_memory[block->bots[i]];
    if (!has_memory || block->rematch != 0 || after >= SCHEDULE_BLOCKS_MAX ||
        !store_redeal(progression->store, number, after))
        return 0;
    (void)schedule_add_rematches(progression->schedule, after, &number, 1);
    return after + 1;
}

unsigned progression_redeal_begun(struct progression *progression)
{
    unsigned blocks = schedule_count(progression->schedule);
    unsigned count = 0;

    for (unsigned block = 1; block <= blocks; block++) {
        if (progression_block(progression, block) == PROGRESSION_OPEN &&
            store_is_open(progression->store, block) && store_done(progression->store, block) == 0)
            count += redeal(progression, block) != 0;
    }
    return count;
}

int progression_check_rematches(const struct progression *progression, struct text *problem)
{
    unsigned last = store_rematches_count(progression->store) - 1;
    const struct store_rematches *rematches = store_rematches(progression->store, last);

    if (rematches->after + rematches->count == schedule_count(progression->schedule))
        return 0;
    text_printf(problem, "rematches were recorded after block %u, which is not the last one",
                rematches->after);
    return -1;
}

/* The block source. */

static unsigned block_count(void *context)
{
    const struct progression *progression = context;

    return schedule_count(progression->schedule);
}

static unsigned rotations(void *context, unsigned block)
{
    const struct progression *progression = context;

    if (progression_block(progression, block) == PROGRESSION_DROPPED)
        return 0;
    return schedule_rotations(progression->schedule, schedule_block(progression->schedule, block));
}

static void fill_task(void *context, unsigned number, unsigned rotation, struct task *task)
{
    const struct progression *progression = context;
    const struct block *block = schedule_block(progression->schedule, number);

    task->seats = (uint8_t)block->seats;
    schedule_seats(progression->schedule, block, rotation, task->bots);
}

static void on_block_decided(void *context, unsigned block)
{
    struct progression *progression = context;

    if (progression->max_faults > 0)
        find_bots_out(progression);
    if (progression->on_block_decided != NULL)
        progression->on_block_decided(progression->context, block);
}

struct block_source progression_source(struct progression *progression,
                                       void (*observer)(void *context, unsigned block),
                                       void *context)
{
    progression->on_block_decided = observer;
    progression->context = context;
    return (struct block_source){block_count, rotations, fill_task,  on_block_decided,
                                 extend,      redeal,    progression};
}

const struct schedule *progression_schedule(const struct progression *progression)
{
    return progression->schedule;
}

const struct schedule_setup *progression_setup(const struct progression *progression)
{
    return &progression->setup;
}

unsigned long progression_matches(const struct progression *progression)
{
    unsigned long matches = schedule_matches(progression->schedule);

    for (unsigned block = 1; block <= schedule_count(progression->schedule); block++) {
        if (progression_block(progression, block) == PROGRESSION_DROPPED)
            matches -= schedule_rotations(progression->schedule,
                                          schedule_block(progression->schedule, block));
    }
    return matches;
}

unsigned long progression_decided(const struct progression *progression)
{
    unsigned long decided = 0;

    for (unsigned block = 1; block <= schedule_count(progression->schedule); block++) {
        if (progression_block(progression, block) != PROGRESSION_DROPPED)
            decided += (unsigned long)__builtin_popcount(store_done(progression->store, block) &
                                                         all_of(progression, block));
    }
    return decided;
}

struct result *progression_results(const struct progression *progression, size_t *count)
{
    size_t all_count;
    const struct result *all = store_results(progression->store, &all_count);
    const struct result **counted = xcalloc(all_count + 1, sizeof(const struct result *));
    struct result *results;

    *count = 0;
    for (size_t i = 0; i < all_count; i++) {
        if (all[i].block <= schedule_count(progression->schedule) &&
            progression_block(progression, all[i].block) == PROGRESSION_COUNTS)
            counted[(*count)++] = &all[i];
    }
    qsort(counted, *count, sizeof(const struct result *), compare_blocks);
    results = xcalloc(*count + 1, sizeof *results);
    for (size_t i = 0; i < *count; i++)
        results[i] = *counted[i];
    free(counted);
    return results;
}
