/* The rounds of Swiss. The bots stand in a line, the best first; every `seats` of them are a table.
 * That is the pairing if no two of them have met. Otherwise bots of two tables change places as
 * long as that makes the pairing better: first by how often the bots of a table have met, then by
 * how far apart they stand (the sum of squares). If bots still meet again and no single exchange
 * helps, a random walk through pairings that are no worse looks for a way out.
 *
 * Everything depends only on the order, the earlier rounds and the public seed. */

#include "tournament/schedule/schedule_private.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdlib.h>
#include <string.h>

/* Of one more meeting: more than any exchange can gain in distance. */
#define REPEAT_COST 1000000000
#define REACH 96      /* how far apart two bots that change places may stand */
#define SWEEPS_MAX 30 /* through all such exchanges */
#define ROUGH_REACH 16
#define ROUGH_SWEEPS_MAX 6
#define WALK_STEPS_PER_BOT 1000
#define WALK_STEPS_MAX 200000

_Static_assert((int64_t)2 * (ALLEGRA_SEATS_MAX - 1) * SCHEDULE_BOTS_MAX * SCHEDULE_BOTS_MAX <
                   REPEAT_COST,
               "no distance outweighs a repeated meeting");

struct pairing {
    uint16_t *line; /* the tables, one after the other */
    unsigned count;
    unsigned seats;
    unsigned bots;
    unsigned *place;     /* by bot: its place in the order, the best first */
    const unsigned *met; /* in how many earlier blocks: [one * bots + other] */
    unsigned reach;
    unsigned sweeps_max;
    int64_t repeat_cost;   /* of one more meeting */
    int64_t distance_cost; /* of the square of a distance */
};

static int64_t cost_of_pair(const struct pairing *pairing, unsigned one, unsigned other)
{
    int64_t distance = (int64_t)pairing->place[one] - pairing->place[other];
    int64_t met = pairing->met[(size_t)one * pairing->bots + other];

    return met * pairing->repeat_cost + distance * distance * pairing->distance_cost;
}

/* What a bot costs at the table of `place`, in place of the one there. */
static int64_t cost_at(const struct pairing *pairing, unsigned place, unsigned bot)
{
    unsigned first = place - place % pairing->seats;
    int64_t cost = 0;

    for (unsigned i = first; i < first + pairing->seats; i++) {
        if (i != place)
            cost += cost_of_pair(pairing, bot, pairing->line[i]);
    }
    return cost;
}

/* Exchanges two bots if that costs at most `limit`. Returns the cost. */
static int64_t exchange(struct pairing *pairing, unsigned one, unsigned other, int64_t limit)
{
    uint16_t bot_one = pairing->line[one];
    uint16_t bot_other = pairing->line[other];
    int64_t cost;

    if (one / pairing->seats == other / pairing->seats)
        return 0;
    cost = cost_at(pairing, one, bot_other) + cost_at(pairing, other, bot_one) -
           cost_at(pairing, one, bot_one) - cost_at(pairing, other, bot_other);
    if (cost > limit)
        return 0;
    pairing->line[one] = bot_other;
    pairing->line[other] = bot_one;
    return cost;
}

static int64_t sweep(struct pairing *pairing)
{
    int64_t cost = 0;

    for (unsigned one = 0; one < pairing->count; one++) {
        for (unsigned other = one + 1; other < pairing->count && other - one <= pairing->reach;
             other++)
            cost += exchange(pairing, one, other, -1);
    }
    return cost;
}

static void improve(struct pairing *pairing)
{
    pairing->repeat_cost = REPEAT_COST;
    pairing->distance_cost = 1;
    for (unsigned i = 0; i < pairing->sweeps_max && sweep(pairing) < 0; i++)
        continue;
}

static int64_t total_cost(const struct pairing *pairing)
{
    int64_t cost = 0;

    for (unsigned i = 0; i < pairing->count; i++)
        cost += cost_at(pairing, i, pairing->line[i]);
    return cost / 2;
}

/* Looks for a pairing with fewer repeated meetings, at any distance. Returns false if it finds
 * none. */
static bool walk(struct pairing *pairing, struct allegra_dice *dice)
{
    unsigned steps = pairing->count * WALK_STEPS_PER_BOT;
    int64_t before;
    int64_t left;

    if (steps > WALK_STEPS_MAX)
        steps = WALK_STEPS_MAX;
    pairing->repeat_cost = 1;
    pairing->distance_cost = 0;
    before = left = total_cost(pairing);
    for (unsigned i = 0; i < steps && left > 0; i++) {
        unsigned one = allegra_dice_below(dice, pairing->count);

        left += exchange(pairing, one, allegra_dice_below(dice, pairing->count), 0);
    }
    return left < before;
}

