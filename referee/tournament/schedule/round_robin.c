/* The blocks of a round robin and of a gauntlet. A gauntlet is a round robin of the field with
 * smaller groups, each of which the hero joins; so both are made from a field and the size of a
 * group.
 *
 * The field is in the order in which the bots joined. The blocks of a generation are those with a
 * bot of it and none of a later one. They depend only on this and earlier generations and come
 * after their blocks; so nothing that was there before can change. In a complete schedule each
 * group has a block with the first deal, then each has one with the second, and so on. */

#include "tournament/schedule/schedule_private.h"

#include "base/memory.h"

#include <stdlib.h>

/* How many groups are looked at to choose the next one: fewer if there are very many groups, so
 * that WINDOW_ALL bounds the work. */
#define WINDOW_MAX 512
#define WINDOW_MIN 16
#define WINDOW_ALL 20000000

struct field {
    uint16_t *bots;
    unsigned *generation;
    unsigned count;
    unsigned size; /* of a group, without the hero */
};

/* The bots from `old` to `end` - 1 in the field. */
struct generation {
    unsigned number;
    unsigned old;
    unsigned end;
};

static uint64_t multiply(uint64_t one, uint64_t other)
{
    return other != 0 && one > UINT64_MAX / other ? UINT64_MAX : one * other;
}

uint64_t schedule_count_groups(unsigned bots, unsigned size)
{
    uint64_t count = 1;

    if (bots < size)
        return 0;
    for (unsigned i = 1; i <= size; i++) {
        count = multiply(count, bots - size + i);
        if (count == UINT64_MAX)
            return UINT64_MAX;
        count /= i;
    }
    return count;
}

static struct field field_new(const struct schedule *schedule)
{
    const struct schedule_setup *setup = &schedule->setup;
    bool has_hero = setup->format == SCHEDULE_GAUNTLET;
    struct field field = {.size = setup->seats - has_hero};

    field.bots = xcalloc(setup->bots, sizeof *field.bots);
    field.generation = xcalloc(setup->bots, sizeof *field.generation);
    for (unsigned bot = 0; bot < setup->bots; bot++) {
        unsigned generation = setup->generation[bot];

        if (has_hero && bot == setup->hero)
            continue;
        /* Before the hero joined, there was nothing to play. */
        if (has_hero && generation < setup->generation[setup->hero])
            generation = setup->generation[setup->hero];
        field.bots[field.count] = (uint16_t)bot;
        field.generation[field.count++] = generation;
    }
    return field;
}

static void append_group(struct schedule *schedule, const struct field *field,
                         const struct group *group, struct allegra_dice *dice)
{
    uint16_t bots[ALLEGRA_SEATS_MAX];

    for (unsigned i = 0; i < field->size; i++)
        bots[i] = field->bots[group->members[i]];
    if (schedule->setup.format == SCHEDULE_GAUNTLET)
        bots[field->size] = (uint16_t)schedule->setup.hero;
    schedule_append(schedule, bots, dice);
}

static void swap_groups(struct group *one, struct group *other)
{
    struct group kept = *one;

    *one = *other;
    *other = kept;
}

static void shuffle_groups(struct group *groups, unsigned count, struct allegra_dice *dice)
{
    for (unsigned i = count; i > 1; i--)
        swap_groups(&groups[i - 1], &groups[allegra_dice_below(dice, i)]);
}

static unsigned window_of(unsigned count)
{
    unsigned window = WINDOW_ALL / (count + 1);

    if (window > WINDOW_MAX)
        return WINDOW_MAX;
    return window < WINDOW_MIN ? WINDOW_MIN : window;
}

/* Of these groups, the one whose bots have played least so far. */
static unsigned find_least_played(const struct group *groups, unsigned count, unsigned size,
                                  const unsigned *played)
{
    uint64_t least = UINT64_MAX;
    unsigned found = 0;

    for (unsigned i = 0; i < count; i++) {
        uint64_t sum = 0;

        for (unsigned j = 0; j < size; j++)
            sum += played[groups[i].members[j]];
        if (sum < least) {
            least = sum;
            found = i;
        }
    }
    return found;
}

/* Adds a block for each group, in an order in which all bots have played about equally often at any
 * time. Leaves the groups in that order. */
static void append_evenly(struct schedule *schedule, const struct field *field,
                          struct group *groups, unsigned count, struct allegra_dice *dice)
{
    unsigned *played = xcalloc(field->count, sizeof *played);
    unsigned window = window_of(count);

    shuffle_groups(groups, count, dice);
    for (unsigned i = 0; i < count; i++) {
        unsigned seen = count - i < window ? count - i : window;
        unsigned next = i + find_least_played(groups + i, seen, field->size, played);

        swap_groups(&groups[i], &groups[next]);
        for (unsigned j = 0; j < field->size; j++)
            played[groups[i].members[j]]++;
        append_group(schedule, field, &groups[i], dice);
    }
    free(played);
}

