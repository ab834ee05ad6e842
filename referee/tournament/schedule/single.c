/* The seats if every deal is played once. In the first deal of a group they are drawn; in each
 * later one every bot moves on by one seat. So after as many deals as there are seats, each bot has
 * had each seat. Groups come back at any time, in any order: a hash table, whose hash does not
 * depend on the order of the bots, remembers the last block of each group. */

#include "tournament/schedule/schedule_private.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const struct block *block)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < block->seats; i++) {
        struct allegra_dice dice = allegra_dice_from(block->bots[i]);

        sum += allegra_dice_next(&dice);
    }
    return sum;
}

static bool is_same_group(const struct block *one, const struct block *other)
{
    for (unsigned i = 0; i < one->seats; i++) {
        unsigned j = 0;

        while (j < other->seats && other->bots[j] != one->bots[i])
            j++;
        if (j == other->seats)
            return false;
    }
    return one->seats == other->seats;
}

/* The entry of the block's group: the number of its last block, or 0. */
static unsigned *find_group(const struct schedule *schedule, const struct block *block)
{
    size_t at = hash_of(block) % schedule->group_capacity;

    while (schedule->groups[at] != 0 &&
           !is_same_group(&schedule->blocks[schedule->groups[at] - 1], block))
        at = (at + 1) % schedule->group_capacity;
    return &schedule->groups[at];
}

/* At least half of the table stays free. */
static void reserve_groups(struct schedule *schedule)
{
    if (2 * (size_t)schedule->count <= schedule->group_capacity)
        return;
    free(schedule->groups);
    schedule->group_capacity = 4 * (size_t)schedule->count + 64;
    schedule->groups = xcalloc(schedule->group_capacity, sizeof *schedule->groups);
    for (unsigned i = 0; i + 1 < schedule->count; i++)
        *find_group(schedule, &schedule->blocks[i]) = i + 1;
}

/* Whether the bots of the start fill exactly one table: then the order of the list favours none of
 * them, and may be the order that the organiser wants. */
static bool is_only_table(const struct schedule *schedule)
{
    unsigned seats = schedule->setup.seats;
    const unsigned *generation = schedule->generation;

    return schedule->count == 1 && generation[seats - 1] == generation[0] &&
           (schedule->setup.bots == seats || generation[seats] != generation[0]);
}

void schedule_seat_once(struct schedule *schedule, struct block *block, struct allegra_dice *dice)
{
    unsigned *last;

    reserve_groups(schedule);
    last = find_group(schedule, block);
    if (*last != 0) {
        const struct block *before = &schedule->blocks[*last - 1];

        for (unsigned i = 0; i < block->seats; i++)
            block->bots[i] = before->bots[(i + 1) % block->seats];
    } else if (is_only_table(schedule)) {
        for (unsigned i = 0; i < block->seats; i++)
            block->bots[i] = (uint16_t)i;
    } else {
        schedule_shuffle(block->bots, block->seats, dice);
    }
    *last = block->number;
}
