/* Where bots sit if every deal is played once. In the first deal of a group the seats are drawn; in each
 * one after that everybody moves on by a seat. So in as many deals as there are seats everybody has had
 * every seat. Groups come back at any time, in any order: of each the last block is remembered, in a
 * table that is found by a number which does not depend on the order of the bots. */

#include "tournament/schedule/schedule_private.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number_of(const struct block *block)
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
    size_t at = number_of(block) % schedule->group_room;

    while (schedule->groups[at] != 0 &&
           !is_same_group(&schedule->blocks[schedule->groups[at] - 1], block))
        at = (at + 1) % schedule->group_room;
    return &schedule->groups[at];
}

/* At least half of the table stays free. */
static void make_room(struct schedule *schedule)
{
    if (2 * (size_t)schedule->count <= schedule->group_room)
        return;
    free(schedule->groups);
    schedule->group_room = 4 * (size_t)schedule->count + 64;
    schedule->groups = xcalloc(schedule->group_room, sizeof *schedule->groups);
    for (unsigned i = 0; i + 1 < schedule->count; i++)
        *find_group(schedule, &schedule->blocks[i]) = i + 1;
}

/* Those who were there from the beginning fill one table: then nobody is favoured by where he stands in
 * the list, and whoever made it may have meant it. */
static bool is_only_table(const struct schedule *schedule)
{
    unsigned seats = schedule->setup.seats;
    const unsigned *generation = schedule->generation;

    return schedule->count == 1 && generation[seats - 1] == generation[0] &&
           (schedule->setup.bots == seats || generation[seats] != generation[0]);
}

static void seat_as_listed(struct block *block)
{
    for (unsigned i = 0; i < block->seats; i++)
        block->bots[i] = (uint16_t)i;
}

void schedule_seat_once(struct schedule *schedule, struct block *block, struct allegra_dice *dice)
{
    unsigned *last;

    make_room(schedule);
    last = find_group(schedule, block);
    if (*last != 0) {
        const struct block *before = &schedule->blocks[*last - 1];

        for (unsigned i = 0; i < block->seats; i++)
            block->bots[i] = before->bots[(i + 1) % block->seats];
    } else if (is_only_table(schedule)) {
        seat_as_listed(block);
    } else {
        schedule_shuffle(block->bots, block->seats, dice);
    }
    *last = block->number;
}
