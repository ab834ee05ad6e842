/* Who is out because of faults is worked out from the results alone: all faults in decided blocks, in
 * the order of the schedule, are counted until somebody has too many. What is known of a block depends
 * on the blocks before it alone; so when everything is played the same blocks count in whatever order
 * that happened. Until then a result that comes in late can change what is known of later blocks, in
 * both ways: it puts somebody out, and with his blocks it takes away faults of others.
 *
 * The rounds of a Swiss tournament after the first come from the standings of the rounds before. Who
 * plays in them is written down when they begin, so that a later withdrawal does not change the
 * past. */

#include "tournament/agenda.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT_MAX

struct agenda {
    struct store *store;
    struct schedule_setup setup;
    unsigned *generation;
    struct schedule *schedule;
    unsigned max_faults;
    unsigned *out_after; /* by bot: the block with which it had too many faults; or NEVER */
    void (*on_block)(void *context, unsigned block);
    void *context;
};

/* The setup, from the words in the store. */

static long number_of(const struct store *store, const char *key, long otherwise)
{
    const char *value = store_setting(store, key);
    long number = otherwise;

    if (value != NULL)
        (void)span_read_number(span_of(value), 0, LONG_MAX, &number);
    return number;
}

static int word_of(const struct store *store, const char *key, const char *const *words, int count)
{
    const char *value = store_setting(store, key);

    for (int i = 0; value != NULL && i < count; i++) {
        if (strcmp(value, words[i]) == 0)
            return i;
    }
    return -1;
}

static int read_setup(struct agenda *agenda, struct text *problem)
{
    const struct store *store = agenda->store;
    int format = word_of(store, "format", schedule_format_names, SCHEDULE_FORMAT_COUNT);
    int seatings = word_of(store, "seatings", schedule_seatings_names, SCHEDULE_SEATINGS_COUNT);
    const char *hero = store_setting(store, "hero");
    int hero_number = hero != NULL && *hero != '\0' ? store_find_bot(store, hero) : 0;

    if (format < 0 || seatings < 0 || hero_number < 0) {
        text_add(problem, "the store is not one of a tournament");
        return -1;
    }
    agenda->setup = (struct schedule_setup){
        .format = (enum schedule_format)format,
        .seatings = (enum schedule_seatings)seatings,
        .seats = (unsigned)number_of(store, "seats", 4),
        .bots = store_bot_count(store),
        .hero = (unsigned)hero_number,
        .deals = (unsigned)number_of(store, "deals", 1),
        .rounds = (unsigned)number_of(store, "rounds", 1),
        .matches = (unsigned long)number_of(store, "matches", 0),
        .seed = (uint64_t)number_of(store, "schedule_seed", 1),
        .generation = agenda->generation,
    };
    agenda->max_faults = (unsigned)number_of(store, "max_faults", 0);
    return 0;
}

/* Blocks. */

static uint32_t all_of(const struct agenda *agenda, unsigned block)
{
    unsigned rotations =
        schedule_rotations(agenda->schedule, schedule_block(agenda->schedule, block));

    return rotations >= 32 ? UINT32_MAX : (UINT32_C(1) << rotations) - 1;
}

static bool is_decided(const struct agenda *agenda, unsigned block)
{
    uint32_t all = all_of(agenda, block);

    return (store_done(agenda->store, block) & all) == all;
}

enum agenda_state agenda_block(const struct agenda *agenda, unsigned number)
{
    const struct block *block = schedule_block(agenda->schedule, number);
    bool has_withdrawn = false;

    for (unsigned i = 0; i < block->seats; i++) {
        if (agenda->out_after[block->bots[i]] < number)
            return AGENDA_DROPPED;
        has_withdrawn = has_withdrawn || store_bot(agenda->store, block->bots[i])->is_withdrawn;
    }
    if (is_decided(agenda, number))
        return AGENDA_COUNTS;
    return has_withdrawn ? AGENDA_DROPPED : AGENDA_OPEN;
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

static void count_faults(struct agenda *agenda, const struct result *result, unsigned *faults)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        unsigned bot = result->bots[seat];

