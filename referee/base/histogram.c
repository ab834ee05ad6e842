/* The first boxes have one value each, up to 15; from there on each power of two is cut into
 * eight. A box is found from the position of the highest bit and the three bits after it. */

#include "base/histogram.h"

#define STEP_BITS 3
#define STEPS (1U << STEP_BITS)

unsigned histogram_box(int64_t value_us)
{
    uint64_t value = value_us > 0 ? (uint64_t)value_us : 0;
    unsigned high;
    unsigned box;

    if (value < 2 * STEPS)
        return (unsigned)value;
    high = 63U - (unsigned)__builtin_clzll(value);
    box = (high - STEP_BITS) * STEPS + (unsigned)(value >> (high - STEP_BITS));
    return box < HISTOGRAM_BOXES ? box : HISTOGRAM_BOXES - 1;
}

int64_t histogram_middle(unsigned box)
{
    unsigned shift;

    if (box < 2 * STEPS)
        return box;
    shift = box / STEPS - 1;
    return ((int64_t)(box % STEPS + STEPS) << shift) + ((int64_t)1 << shift) / 2;
}

void histogram_add_box(struct histogram *histogram, unsigned box, uint32_t count)
{
    if (box >= HISTOGRAM_BOXES)
        box = HISTOGRAM_BOXES - 1;
    histogram->counts[box] += count;
    histogram->total += count;
}

void histogram_add(struct histogram *histogram, int64_t value_us)
{
    histogram_add_box(histogram, histogram_box(value_us), 1);
}

int64_t histogram_quantile(const struct histogram *histogram, double share)
{
    uint64_t wanted = (uint64_t)(share * (double)histogram->total);
    uint64_t below = 0;

    if (histogram->total == 0)
        return 0;
    if (wanted >= histogram->total)
        wanted = histogram->total - 1;
    for (unsigned box = 0; box < HISTOGRAM_BOXES; box++) {
        below += histogram->counts[box];
        if (below > wanted)
            return histogram_middle(box);
    }
    return 0;
}
