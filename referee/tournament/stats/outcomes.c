/* Each match gives a list of entries (block, set, weight). Sorted by set, they give every set its
 * number; sorted by block and set, the entries of a block are together and equal sets can be
 * joined. A resample then walks over a few numbers per block, whatever the number of matches. */

#include "tournament/stats/outcomes.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    struct outcome_set set;
    uint32_t block;
    uint32_t number; /* of the set */
    uint32_t sixtieths;
};

struct entries {
    struct entry *list;
    size_t count;
    size_t capacity;
};

static void check_result(const struct result *result, unsigned bots)
{
    if (result->seats < 1 || result->seats > ALLEGRA_SEATS_MAX)
        fatal("a result of block %u has %u seats", result->block, result->seats);
    for (unsigned seat = 0; seat < result->seats; seat++)
        if (result->bots[seat] >= bots || result->places[seat] < 1 ||
            result->places[seat] > result->seats || result->faults[seat] >= BOT_OUTCOME_COUNT)
            fatal("a result of block %u has an impossible seat", result->block);
}

static int compare_numbers(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;

    return (a > b) - (a < b);
}

static void find_blocks(struct outcomes *outcomes, const struct result *results, size_t count)
{
    outcomes->numbers = xcalloc(count + 1, sizeof *outcomes->numbers);
    for (size_t i = 0; i < count; i++)
        outcomes->numbers[i] = results[i].block;
    qsort(outcomes->numbers, count, sizeof *outcomes->numbers, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || outcomes->numbers[i] != outcomes->numbers[i - 1])
            outcomes->numbers[outcomes->blocks++] = outcomes->numbers[i];
}

unsigned outcomes_block(const struct outcomes *outcomes, uint32_t number)
{
    const uint32_t *found = bsearch(&number, outcomes->numbers, outcomes->blocks,
                                    sizeof *outcomes->numbers, compare_numbers);

    if (found == NULL)
        fatal("there is no block %u", number);
    return (unsigned)(found - outcomes->numbers);
}

static void set_add(struct outcome_set *set, uint16_t bot)
{
    unsigned at = set->size++;

    for (; at > 0 && set->bots[at - 1] > bot; at--)
        set->bots[at] = set->bots[at - 1];
    set->bots[at] = bot;
}

static void add_entry(struct entries *entries, uint32_t block, const struct outcome_set *set,
                      uint32_t sixtieths)
{
    if (entries->count == entries->capacity) {
        entries->capacity *= 2;
        entries->list = xrealloc(entries->list, entries->capacity * sizeof *entries->list);
    }
    entries->list[entries->count++] =
        (struct entry){.set = *set, .block = block, .sixtieths = sixtieths};
}

/* By how many bots share a place and how many of them are left: 1 / C(k, m), in sixtieths. */
static const uint32_t share_of[ALLEGRA_SEATS_MAX + 1][ALLEGRA_SEATS_MAX + 1] = {
    [1] = {0, 60},
    [2] = {0, 30, 60},
    [3] = {0, 20, 20, 60},
    [4] = {0, 15, 10, 15, 60},
    [5] = {0, 12, 6, 6, 12, 60},
    [6] = {0, 10, 4, 3, 4, 10, 60},
};

/* Adds the sets that the bots `tied` at one place are chosen from, with those placed `behind`. */
static void add_choices(struct entries *entries, uint32_t block, const struct outcome_set *tied,
                        const struct outcome_set *behind)
{
    for (unsigned mask = 1; mask < 1U << tied->size; mask++) {
        unsigned some = (unsigned)__builtin_popcount(mask);
        struct outcome_set set = *behind;

        for (unsigned i = 0; i < tied->size; i++)
            if (mask >> i & 1)
                set_add(&set, tied->bots[i]);
        if (set.size > 1)
            add_entry(entries, block, &set, share_of[tied->size][some]);
    }
}

/* Each of `tied` is chosen once; but the very last bot that is left is not chosen. */
static void add_chosen(struct entries *entries, uint32_t block, const struct outcome_set *tied,
                       bool is_last)
{
    uint32_t sixtieths = OUTCOMES_WHOLE - (is_last ? OUTCOMES_WHOLE / tied->size : 0U);

    for (unsigned i = 0; i < tied->size && sixtieths > 0; i++) {
        struct outcome_set single = {.size = 1, .bots = {tied->bots[i]}};

        add_entry(entries, block, &single, sixtieths);
    }
}

static void add_result(struct entries *entries, uint32_t block, const struct result *result)
{
    for (unsigned place = 1; place <= result->seats; place++) {
        struct outcome_set tied = {0};
        struct outcome_set behind = {0};

        for (unsigned seat = 0; seat < result->seats; seat++)
            if (result->places[seat] == place)
                set_add(&tied, result->bots[seat]);
            else if (result->places[seat] > place)
                set_add(&behind, result->bots[seat]);
        if (tied.size == 0)
            continue;
        add_choices(entries, block, &tied, &behind);
        add_chosen(entries, block, &tied, behind.size == 0);
    }
}