        if (result->faults[seat] == BOT_ANSWERED || ++faults[bot] < agenda->max_faults)
            continue;
        if (result->block < agenda->out_after[bot])
            agenda->out_after[bot] = result->block;
    }
}

static void find_who_is_out(struct agenda *agenda)
{
    size_t count;
    const struct result *results = store_results(agenda->store, &count);
    const struct result **faulty;
    unsigned *faults = xcalloc(agenda->setup.bots, sizeof *faults);
    size_t faulty_count = 0;

    for (unsigned bot = 0; bot < agenda->setup.bots; bot++)
        agenda->out_after[bot] = NEVER;
    faulty = xcalloc(agenda->max_faults > 0 ? count + 1 : 1, sizeof(const struct result *));
    for (size_t i = 0; agenda->max_faults > 0 && i < count; i++) {
        if (has_fault(&results[i]))
            faulty[faulty_count++] = &results[i];
    }
    qsort(faulty, faulty_count, sizeof(const struct result *), compare_blocks);
    for (size_t i = 0; i < faulty_count; i++) {
        if (faulty[i]->block <= schedule_count(agenda->schedule) &&
            agenda_block(agenda, faulty[i]->block) == AGENDA_COUNTS)
            count_faults(agenda, faulty[i], faults);
    }
    free(faulty);
    free(faults);
}

bool agenda_is_out(const struct agenda *agenda, unsigned bot)
{
    return agenda->out_after[bot] != NEVER || store_bot(agenda->store, bot)->is_withdrawn;
}

/* Swiss rounds. Each match gives a point for everybody who was placed behind, and half a point for a
 * shared place. */

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

/* More points a match first, then fewer points of the game, then the number. */
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

static void begin_round(struct agenda *agenda)
{
    struct ranked *ranked = xcalloc(agenda->setup.bots, sizeof *ranked);
    uint16_t *order = xcalloc(agenda->setup.bots, sizeof *order);
    size_t count;
    struct result *results = agenda_results(agenda, &count);
    unsigned players = 0;

    for (unsigned bot = 0; bot < agenda->setup.bots; bot++)
        ranked[bot].bot = (uint16_t)bot;
    for (size_t i = 0; i < count; i++)
        add_points(ranked, &results[i]);
    qsort(ranked, agenda->setup.bots, sizeof *ranked, compare_ranks);
    for (unsigned i = 0; i < agenda->setup.bots; i++) {
        if (!agenda_is_out(agenda, ranked[i].bot))
            order[players++] = ranked[i].bot;
    }
    store_add_round(agenda->store, order, players);
    free(results);
    free(order);
    free(ranked);
}

/* Adds the rounds that have begun. */
static void add_known_rounds(struct agenda *agenda, unsigned from)
{
    for (unsigned i = from; i < store_round_count(agenda->store); i++) {
        const struct store_round *round = store_round(agenda->store, i);

        (void)schedule_add_round(agenda->schedule, round->order, round->count);
    }
}

static bool extend(void *context)
{
    struct agenda *agenda = context;
    unsigned before = store_round_count(agenda->store);
    unsigned blocks = schedule_count(agenda->schedule);

    if (agenda->setup.format != SCHEDULE_SWISS || before + 1 >= agenda->setup.rounds)
        return false;
    begin_round(agenda);
    add_known_rounds(agenda, before);
    return schedule_count(agenda->schedule) > blocks;
}

/* The life of a agenda. */

struct agenda *agenda_new(struct store *store, struct text *problem)
{
    struct agenda *agenda = xcalloc(1, sizeof *agenda);
    unsigned bots = store_bot_count(store);

