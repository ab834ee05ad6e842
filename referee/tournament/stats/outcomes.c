/* Each match is written down as a list of entries (block, set, weight). Sorted by set they give every
 * set its number, sorted by block and set those of a block lie together and alike ones can be joined.
 * A resample then is a walk over a few numbers a block, whatever the number of matches. */

#include "tournament/contest.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    struct contest_set set;
    uint32_t block;
    uint32_t number; /* of the set */
    uint32_t sixtieths;
};

struct entries {
    struct entry *list;
    size_t count;
    size_t room;
};

static void check_result(const struct result *result, unsigned bots)
{
    if (result->seats < 1 || result->seats > RULES_SEATS_MAX)
        fatal("a result of block %u has %u seats", result->block, result->seats);
    for (unsigned seat = 0; seat < result->seats; seat++)
        if (result->bots[seat] >= bots || result->places[seat] < 1 ||
            result->places[seat] > result->seats || result->faults[seat] >= BOT_OUTCOME_COUNT)
            fatal("a result of block %u has a seat that cannot be", result->block);
}

static int compare_numbers(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;

    return (a > b) - (a < b);
}

static void find_blocks(struct contest *contest, const struct result *results, size_t count)
{
    contest->numbers = xcalloc(count + 1, sizeof *contest->numbers);
    for (size_t i = 0; i < count; i++)
        contest->numbers[i] = results[i].block;
    qsort(contest->numbers, count, sizeof *contest->numbers, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || contest->numbers[i] != contest->numbers[i - 1])
            contest->numbers[contest->blocks++] = contest->numbers[i];
}

unsigned contest_block(const struct contest *contest, uint32_t number)
{
    const uint32_t *found = bsearch(&number, contest->numbers, contest->blocks,
                                    sizeof *contest->numbers, compare_numbers);

    if (found == NULL)
        fatal("there is no block %u", number);
    return (unsigned)(found - contest->numbers);
}

static void set_add(struct contest_set *set, uint16_t bot)
{
    unsigned at = set->size++;

    for (; at > 0 && set->bots[at - 1] > bot; at--)
        set->bots[at] = set->bots[at - 1];
    set->bots[at] = bot;
}

static void add_entry(struct entries *entries, uint32_t block, const struct contest_set *set,
                      uint32_t sixtieths)
{
    if (entries->count == entries->room) {
        entries->room *= 2;
        entries->list = xrealloc(entries->list, entries->room * sizeof *entries->list);
    }
    entries->list[entries->count++] =
        (struct entry){.set = *set, .block = block, .sixtieths = sixtieths};
}

/* By how many share a place and how many of them are left: 1 / C(k, m), in sixtieths. */
static const uint32_t share_of[RULES_SEATS_MAX + 1][RULES_SEATS_MAX + 1] = {
    [1] = {0, 60},
    [2] = {0, 30, 60},
    [3] = {0, 20, 20, 60},
    [4] = {0, 15, 10, 15, 60},
    [5] = {0, 12, 6, 6, 12, 60},
    [6] = {0, 10, 4, 3, 4, 10, 60},
};

/* The sets that the bots `tied` at one place are chosen from, when those of `behind` are left too. */
static void add_choices(struct entries *entries, uint32_t block, const struct contest_set *tied,
                        const struct contest_set *behind)
{
    for (unsigned mask = 1; mask < 1U << tied->size; mask++) {
        unsigned some = (unsigned)__builtin_popcount(mask);
        struct contest_set set = *behind;

        for (unsigned i = 0; i < tied->size; i++)
            if (mask >> i & 1)
                set_add(&set, tied->bots[i]);
        if (set.size > 1)
            add_entry(entries, block, &set, share_of[tied->size][some]);
    }
}

/* Each of `tied` is chosen once; but whoever is left as the very last is not chosen from anything. */
static void add_chosen(struct entries *entries, uint32_t block, const struct contest_set *tied,
                       bool is_last)
{
    uint32_t sixtieths = CONTEST_WHOLE - (is_last ? CONTEST_WHOLE / tied->size : 0U);

    for (unsigned i = 0; i < tied->size && sixtieths > 0; i++) {
        struct contest_set single = {.size = 1, .bots = {tied->bots[i]}};

        add_entry(entries, block, &single, sixtieths);
    }
}

