#ifndef REFEREE_BASE_SPREAD_H
#define REFEREE_BASE_SPREAD_H

/* How a large number of durations is spread, in little room: counts in boxes whose width grows with the
 * value, eight boxes to each doubling, so that a quantile is right to about 5 %. */

#include <stdint.h>

#define SPREAD_BOXES 240

struct spread {
    uint32_t counts[SPREAD_BOXES];
    uint64_t total; /* how many there are */
};

/* The box of a value in microseconds; negative ones count as 0, very long ones as the last box. */
unsigned spread_box(int64_t value_us);

/* The middle of a box. */
int64_t spread_middle(unsigned box);

void spread_add(struct spread *spread, int64_t value_us);
void spread_add_box(struct spread *spread, unsigned box, uint32_t count);

/* The value below which `share` (0 to 1) of all lie; 0 if there are none. */
int64_t spread_quantile(const struct spread *spread, double share);

#endif
