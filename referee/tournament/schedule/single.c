/* The seats if every deal is played once. They are chosen block by block: of all orders around the
 * table, the one in which the bots take seats that they have had least often, over all blocks so
 * far and whatever the opponents were; of several such orders, the one in which they have had the
 * neighbours on their left least often. What is still equal is drawn.
 *
 * Seats are tried from seat 0 on, for each seat the cheapest bot first. A branch is left as soon
 * as it costs as much as the best order so far; in very long schedules also when it has taken too
 * many steps. */

#include "tournament/schedule/schedule_private.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A seat too often is worse than any neighbours. */
#define SEAT_COST 1000
#define NEIGHBOUR_COST_MAX 100
/* With more bots, two of them meet too seldom to count how they sat. */
#define NEIGHBOURS_BOTS_MAX 1024
/* How many blocks have all their orders tried; and how many steps are taken in later ones. */
#define THOROUGH_BLOCKS 20000
#define STEPS_MAX 60

struct seating {
    const struct schedule *schedule;
    unsigned seats;
    uint16_t members[ALLEGRA_SEATS_MAX];
    uint16_t seat_costs[ALLEGRA_SEATS_MAX][ALLEGRA_SEATS_MAX];      /* by member and seat */
    uint16_t neighbour_costs[ALLEGRA_SEATS_MAX][ALLEGRA_SEATS_MAX]; /* by member and left one */
    unsigned order[ALLEGRA_SEATS_MAX];                              /* by seat: a member */
    unsigned best[ALLEGRA_SEATS_MAX];
    unsigned best_cost;
    unsigned steps_left;
};

static unsigned *seat_count(const struct schedule *schedule, unsigned bot, unsigned seat)
{
    return &schedule->seat_counts[(size_t)bot * ALLEGRA_SEATS_MAX + seat];
}

static unsigned *left_count(const struct schedule *schedule, unsigned bot, unsigned left)
{
    return &schedule->left_counts[(size_t)bot * schedule->setup.bots + left];
}

/* How many more than the fewest, times `cost`; at most `most`. */
static void find_costs(const unsigned *counts, unsigned count, unsigned cost, unsigned most,
                       uint16_t *costs)
{
    unsigned fewest = counts[0];

    for (unsigned i = 1; i < count; i++)
        fewest = counts[i] < fewest ? counts[i] : fewest;
    for (unsigned i = 0; i < count; i++) {
        unsigned more = counts[i] - fewest;

        costs[i] = (uint16_t)(more > most / cost ? most : more * cost);
    }
}

static void find_member_costs(struct seating *seating, unsigned member)
{
    const struct schedule *schedule = seating->schedule;
    unsigned bot = seating->members[member];
    unsigned counts[ALLEGRA_SEATS_MAX];
    unsigned lefts[ALLEGRA_SEATS_MAX];
    uint16_t costs[ALLEGRA_SEATS_MAX];
    unsigned count = 0;

    for (unsigned seat = 0; seat < seating->seats; seat++)
        counts[seat] = *seat_count(schedule, bot, seat);
    find_costs(counts, seating->seats, SEAT_COST, UINT16_MAX, seating->seat_costs[member]);
    for (unsigned left = 0; left < seating->seats; left++)
        if (left != member && schedule->left_counts != NULL) {
            counts[count] = *left_count(schedule, bot, seating->members[left]);
            lefts[count++] = left;
        }
    if (count > 0)
        find_costs(counts, count, 1, NEIGHBOUR_COST_MAX, costs);
    for (unsigned i = 0; i < count; i++)
        seating->neighbour_costs[member][lefts[i]] = costs[i];
}

/* What it costs to seat a member there, next to the one before, and at the end to the first. */
static unsigned cost_of(const struct seating *seating, unsigned seat, unsigned member)
{
    unsigned cost = seating->seat_costs[member][seat];

    if (seat > 0)
        cost += seating->neighbour_costs[seating->order[seat - 1]][member];
    if (seat + 1 == seating->seats)
        cost += seating->neighbour_costs[member][seating->order[0]];
    return cost;
}

/* Seats the members that are not seated yet, from this seat on. */
static void try_orders(struct seating *seating, unsigned seat, unsigned seated, unsigned cost)
{
    unsigned tried = seated;

    if (seat == seating->seats) {
        memcpy(seating->best, seating->order, sizeof seating->best);
        seating->best_cost = cost;
        return;
    }
    for (unsigned i = seat; i < seating->seats; i++) {
        unsigned least = UINT32_MAX;
        unsigned found = 0;

        for (unsigned member = 0; member < seating->seats; member++)
            if ((tried >> member & 1) == 0 && cost_of(seating, seat, member) < least) {
                least = cost_of(seating, seat, member);
                found = member;
            }
        tried |= 1U << found;
        if (cost + least >= seating->best_cost || (seating->steps_left == 0 && i > seat))
            return;
        seating->steps_left -= seating->steps_left > 0;
        seating->order[seat] = found;
        try_orders(seating, seat + 1, seated | 1U << found, cost + least);
    }
}

static void count_seats(const struct schedule *schedule, const struct block *block)
{
    for (unsigned seat = 0; seat < block->seats; seat++) {
        unsigned left = block->bots[(seat + 1) % block->seats];

        ++*seat_count(schedule, block->bots[seat], seat);
        if (schedule->left_counts != NULL)
            ++*left_count(schedule, block->bots[seat], left);
    }
}

static void reserve_counts(struct schedule *schedule)
{
    size_t bots = schedule->setup.bots;

    if (schedule->seat_counts != NULL)
        return;
    schedule->seat_counts = xcalloc(bots * ALLEGRA_SEATS_MAX, sizeof *schedule->seat_counts);
    if (bots <= NEIGHBOURS_BOTS_MAX)
        schedule->left_counts = xcalloc(bots * bots, sizeof *schedule->left_counts);
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

static void choose_order(const struct schedule *schedule, struct block *block)
{
    struct seating seating = {
        .schedule = schedule,
        .seats = block->seats,
        .best_cost = UINT32_MAX,
        .steps_left = schedule->count <= THOROUGH_BLOCKS ? UINT32_MAX : STEPS_MAX,
    };

    memcpy(seating.members, block->bots, sizeof seating.members);
    for (unsigned member = 0; member < block->seats; member++)
        find_member_costs(&seating, member);
    try_orders(&seating, 0, 0, 0);
    for (unsigned seat = 0; seat < block->seats; seat++)
        block->bots[seat] = seating.members[seating.best[seat]];
}

void schedule_seat_once(struct schedule *schedule, struct block *block, struct allegra_dice *dice)
{
    schedule_shuffle(block->bots, block->seats, dice);
    if (schedule->setup.is_rough)
        return;
    reserve_counts(schedule);
    if (is_only_table(schedule))
        for (unsigned i = 0; i < block->seats; i++)
            block->bots[i] = (uint16_t)i;
    else
        choose_order(schedule, block);
    count_seats(schedule, block);
}
