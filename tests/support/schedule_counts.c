#include "support/schedule_counts.h"

#include "base/memory.h"

#include <criterion/criterion.h>
#include <limits.h>

void counts_add(struct counts *counts, const struct block *block)
{
    for (unsigned i = 0; i < block->seats; i++) {
        cr_assert_lt(block->bots[i], counts->bots);
        counts->played[block->bots[i]]++;
        for (unsigned j = 0; j < block->seats; j++) {
            if (j == i)
                continue;
            cr_assert_neq(block->bots[i], block->bots[j], "twice in block %u", block->number);
            counts->met[block->bots[i]][block->bots[j]]++;
        }
    }
}

struct counts *counts_of(const struct schedule *schedule, unsigned bots, unsigned first,
                         unsigned last)
{
    struct counts *counts = xcalloc(1, sizeof *counts);

    cr_assert_leq(bots, COUNTS_BOTS_MAX);
    counts->bots = bots;
    for (unsigned number = first; number <= last; number++)
        counts_add(counts, schedule_block(schedule, number));
    return counts;
}

static void range_add(struct range *range, unsigned value)
{
    range->fewest = value < range->fewest ? value : range->fewest;
    range->most = value > range->most ? value : range->most;
}

struct range counts_played(const struct counts *counts, unsigned first, unsigned last,
                           unsigned without)
{
    struct range range = {UINT_MAX, 0};

    for (unsigned bot = first; bot <= last; bot++) {
        if (bot != without)
            range_add(&range, counts->played[bot]);
    }
    return range;
}

struct range counts_met(const struct counts *counts, unsigned first, unsigned last,
                        unsigned without)
{
    struct range range = {UINT_MAX, 0};

    for (unsigned bot = first; bot <= last; bot++) {
        for (unsigned other = 0; other < counts->bots; other++) {
            if (bot != other && bot != without && other != without)
                range_add(&range, counts->met[bot][other]);
        }
    }
    return range;
}
