/* The blocks of a round robin and of a gauntlet. A gauntlet is a round robin of the field, with smaller
 * groups, to each of which the hero comes; so both are made from a field and the size of a group.
 *
 * The field is in the order in which the bots came. The blocks of a generation are those with a bot of
 * it and none of a later one. They are made from what this and the earlier generations are, and put
 * behind theirs; so nothing that was there before can change. In a complete schedule each group has a
 * block of the first deal, then each has one of the second, and so on. */

#include "tournament/schedule/schedule_private.h"

#include "base/memory.h"

#include <stdlib.h>

#define WINDOW_MAX 512      /* groups from which the next one is taken, */
#define WINDOW_MIN 16       /* if there are very many, */
#define WINDOW_ALL 20000000 /* so that these are enough for all of them */

struct field {
    uint16_t *bots;
    unsigned *generation;
    unsigned count;
    unsigned size; /* of a group, without the hero */
};

/* A generation: its bots are from `old` to `end` - 1 in the field. */
struct input {
    unsigned generation;
    unsigned old;
    unsigned end;
};

static uint64_t multiply(uint64_t one, uint64_t other)
{
    return other != 0 && one > UINT64_MAX / other ? UINT64_MAX : one * other;
}

/* How many groups of `size` there are among `bots`; UINT64_MAX stands for all that is larger. */
static uint64_t count_groups(unsigned bots, unsigned size)
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
        /* Before the hero came, there was nothing to play. */
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
 * moment. Leaves the groups in that order. */
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

/* Groups are ordered by their highest member, then the second highest …: so those that have a new bot
 * follow each other, up to the last. Members rise. */
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

/* All groups that have a bot of the generation and none of a later one. */
static struct group *list_groups(const struct field *field, const struct input *input,
                                 unsigned count)
{
    struct group *groups = xcalloc(count, sizeof *groups);
    struct group group = first_group(field->size, input->old);

    for (unsigned i = 0; i < count; i++) {
        groups[i] = group;
        next_group(&group, field->size);
    }
    return groups;
}

static bool add_complete(struct schedule *schedule, const struct field *field,
                         const struct input *input, unsigned deals)
{
    uint64_t all = count_groups(input->end, field->size);
    uint64_t count = all - count_groups(input->old, field->size);
    struct group *groups;

    if (all == UINT64_MAX || multiply(count, deals) > SCHEDULE_BLOCKS_MAX - schedule->count)
        return false;
    if (count == 0 || deals == 0)
        return true;
    groups = list_groups(field, input, (unsigned)count);
    for (unsigned deal = 0; deal < deals; deal++) {
        struct allegra_dice dice = schedule_dice(schedule, input->generation, deal);

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

/* The first blocks of all: as many as are allowed. Every group as often as all can have it, the rest a
 * balanced choice. */
static bool add_first_choice(struct schedule *schedule, const struct field *field,
                             const struct input *input, uint64_t limit)
{
    uint64_t all = count_groups(input->end, field->size);
    struct sample sample = {.bots = input->end};

    if (limit > SCHEDULE_BLOCKS_MAX)
        return false;
    sample.wanted = (unsigned)(limit % all);
    if (!add_complete(schedule, field, input, (unsigned)(limit / all)))
        return false;
    return sample.wanted == 0 || add_sample(schedule, field, &sample, input->generation);
}

/* Blocks for those who came later: each is to play as often as those who were there, on average. */
static bool add_later_choice(struct schedule *schedule, const struct field *field,
                             const struct input *input)
{
    uint64_t places = (uint64_t)schedule->count * field->size;
    struct sample sample = {.bots = input->end, .old = input->old};

    sample.plays = (unsigned)((places + input->old / 2) / input->old);
    if (sample.plays == 0)
        sample.plays = 1;
    if (multiply(sample.plays, input->end - input->old) / field->size > SCHEDULE_BLOCKS_MAX)
        return false;
    return add_sample(schedule, field, &sample, input->generation);
}

static bool add_generation(struct schedule *schedule, const struct field *field,
                           const struct input *input)
{
    const struct schedule_setup *setup = &schedule->setup;
    uint64_t all = count_groups(input->end, field->size);
    uint64_t limit = setup->matches / schedule_seating_count(setup);

    if (limit == 0)
        limit = 1;
    if (setup->matches == 0 || multiply(all, setup->deals) <= limit)
        return add_complete(schedule, field, input, setup->deals);
    if (input->old == 0 || schedule->count == 0)
        return add_first_choice(schedule, field, input, limit);
    return add_later_choice(schedule, field, input);
}

bool schedule_add_groups(struct schedule *schedule)
{
    struct field field = field_new(schedule);
    struct input input = {0};
    bool has_room = true;

    while (has_room && input.end < field.count) {
        input.old = input.end;
        input.generation = field.generation[input.old];
        while (input.end < field.count && field.generation[input.end] == input.generation)
            input.end++;
        has_room = add_generation(schedule, &field, &input);
    }
    free(field.bots);
    free(field.generation);
    return has_room;
}
