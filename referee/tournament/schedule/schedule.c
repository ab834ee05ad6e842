/* The list of blocks, the seats in their matches, and what can be counted. Blocks are only added at
 * the end, except that rematches come where the end was when they were asked for. All dice are made
 * from the public seed, the generation or round, and the deal: so each part can be made again
 * without the parts before it. */

#include "tournament/schedule/schedule.h"

#include "base/memory.h"
#include "base/message.h"
#include "tournament/schedule/schedule_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *const schedule_format_names[SCHEDULE_FORMAT_COUNT] = {
    [SCHEDULE_ROUND_ROBIN] = "round-robin",
    [SCHEDULE_GAUNTLET] = "gauntlet",
    [SCHEDULE_SWISS] = "swiss",
};

const char *const schedule_seatings_names[SCHEDULE_SEATINGS_COUNT] = {
    [SCHEDULE_SINGLE] = "single",
    [SCHEDULE_ROTATIONS] = "rotations",
    [SCHEDULE_ALL] = "all",
};

#define ALL_SEATINGS_SEATS 4 /* SCHEDULE_ALL takes no more */

struct allegra_dice schedule_dice(const struct schedule *schedule, unsigned generation,
                                  unsigned part)
{
    struct allegra_dice dice = allegra_dice_from(schedule->setup.seed);

    /* The output of dice is mixed well, so dice from seeds that differ in one bit are
     * independent. */
    dice = allegra_dice_from(allegra_dice_next(&dice) ^ ((uint64_t)generation << 32 | part));
    return allegra_dice_from(allegra_dice_next(&dice));
}

void schedule_shuffle(uint16_t *bots, unsigned count, struct allegra_dice *dice)
{
    for (unsigned i = count; i > 1; i--) {
        unsigned j = allegra_dice_below(dice, i);
        uint16_t bot = bots[i - 1];

        bots[i - 1] = bots[j];
        bots[j] = bot;
    }
}

void schedule_append(struct schedule *schedule, const uint16_t *bots, struct allegra_dice *dice)
{
    unsigned seats = schedule->setup.seats;
    struct block *block;

    if (schedule->count == schedule->capacity) {
        schedule->capacity = schedule->capacity * 2 + 64;
        schedule->blocks =
            xrealloc(schedule->blocks, schedule->capacity * sizeof *schedule->blocks);
    }
    block = &schedule->blocks[schedule->count++];
    *block = (struct block){.number = schedule->count, .round = schedule->round, .seats = seats};
    memcpy(block->bots, bots, seats * sizeof *bots);
    if (schedule->setup.seatings == SCHEDULE_SINGLE)
        schedule_seat_once(schedule, block, dice);
    else
        schedule_shuffle(block->bots, seats, dice);
}

const char *schedule_refuse(const struct schedule_setup *setup)
{
    if (setup->seats < ALLEGRA_SEATS_MIN || setup->seats > ALLEGRA_SEATS_MAX)
        return "no table has so many seats";
    if (setup->seatings == SCHEDULE_ALL && setup->seats > ALL_SEATINGS_SEATS)
        return "all seatings are for tables of up to 4 seats";
    if (setup->bots > SCHEDULE_BOTS_MAX)
        return "there are too many bots";
    if (setup->format == SCHEDULE_GAUNTLET && setup->hero >= setup->bots)
        return "a gauntlet needs its hero";
    for (unsigned i = 1; setup->generation != NULL && i < setup->bots; i++) {
        if (setup->generation[i] < setup->generation[i - 1])
            return "bots are not in the order in which they joined";
    }
    return NULL;
}

struct schedule *schedule_new(const struct schedule_setup *setup)
{
    struct schedule *schedule = xcalloc(1, sizeof *schedule);
    bool is_small;

    if (schedule_refuse(setup) != NULL)
        fatal("a bad schedule: %s", schedule_refuse(setup));
    schedule->setup = *setup;
    schedule->generation = xcalloc(setup->bots, sizeof *schedule->generation);
    for (unsigned i = 0; i < setup->bots; i++)
        schedule->generation[i] = setup->generation != NULL ? setup->generation[i] : 1;
    schedule->setup.generation = schedule->generation;
    if (setup->format == SCHEDULE_SWISS)
        is_small = schedule_start_swiss(schedule);
    else
        is_small = schedule_add_groups(schedule);
    if (!is_small) {
        schedule_free(schedule);
        return NULL;
    }
    return schedule;
}

void schedule_free(struct schedule *schedule)
{
    if (schedule == NULL)
        return;
    free(schedule->generation);
    free(schedule->blocks);
    free(schedule->sat_out);
    free(schedule->seat_counts);
    free(schedule->left_counts);
    free(schedule);
}

unsigned schedule_count(const struct schedule *schedule)
{
    return schedule->count;
}

const struct block *schedule_block(const struct schedule *schedule, unsigned number)
{
    if (number == 0 || number > schedule->count)
        return NULL;
    return &schedule->blocks[number - 1];
}

unsigned schedule_seating_count(const struct schedule_setup *setup)
{
    unsigned count = 1;

    if (setup->seatings == SCHEDULE_SINGLE)
        return 1;
    if (setup->seatings == SCHEDULE_ROTATIONS)
        return setup->seats;
    for (unsigned i = 2; i <= setup->seats; i++)
        count *= i;
    return count;
}

unsigned schedule_rotations(const struct schedule *schedule, const struct block *block)
{
    (void)block;
    return schedule_seating_count(&schedule->setup);
}

/* The orders are the permutations of the block's bots in lexicographic order: the first seat
 * changes most slowly. */
