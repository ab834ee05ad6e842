/* The first boxes have one value each, up to 15; from there on each power of two is cut into eight. A
 * box is found from the position of the highest bit and the three bits after it. */

#include "base/spread.h"

#define STEP_BITS 3
#define STEPS (1U << STEP_BITS)

unsigned spread_box(int64_t value_us)
{
    uint64_t value = value_us > 0 ? (uint64_t)value_us : 0;
    unsigned high;
    unsigned box;

    if (value < 2 * STEPS)
        return (unsigned)value;
    high = 63U - (unsigned)__builtin_clzll(value);
    box = (high - STEP_BITS) * STEPS + (unsigned)(value >> (high - STEP_BITS));
    return box < SPREAD_BOXES ? box : SPREAD_BOXES - 1;
}

int64_t spread_middle(unsigned box)
{
    unsigned shift;

    if (box < 2 * STEPS)
        return box;
    shift = box / STEPS - 1;
    return ((int64_t)(box % STEPS + STEPS) << shift) + ((int64_t)1 << shift) / 2;
}

void spread_add_box(struct spread *spread, unsigned box, uint32_t count)
{
    if (box >= SPREAD_BOXES)
        box = SPREAD_BOXES - 1;
    spread->counts[box] += count;
    spread->total += count;
}

void spread_add(struct spread *spread, int64_t value_us)
{
    spread_add_box(spread, spread_box(value_us), 1);
}

int64_t spread_quantile(const struct spread *spread, double share)
{
    uint64_t wanted = (uint64_t)(share * (double)spread->total);
    uint64_t below = 0;

    if (spread->total == 0)
        return 0;
    if (wanted >= spread->total)
        wanted = spread->total - 1;
    for (unsigned box = 0; box < SPREAD_BOXES; box++) {
        below += spread->counts[box];
        if (below > wanted)
            return spread_middle(box);
    }
    return 0;
}
