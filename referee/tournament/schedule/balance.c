/* Refines a balanced choice: two bots of two groups change places as long as that does not make the
 * meetings less equal. The measure is the sum of the squares of all meetings, which is least when
 * all pairs meet equally often, give or take one. Exchanges that leave the sum as it is are made
 * too: it may fall after them.
 *
 * With old bots in the choice, the meetings of the new ones count: the sum over all new bots of the
 * squares of their meetings, in which a pair of new bots occurs twice. Meetings among old bots
 * hardly count. */

#include "tournament/schedule/schedule_private.h"

#define TRIES_PER_GROUP 3000
#define TRIES_MAX 2000000

/* The weight of a meeting, by how many of the two bots are new. */
static const int64_t weights[3] = {1, 16, 32};

static bool is_new(const struct sample *sample, unsigned bot)
{
    return bot >= sample->old;
}

/* What the sum grows by if two bots meet once more, or once less. */
static int64_t cost_of_meeting(const struct sample *sample, unsigned one, unsigned other,
                               int change)
{
    int64_t met = sample->met[(size_t)one * sample->bots + other];

    return weights[is_new(sample, one) + is_new(sample, other)] * (2 * met * change + 1);
}

/* What the sum grows by if one bot leaves a group for the other group, from which the other bot
 * comes. Bots that are in both groups meet both as often as before. */
static int64_t cost_of_move(const struct sample *sample, const struct group *group,
                            unsigned leaving, unsigned coming, const struct group *other)
{
    int64_t cost = 0;

    for (unsigned i = 0; i < sample->size; i++) {
        unsigned stays = group->members[i];

        if (stays != leaving && !sample_group_has(other, sample->size, stays))
            cost += cost_of_meeting(sample, coming, stays, 1) +
                    cost_of_meeting(sample, leaving, stays, -1);
    }
    return cost;
}

static void replace(struct sample *sample, struct group *group, unsigned place, uint16_t coming)
{
    uint16_t leaving = group->members[place];

    for (unsigned i = 0; i < sample->size; i++) {
        if (i == place)
            continue;
        sample_add_met(sample, leaving, group->members[i], -1);
        sample_add_met(sample, coming, group->members[i], 1);
    }
    group->members[place] = coming;
}

/* Whether the group still has a new bot when one leaves and the other comes. */
static bool keeps_new(const struct sample *sample, const struct group *group, unsigned leaving,
                      unsigned coming)
{
    unsigned count = 0;

    if (is_new(sample, coming) || !is_new(sample, leaving))
        return true;
    for (unsigned i = 0; i < sample->size; i++)
        count += is_new(sample, group->members[i]);
    return count > 1;
}

/* Returns what the sum has changed by: 0 or less. */
static int64_t try_exchange(struct sample *sample)
{
    struct group *one = &sample->groups[allegra_dice_below(&sample->dice, sample->count)];
    struct group *two = &sample->groups[allegra_dice_below(&sample->dice, sample->count)];
    unsigned place_one = allegra_dice_below(&sample->dice, sample->size);
    unsigned place_two = allegra_dice_below(&sample->dice, sample->size);
    uint16_t bot_one = one->members[place_one];
    uint16_t bot_two = two->members[place_two];
    int64_t cost;

    if (sample_group_has(one, sample->size, bot_two) ||
        sample_group_has(two, sample->size, bot_one) || !keeps_new(sample, one, bot_one, bot_two) ||
        !keeps_new(sample, two, bot_two, bot_one))
        return 0;
    cost = cost_of_move(sample, one, bot_one, bot_two, two) +
           cost_of_move(sample, two, bot_two, bot_one, one);
    if (cost > 0)
        return 0;
    replace(sample, one, place_one, bot_two);
    replace(sample, two, place_two, bot_one);
    return cost;
}

/* How far the sum is above the least that it could be, if all are new. */
static int64_t excess_of(const struct sample *sample)
{
    size_t bots = sample->bots;
    int64_t pairs = (int64_t)(bots * (bots - 1) / 2);
    int64_t meetings = 0;
    int64_t squares = 0;
    int64_t least;

    for (size_t one = 1; one < bots; one++) {
        for (size_t other = 0; other < one; other++) {
            int64_t met = sample->met[one * bots + other];

            meetings += met;
            squares += met * met;
        }
    }
    if (pairs == 0)
        return 0;
    least = meetings / pairs;
    return weights[2] * (squares - least * least * pairs - (meetings % pairs) * (2 * least + 1));
}

void schedule_balance(struct sample *sample)
{
    uint64_t tries = (uint64_t)sample->count * TRIES_PER_GROUP;
    int64_t excess = sample->old == 0 ? excess_of(sample) : INT64_MAX;

    if (tries > TRIES_MAX)
        tries = TRIES_MAX;
    if (sample->size < 2)
        return;
    for (uint64_t i = 0; i < tries && excess > 0; i++)
        excess += try_exchange(sample);
}