static void seat_in_order(const struct block *block, unsigned order, uint16_t *bots)
{
    unsigned orders = 1;

    memcpy(bots, block->bots, block->seats * sizeof *bots);
    for (unsigned i = 2; i <= block->seats; i++)
        orders *= i;
    for (unsigned seat = 0; seat < block->seats; seat++) {
        unsigned chosen;
        uint16_t bot;

        orders /= block->seats - seat;
        chosen = seat + order / orders;
        order %= orders;
        bot = bots[chosen];
        memmove(bots + seat + 1, bots + seat, (chosen - seat) * sizeof *bots);
        bots[seat] = bot;
    }
}

void schedule_seats(const struct schedule *schedule, const struct block *block, unsigned rotation,
                    uint16_t bots[ALLEGRA_SEATS_MAX])
{
    if (rotation >= schedule_rotations(schedule, block))
        fatal("seating %u of block %u", rotation, block->number);
    if (schedule->setup.seatings == SCHEDULE_ALL) {
        seat_in_order(block, rotation, bots);
        return;
    }
    for (unsigned seat = 0; seat < block->seats; seat++)
        bots[seat] = block->bots[(seat + rotation) % block->seats];
}

/* Rematches. */

static bool can_have_rematches(const struct schedule *schedule, unsigned after,
                               const unsigned *blocks, unsigned count)
{
    if (after > schedule->count || count > SCHEDULE_BLOCKS_MAX - schedule->count)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (blocks[i] == 0 || blocks[i] > after || schedule->blocks[blocks[i] - 1].rematch != 0)
            return false;
    }
    return true;
}

/* Blocks before the place keep their numbers, and so does every rematch that is already there. */
bool schedule_add_rematches(struct schedule *schedule, unsigned after, const unsigned *blocks,
                            unsigned count)
{
    struct block *all;

    if (!can_have_rematches(schedule, after, blocks, count))
        return false;
    schedule->capacity += count;
    schedule->blocks = all =
        xrealloc(schedule->blocks, (schedule->capacity + 1) * sizeof *schedule->blocks);
    memmove(all + after + count, all + after, (schedule->count - after) * sizeof *all);
    schedule->count += count;
    for (unsigned i = 0; i < count; i++) {
        struct block *old = &all[blocks[i] - 1];

        old->rematch = after + i + 1;
        all[after + i] = *old;
        all[after + i].rematch = 0;
        all[after + i].rematch_of = blocks[i];
    }
    for (unsigned i = after; i < schedule->count; i++)
        all[i].number = i + 1;
    return true;
}

static unsigned long multiply(unsigned long one, unsigned long other)
{
    return other != 0 && one > ULONG_MAX / other ? ULONG_MAX : one * other;
}

/* How many blocks later rounds of Swiss will have. */
static unsigned long later_blocks(const struct schedule *schedule)
{
    const struct schedule_setup *setup = &schedule->setup;
    unsigned bots = schedule->playing;

    if (setup->format != SCHEDULE_SWISS)
        return 0;
    for (unsigned bot = 0; bot < setup->bots; bot++)
        bots += setup->generation[bot] > schedule->round;
    return multiply(multiply(setup->rounds - schedule->round, bots / setup->seats), setup->deals);
}

unsigned long schedule_matches(const struct schedule *schedule)
{
    unsigned long later = later_blocks(schedule);
    unsigned long blocks = schedule->count;

    blocks = later > ULONG_MAX - blocks ? ULONG_MAX : blocks + later;
    return multiply(blocks, schedule_seating_count(&schedule->setup));
}

unsigned long schedule_expect(const struct schedule_setup *setup)
{
    unsigned hero = setup->format == SCHEDULE_GAUNTLET;
    unsigned long seatings = schedule_seating_count(setup);
    unsigned long limit = setup->matches > seatings ? setup->matches / seatings : 1;
    unsigned long blocks;

    if (setup->format == SCHEDULE_SWISS)
        blocks = multiply(setup->bots / setup->seats, setup->rounds);
    else
        blocks = schedule_count_groups(setup->bots - hero, setup->seats - hero);
    blocks = multiply(blocks, setup->deals);
    if (setup->format != SCHEDULE_SWISS && setup->matches > 0 && blocks > limit)
        blocks = limit;
    return multiply(blocks, seatings);
}

unsigned *schedule_count_met(const struct schedule *schedule)
{
    size_t bots = schedule->setup.bots;
    unsigned *met = xcalloc(bots * bots, sizeof *met);

    for (unsigned i = 0; i < schedule->count; i++) {
        const struct block *block = &schedule->blocks[i];

        if (block->rematch_of != 0)
            continue;
        for (unsigned one = 0; one < block->seats; one++) {
            for (unsigned other = 0; other < block->seats; other++)
                met[block->bots[one] * bots + block->bots[other]]++;
        }
    }
    return met;
}

static bool can_meet(const struct schedule_setup *setup, unsigned one, unsigned other)
{
    bool has_hero = one == setup->hero || other == setup->hero;

    if (setup->format != SCHEDULE_GAUNTLET)
        return true;
    return setup->seats == 2 ? has_hero : !has_hero;
}

void schedule_meetings(const struct schedule *schedule, unsigned long *fewest, unsigned long *most)
{
    size_t bots = schedule->setup.bots;
    unsigned *met = schedule_count_met(schedule);
    unsigned least = UINT_MAX;
    unsigned greatest = 0;

    for (unsigned one = 1; one < bots; one++) {
        for (unsigned other = 0; other < one; other++) {
            unsigned count = met[one * bots + other];

            if (!can_meet(&schedule->setup, one, other))
                continue;
            least = count < least ? count : least;
            greatest = count > greatest ? count : greatest;
        }
    }
    free(met);
    *fewest =
        (unsigned long)(least == UINT_MAX ? 0 : least) * schedule_seating_count(&schedule->setup);
    *most = (unsigned long)greatest * schedule_seating_count(&schedule->setup);
}