/* The place of the best bot of a table. */
static unsigned best_place(const struct pairing *pairing, const uint16_t *table)
{
    unsigned best = pairing->place[table[0]];

    for (unsigned i = 1; i < pairing->seats; i++) {
        if (pairing->place[table[i]] < best)
            best = pairing->place[table[i]];
    }
    return best;
}

/* Exchanges may have moved whole tables along the line: puts the best first again. */
static void sort_tables(struct pairing *pairing)
{
    size_t size = pairing->seats * sizeof *pairing->line;
    uint16_t table[ALLEGRA_SEATS_MAX];

    for (unsigned i = pairing->seats; i < pairing->count; i += pairing->seats) {
        unsigned j = i;

        memcpy(table, pairing->line + i, size);
        while (j > 0 && best_place(pairing, pairing->line + j - pairing->seats) >
                            best_place(pairing, table)) {
            memcpy(pairing->line + j, pairing->line + j - pairing->seats, size);
            j -= pairing->seats;
        }
        memcpy(pairing->line + j, table, size);
    }
}

static void pair_line(const struct schedule *schedule, uint16_t *line, unsigned count,
                      struct allegra_dice *dice)
{
    unsigned *met = schedule_count_met(schedule);
    struct pairing pairing = {
        .line = line,
        .count = count,
        .seats = schedule->setup.seats,
        .bots = schedule->setup.bots,
        .place = xcalloc(schedule->setup.bots, sizeof *pairing.place),
        .met = met,
        .reach = schedule->setup.is_rough ? ROUGH_REACH : REACH,
        .sweeps_max = schedule->setup.is_rough ? ROUGH_SWEEPS_MAX : SWEEPS_MAX,
    };
    uint16_t *kept = xcalloc(count, sizeof *kept);

    for (unsigned i = 0; i < count; i++)
        pairing.place[line[i]] = i;
    improve(&pairing);
    memcpy(kept, line, count * sizeof *kept);
    if (!schedule->setup.is_rough && walk(&pairing, dice))
        improve(&pairing);
    else
        memcpy(line, kept, count * sizeof *kept);
    sort_tables(&pairing);
    free(kept);
    free(pairing.place);
    free(met);
}

/* Takes the bots out of the line that find no table. Returns how many are left. */
static unsigned drop_leftovers(struct schedule *schedule, uint16_t *line, unsigned count)
{
    while (count % schedule->setup.seats != 0) {
        unsigned found = count - 1;

        for (unsigned i = count - 1; i-- > 0;) {
            if (schedule->sat_out[line[i]] < schedule->sat_out[line[found]])
                found = i;
        }
        schedule->sat_out[line[found]]++;
        count--;
        memmove(line + found, line + found + 1, (count - found) * sizeof *line);
    }
    return count;
}

static void check_order(const struct schedule *schedule, const uint16_t *order, unsigned count)
{
    bool *is_there = xcalloc(schedule->setup.bots, sizeof *is_there);

    for (unsigned i = 0; i < count; i++) {
        if (order[i] >= schedule->setup.bots || is_there[order[i]])
            fatal("bot %u is not one of %u, or twice in a round", order[i], schedule->setup.bots);
        is_there[order[i]] = true;
    }
    free(is_there);
}

bool schedule_add_round(struct schedule *schedule, const uint16_t *order, unsigned count)
{
    uint16_t *line;
    struct allegra_dice dice;

    if (schedule->round >= schedule->setup.rounds)
        return false;
    check_order(schedule, order, count);
    schedule->round++;
    schedule->playing = count;
    line = xcalloc(count, sizeof *line);
    for (unsigned i = 0; i < count; i++)
        line[i] = order[i];
    count = drop_leftovers(schedule, line, count);
    dice = schedule_dice(schedule, schedule->round, SCHEDULE_PART_CHOICE);
    pair_line(schedule, line, count, &dice);
    for (unsigned deal = 0; deal < schedule->setup.deals; deal++) {
        dice = schedule_dice(schedule, schedule->round, deal);
        for (unsigned i = 0; i < count; i += schedule->setup.seats)
            schedule_append(schedule, line + i, &dice);
    }
    free(line);
    return true;
}

bool schedule_start_swiss(struct schedule *schedule)
{
    const struct schedule_setup *setup = &schedule->setup;
    uint64_t blocks = (uint64_t)setup->bots / setup->seats * setup->rounds;
    uint16_t *order = xcalloc(setup->bots, sizeof *order);
    struct allegra_dice dice = schedule_dice(schedule, 0, 0);
    unsigned count = 0;

    schedule->sat_out = xcalloc(setup->bots, sizeof *schedule->sat_out);
    while (count < setup->bots && setup->generation[count] <= 1) {
        order[count] = (uint16_t)count;
        count++;
    }
    schedule_shuffle(order, count, &dice);
    if (setup->deals != 0 && blocks > SCHEDULE_BLOCKS_MAX / setup->deals) {
        free(order);
        return false;
    }
    schedule_add_round(schedule, order, count);
    free(order);
    return true;
}
