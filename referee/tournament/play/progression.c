/* Which bots are out because of faults follows from the results alone: all faults in decided blocks
 * are counted in the order of the schedule until a bot has too many. Whether a block counts depends
 * only on the blocks before it; so when everything is played, the same blocks count in whatever
 * order they were played. Until then a late result can change later blocks in both directions: it
 * puts a bot out, and the faults of other bots in its dropped blocks no longer count.
 *
 * Each round of a Swiss tournament after the first follows from the standings before it. The store
 * records its players when it begins, so that a later withdrawal does not change the past. */

#include "tournament/play/progression.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT_MAX

struct progression {
    struct store *store;
    struct schedule_setup setup;
    unsigned *generation;
    struct schedule *schedule;
    unsigned max_faults;
    unsigned *out_after; /* by bot: the block in which it reached max_faults; or NEVER */
    void (*on_block_decided)(void *context, unsigned block);
    void *context;
};

/* The setup, from the settings in the store. */

static long number_of(const struct store *store, const char *key, long default_value)
{
    const char *value = store_setting(store, key);
    long number = default_value;

    if (value != NULL)
        (void)span_read_number(span_of(value), 0, LONG_MAX, &number);
    return number;
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

static int read_setup(struct progression *progression, struct text *problem)
{
    const struct store *store = progression->store;
    int format = choice_of(store, "format", schedule_format_names, SCHEDULE_FORMAT_COUNT);
    int seatings = choice_of(store, "seatings", schedule_seatings_names, SCHEDULE_SEATINGS_COUNT);
    const char *hero = store_setting(store, "hero");
    int hero_number = hero != NULL && *hero != '\0' ? store_find_bot(store, hero) : 0;

    if (format < 0 || seatings < 0 || hero_number < 0) {
        text_add(problem, "this is not the store of a tournament");
        return -1;
    }
    progression->setup = (struct schedule_setup){
        .format = (enum schedule_format)format,
        .seatings = (enum schedule_seatings)seatings,
        .seats = (unsigned)number_of(store, "seats", 4),
        .bots = store_bot_count(store),
        .hero = (unsigned)hero_number,
        .deals = (unsigned)number_of(store, "deals", 1),
        .rounds = (unsigned)number_of(store, "rounds", 1),
        .matches = (unsigned long)number_of(store, "matches", 0),
        .seed = (uint64_t)number_of(store, "schedule_seed", 1),
        .generation = progression->generation,
    };
    progression->max_faults = (unsigned)number_of(store, "max_faults", 0);
    return 0;
}

/* Blocks. */

static uint32_t all_of(const struct progression *progression, unsigned block)
{
    unsigned rotations =
        schedule_rotations(progression->schedule, schedule_block(progression->schedule, block));

    return rotations >= 32 ? UINT32_MAX : (UINT32_C(1) << rotations) - 1;
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

/* Swiss rounds. A match gives a point for each bot that was placed behind, and half a point for
 * each that shares the place. */

struct ranked {
    uint16_t bot;
    unsigned matches;
    unsigned half_points;
    long halves;
    unsigned rounds;
};

static void add_points(struct ranked *ranked, const struct result *result)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        struct ranked *bot = &ranked[result->bots[seat]];

        bot->matches++;
        bot->halves += result->score_halves[seat];
        bot->rounds += result->rounds;
        for (unsigned other = 0; other < result->seats; other++) {
            if (other != seat && result->places[seat] <= result->places[other])
                bot->half_points += result->places[seat] < result->places[other] ? 2 : 1;
        }
    }
}

/* More points per match first, then a lower score per round, then the number. */
static int compare_ranks(const void *one, const void *other)
{
    const struct ranked *a = one;
    const struct ranked *b = other;
    unsigned long left = (unsigned long)a->half_points * (b->matches > 0 ? b->matches : 1);
    unsigned long right = (unsigned long)b->half_points * (a->matches > 0 ? a->matches : 1);
    long long score_left = (long long)a->halves * (b->rounds > 0 ? b->rounds : 1);
    long long score_right = (long long)b->halves * (a->rounds > 0 ? a->rounds : 1);

    if (left != right)
        return left > right ? -1 : 1;
    if (score_left != score_right)
        return score_left < score_right ? -1 : 1;
    return (a->bot > b->bot) - (a->bot < b->bot);
}

static void add_round(struct progression *progression)
{
    struct ranked *ranked = xcalloc(progression->setup.bots, sizeof *ranked);
    uint16_t *order = xcalloc(progression->setup.bots, sizeof *order);
    size_t count;
    struct result *results = progression_results(progression, &count);
    unsigned players = 0;

    for (unsigned bot = 0; bot < progression->setup.bots; bot++)
        ranked[bot].bot = (uint16_t)bot;
    for (size_t i = 0; i < count; i++)
        add_points(ranked, &results[i]);
    qsort(ranked, progression->setup.bots, sizeof *ranked, compare_ranks);
    for (unsigned i = 0; i < progression->setup.bots; i++) {
        if (!progression_is_out(progression, ranked[i].bot))
            order[players++] = ranked[i].bot;
    }
    store_add_round(progression->store, order, players);
    free(results);
    free(order);
    free(ranked);
}

/* Adds the rounds that the store has. */
static void add_known_rounds(struct progression *progression, unsigned from)
{
    for (unsigned i = from; i < store_round_count(progression->store); i++) {
        const struct store_round *round = store_round(progression->store, i);

        (void)schedule_add_round(progression->schedule, round->order, round->count);
    }
}

static bool extend(void *context)
{
    struct progression *progression = context;
    unsigned before = store_round_count(progression->store);
    unsigned blocks = schedule_count(progression->schedule);

    if (progression->setup.format != SCHEDULE_SWISS || before + 1 >= progression->setup.rounds)
        return false;
    add_round(progression);
    add_known_rounds(progression, before);
    return schedule_count(progression->schedule) > blocks;
}

/* The life of a progression. */

struct progression *progression_new(struct store *store, struct text *problem)
{
    struct progression *progression = xcalloc(1, sizeof *progression);
    unsigned bots = store_bot_count(store);

    progression->store = store;
    progression->generation = xcalloc(bots + 1, sizeof *progression->generation);
    progression->out_after = xcalloc(bots + 1, sizeof *progression->out_after);
    for (unsigned i = 0; i < bots; i++)
        progression->generation[i] = store_bot(store, i)->generation;
    if (read_setup(progression, problem) == 0) {
        progression->schedule = schedule_new(&progression->setup);
        if (progression->schedule == NULL)
            text_add(problem, "there are too many matches: limit them with `matches`");
    }
    if (progression->schedule == NULL) {
        progression_free(progression);
        return NULL;
    }
    add_known_rounds(progression, 0);
    find_bots_out(progression);
    return progression;
}

void progression_free(struct progression *progression)
{
    if (progression == NULL)
        return;
    schedule_free(progression->schedule);
    free(progression->generation);
    free(progression->out_after);
    free(progression);
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
    return (struct block_source){block_count,      rotations, fill_task,
                                 on_block_decided, extend,    progression};
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