    agenda->store = store;
    agenda->generation = xcalloc(bots + 1, sizeof *agenda->generation);
    agenda->out_after = xcalloc(bots + 1, sizeof *agenda->out_after);
    for (unsigned i = 0; i < bots; i++)
        agenda->generation[i] = store_bot(store, i)->generation;
    if (read_setup(agenda, problem) == 0) {
        agenda->schedule = schedule_new(&agenda->setup);
        if (agenda->schedule == NULL)
            text_add(problem,
                     "there are too many matches: say with `matches` how many there may be");
    }
    if (agenda->schedule == NULL) {
        agenda_free(agenda);
        return NULL;
    }
    add_known_rounds(agenda, 0);
    find_who_is_out(agenda);
    return agenda;
}

void agenda_free(struct agenda *agenda)
{
    if (agenda == NULL)
        return;
    schedule_free(agenda->schedule);
    free(agenda->generation);
    free(agenda->out_after);
    free(agenda);
}

/* The programme. */

static unsigned blocks(void *context)
{
    const struct agenda *agenda = context;

    return schedule_count(agenda->schedule);
}

static unsigned rotations(void *context, unsigned block)
{
    const struct agenda *agenda = context;

    if (agenda_block(agenda, block) == AGENDA_DROPPED)
        return 0;
    return schedule_rotations(agenda->schedule, schedule_block(agenda->schedule, block));
}

static void seat(void *context, unsigned number, unsigned rotation, struct job *job)
{
    const struct agenda *agenda = context;
    const struct block *block = schedule_block(agenda->schedule, number);

    job->seats = (uint8_t)block->seats;
    schedule_seats(agenda->schedule, block, rotation, job->bots);
}

static void on_block(void *context, unsigned block)
{
    struct agenda *agenda = context;

    if (agenda->max_faults > 0)
        find_who_is_out(agenda);
    if (agenda->on_block != NULL)
        agenda->on_block(agenda->context, block);
}

struct programme agenda_programme(struct agenda *agenda,
                                  void (*told)(void *context, unsigned block), void *context)
{
    agenda->on_block = told;
    agenda->context = context;
    return (struct programme){blocks, rotations, seat, on_block, extend, agenda};
}

/* What is to be known. */

const struct schedule *agenda_schedule(const struct agenda *agenda)
{
    return agenda->schedule;
}

const struct schedule_setup *agenda_setup(const struct agenda *agenda)
{
    return &agenda->setup;
}

unsigned long agenda_matches(const struct agenda *agenda)
{
    unsigned long matches = schedule_matches(agenda->schedule);

    for (unsigned block = 1; block <= schedule_count(agenda->schedule); block++) {
        if (agenda_block(agenda, block) == AGENDA_DROPPED)
            matches -=
                schedule_rotations(agenda->schedule, schedule_block(agenda->schedule, block));
    }
    return matches;
}

unsigned long agenda_decided(const struct agenda *agenda)
{
    unsigned long decided = 0;

    for (unsigned block = 1; block <= schedule_count(agenda->schedule); block++) {
        if (agenda_block(agenda, block) != AGENDA_DROPPED)
            decided += (unsigned long)__builtin_popcount(store_done(agenda->store, block) &
                                                         all_of(agenda, block));
    }
    return decided;
}

struct result *agenda_results(const struct agenda *agenda, size_t *count)
{
    size_t all_count;
    const struct result *all = store_results(agenda->store, &all_count);
    const struct result **counted = xcalloc(all_count + 1, sizeof(const struct result *));
    struct result *results;

    *count = 0;
    for (size_t i = 0; i < all_count; i++) {
        if (all[i].block <= schedule_count(agenda->schedule) &&
            agenda_block(agenda, all[i].block) == AGENDA_COUNTS)
            counted[(*count)++] = &all[i];
    }
    qsort(counted, *count, sizeof(const struct result *), compare_blocks);
    results = xcalloc(*count + 1, sizeof *results);
    for (size_t i = 0; i < *count; i++)
        results[i] = *counted[i];
    free(counted);
    return results;
}