static void add_result(struct entries *entries, uint32_t block, const struct result *result)
{
    for (unsigned place = 1; place <= result->seats; place++) {
        struct contest_set tied = {0};
        struct contest_set behind = {0};

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

static void note_beaten(struct contest *contest, const struct result *result)
{
    for (unsigned a = 0; a < result->seats; a++)
        for (unsigned b = 0; b < result->seats; b++)
            if (result->places[a] <= result->places[b])
                relation_add(contest->beaten, result->bots[a], result->bots[b]);
}

static int compare_sets(const struct contest_set *a, const struct contest_set *b)
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

static void number_sets(struct contest *contest, struct entries *entries)
{
    contest->sets = xcalloc(entries->count + 1, sizeof *contest->sets);
    qsort(entries->list, entries->count, sizeof *entries->list, compare_by_set);
    for (size_t i = 0; i < entries->count; i++) {
        struct entry *entry = &entries->list[i];

        if (i == 0 || compare_sets(&entry->set, &entry[-1].set) != 0)
            contest->sets[contest->set_count++] = entry->set;
        entry->number = contest->set_count - 1;
    }
}

static void join_shares(struct contest *contest, struct entries *entries)
{
    size_t count = 0;
    unsigned block = 0;

    contest->shares = xcalloc(entries->count + 1, sizeof *contest->shares);
    contest->first = xcalloc((size_t)contest->blocks + 1, sizeof *contest->first);
    qsort(entries->list, entries->count, sizeof *entries->list, compare_by_block);
    for (size_t i = 0; i < entries->count; i++) {
        const struct entry *entry = &entries->list[i];

        while (block < entry->block)
            contest->first[++block] = count;
        if (i == 0 || compare_by_block(entry, entry - 1) != 0)
            contest->shares[count++].set = entry->number;
        contest->shares[count - 1].sixtieths += entry->sixtieths;
    }
    while (block < contest->blocks)
        contest->first[++block] = count;
}

/* A bot is in a block if it is in any set of it; a block's last bots are in the sets of two. */
static void count_blocks(struct contest *contest)
{
    unsigned *seen = xcalloc((size_t)contest->bots + 1, sizeof *seen);

    contest->blocks_of = xcalloc((size_t)contest->bots + 1, sizeof *contest->blocks_of);
    for (unsigned block = 0; block < contest->blocks; block++)
        for (size_t i = contest->first[block]; i < contest->first[block + 1]; i++) {
            const struct contest_set *set = &contest->sets[contest->shares[i].set];

            for (unsigned member = 0; member < set->size; member++) {
                unsigned bot = set->bots[member];

                contest->blocks_of[bot] += seen[bot] != block + 1;
                seen[bot] = block + 1;
            }
        }
    free(seen);
}

struct contest *contest_new(const struct result *results, size_t count, unsigned bots)
{
    struct contest *contest = xcalloc(1, sizeof *contest);
    struct entries entries = {.room = 1024};

    entries.list = xcalloc(entries.room, sizeof *entries.list);
    contest->bots = bots;
    contest->beaten = relation_new(bots);
    for (size_t i = 0; i < count; i++)
        check_result(&results[i], bots);
    find_blocks(contest, results, count);
    for (size_t i = 0; i < count; i++) {
        add_result(&entries, contest_block(contest, results[i].block), &results[i]);
        note_beaten(contest, &results[i]);
    }
    number_sets(contest, &entries);
    join_shares(contest, &entries);
    count_blocks(contest);
    free(entries.list);
    return contest;
}

void contest_free(struct contest *contest)
{
    if (contest == NULL)
        return;
    free(contest->numbers);
    free(contest->sets);
    free(contest->shares);
    free(contest->first);
    free(contest->blocks_of);
    relation_free(contest->beaten);
    free(contest);
}

void contest_weigh(const struct contest *contest, const double *block_weights, double *set_weights)
{
    memset(set_weights, 0, contest->set_count * sizeof *set_weights);
    for (unsigned block = 0; block < contest->blocks; block++) {
        double weight = (block_weights != NULL ? block_weights[block] : 1) / CONTEST_WHOLE;

        for (size_t i = contest->first[block]; i < contest->first[block + 1]; i++)
            set_weights[contest->shares[i].set] += weight * contest->shares[i].sixtieths;
    }
}