/* Groups are ordered by their highest member, then by the second highest and so on: so those with a
 * new bot come last. Members are in ascending order. */
static struct group first_group(unsigned size, unsigned old)
{
    struct group group = {0};

    for (unsigned i = 0; i < size; i++)
        group.members[i] = (uint16_t)i;
    if (old >= size)
        group.members[size - 1] = (uint16_t)old;
    return group;
}

static void next_group(struct group *group, unsigned size)
{
    unsigned i = 0;

    while (i + 1 < size && group->members[i] + 1 == group->members[i + 1]) {
        group->members[i] = (uint16_t)i;
        i++;
    }
    group->members[i]++;
}

/* All groups with a bot of the generation and none of a later one. */
static struct group *list_groups(const struct field *field, const struct generation *generation,
                                 unsigned count)
{
    struct group *groups = xcalloc(count, sizeof *groups);
    struct group group = first_group(field->size, generation->old);

    for (unsigned i = 0; i < count; i++) {
        groups[i] = group;
        next_group(&group, field->size);
    }
    return groups;
}

static bool add_complete(struct schedule *schedule, const struct field *field,
                         const struct generation *generation, unsigned deals)
{
    uint64_t all = schedule_count_groups(generation->end, field->size);
    uint64_t count = all - schedule_count_groups(generation->old, field->size);
    struct group *groups;

    if (all == UINT64_MAX || multiply(count, deals) > SCHEDULE_BLOCKS_MAX - schedule->count)
        return false;
    if (count == 0 || deals == 0)
        return true;
    groups = list_groups(field, generation, (unsigned)count);
    for (unsigned deal = 0; deal < deals; deal++) {
        struct allegra_dice dice = schedule_dice(schedule, generation->number, deal);

        append_evenly(schedule, field, groups, (unsigned)count, &dice);
    }
    free(groups);
    return true;
}

static bool add_sample(struct schedule *schedule, const struct field *field, struct sample *sample,
                       unsigned generation)
{
    bool has_room;

    sample->dice = schedule_dice(schedule, generation, SCHEDULE_PART_CHOICE);
    sample->size = field->size;
    schedule_sample(sample);
    has_room = sample->count <= SCHEDULE_BLOCKS_MAX - schedule->count;
    if (has_room)
        append_evenly(schedule, field, sample->groups, sample->count, &sample->dice);
    free(sample->groups);
    free(sample->met);
    return has_room;
}

/* The first blocks, as many as are allowed: every group equally often, and a balanced choice for
 * the rest. */
static bool add_first_choice(struct schedule *schedule, const struct field *field,
                             const struct generation *generation, uint64_t limit)
{
    uint64_t all = schedule_count_groups(generation->end, field->size);
    struct sample sample = {.bots = generation->end};

    if (limit > SCHEDULE_BLOCKS_MAX)
        return false;
    sample.wanted = (unsigned)(limit % all);
    if (!add_complete(schedule, field, generation, (unsigned)(limit / all)))
        return false;
    return sample.wanted == 0 || add_sample(schedule, field, &sample, generation->number);
}

/* Blocks for bots that joined later: each plays as often as the earlier ones do on average. */
static bool add_later_choice(struct schedule *schedule, const struct field *field,
                             const struct generation *generation)
{
    uint64_t places = (uint64_t)schedule->count * field->size;
    struct sample sample = {.bots = generation->end, .old = generation->old};

    sample.plays = (unsigned)((places + generation->old / 2) / generation->old);
    if (sample.plays == 0)
        sample.plays = 1;
    if (multiply(sample.plays, generation->end - generation->old) / field->size >
        SCHEDULE_BLOCKS_MAX)
        return false;
    return add_sample(schedule, field, &sample, generation->number);
}

static bool add_generation(struct schedule *schedule, const struct field *field,
                           const struct generation *generation)
{
    const struct schedule_setup *setup = &schedule->setup;
    uint64_t all = schedule_count_groups(generation->end, field->size);
    uint64_t limit = setup->matches / schedule_seating_count(setup);

    if (limit == 0)
        limit = 1;
    if (setup->matches == 0 || multiply(all, setup->deals) <= limit)
        return add_complete(schedule, field, generation, setup->deals);
    if (generation->old == 0 || schedule->count == 0)
        return add_first_choice(schedule, field, generation, limit);
    return add_later_choice(schedule, field, generation);
}

bool schedule_add_groups(struct schedule *schedule)
{
    struct field field = field_new(schedule);
    struct generation generation = {0};
    bool has_room = true;

    while (has_room && generation.end < field.count) {
        generation.old = generation.end;
        generation.number = field.generation[generation.old];
        while (generation.end < field.count &&
               field.generation[generation.end] == generation.number)
            generation.end++;
        has_room = add_generation(schedule, &field, &generation);
    }
    free(field.bots);
    free(field.generation);
    return has_room;
}