static void note_beaten(struct outcomes *outcomes, const struct result *result)
{
    for (unsigned a = 0; a < result->seats; a++)
        for (unsigned b = 0; b < result->seats; b++)
            if (result->places[a] <= result->places[b])
                bit_matrix_add(outcomes->beaten, result->bots[a], result->bots[b]);
}

static int compare_sets(const struct outcome_set *a, const struct outcome_set *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (unsigned i = 0; i < a->size; i++)
        if (a->bots[i] != b->bots[i])
            return a->bots[i] < b->bots[i] ? -1 : 1;
    return 0;
}

static int compare_by_set(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;

    return compare_sets(&a->set, &b->set);
}

static int compare_by_block(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;

    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static void number_sets(struct outcomes *outcomes, struct entries *entries)
{
    outcomes->sets = xcalloc(entries->count + 1, sizeof *outcomes->sets);
    qsort(entries->list, entries->count, sizeof *entries->list, compare_by_set);
    for (size_t i = 0; i < entries->count; i++) {
        struct entry *entry = &entries->list[i];

        if (i == 0 || compare_sets(&entry->set, &entry[-1].set) != 0)
            outcomes->sets[outcomes->set_count++] = entry->set;
        entry->number = outcomes->set_count - 1;
    }
}

static void join_shares(struct outcomes *outcomes, struct entries *entries)
{
    size_t count = 0;
    unsigned block = 0;

    outcomes->shares = xcalloc(entries->count + 1, sizeof *outcomes->shares);
    outcomes->first = xcalloc((size_t)outcomes->blocks + 1, sizeof *outcomes->first);
    qsort(entries->list, entries->count, sizeof *entries->list, compare_by_block);
    for (size_t i = 0; i < entries->count; i++) {
        const struct entry *entry = &entries->list[i];

        while (block < entry->block)
            outcomes->first[++block] = count;
        if (i == 0 || compare_by_block(entry, entry - 1) != 0)
            outcomes->shares[count++].set = entry->number;
        outcomes->shares[count - 1].sixtieths += entry->sixtieths;
    }
    while (block < outcomes->blocks)
        outcomes->first[++block] = count;
}

/* A bot is in a block if it is in any set of it; the last bots of a block are in sets of two. */
static void count_blocks(struct outcomes *outcomes)
{
    unsigned *seen = xcalloc((size_t)outcomes->bots + 1, sizeof *seen);

    outcomes->blocks_of = xcalloc((size_t)outcomes->bots + 1, sizeof *outcomes->blocks_of);
    for (unsigned block = 0; block < outcomes->blocks; block++)
        for (size_t i = outcomes->first[block]; i < outcomes->first[block + 1]; i++) {
            const struct outcome_set *set = &outcomes->sets[outcomes->shares[i].set];

            for (unsigned member = 0; member < set->size; member++) {
                unsigned bot = set->bots[member];

                outcomes->blocks_of[bot] += seen[bot] != block + 1;
                seen[bot] = block + 1;
            }
        }
    free(seen);
}

struct outcomes *outcomes_new(const struct result *results, size_t count, unsigned bots)
{
    struct outcomes *outcomes = xcalloc(1, sizeof *outcomes);
    struct entries entries = {.capacity = 1024};

    entries.list = xcalloc(entries.capacity, sizeof *entries.list);
    outcomes->bots = bots;
    outcomes->beaten = bit_matrix_new(bots);
    for (size_t i = 0; i < count; i++)
        check_result(&results[i], bots);
    find_blocks(outcomes, results, count);
    for (size_t i = 0; i < count; i++) {
        add_result(&entries, outcomes_block(outcomes, results[i].block), &results[i]);
        note_beaten(outcomes, &results[i]);
    }
    number_sets(outcomes, &entries);
    join_shares(outcomes, &entries);
    count_blocks(outcomes);
    free(entries.list);
    return outcomes;
}

void outcomes_free(struct outcomes *outcomes)
{
    if (outcomes == NULL)
        return;
    free(outcomes->numbers);
    free(outcomes->sets);
    free(outcomes->shares);
    free(outcomes->first);
    free(outcomes->blocks_of);
    bit_matrix_free(outcomes->beaten);
    free(outcomes);
}

void outcomes_weigh(const struct outcomes *outcomes, const double *block_weights,
                    double *set_weights)
{
    memset(set_weights, 0, outcomes->set_count * sizeof *set_weights);
    for (unsigned block = 0; block < outcomes->blocks; block++) {
        double weight = (block_weights != NULL ? block_weights[block] : 1) / OUTCOMES_WHOLE;

        for (size_t i = outcomes->first[block]; i < outcomes->first[block + 1]; i++)
            set_weights[outcomes->shares[i].set] += weight * outcomes->shares[i].sixtieths;
    }
}
