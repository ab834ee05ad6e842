#ifndef REFEREE_BASE_HISTOGRAM_H
#define REFEREE_BASE_HISTOGRAM_H

/* How a large number of durations is spread, in little room: counts in boxes whose width grows
 * with the value, eight boxes to each doubling, so that a quantile is right to about 5 %. */

#include <stdint.h>

#define HISTOGRAM_BOXES 240

struct histogram {
    uint32_t counts[HISTOGRAM_BOXES];
    uint64_t total; /* how many there are */
};

/* The box of a value in microseconds; negative ones count as 0, very long ones as the last box. */
unsigned histogram_box(int64_t value_us);

/* The middle of a box. */
int64_t histogram_middle(unsigned box);

void histogram_add(struct histogram *histogram, int64_t value_us);
void histogram_add_box(struct histogram *histogram, unsigned box, uint32_t count);

/* The value below which `share` (0 to 1) of all lie; 0 if there are none. */
int64_t histogram_quantile(const struct histogram *histogram, double share);

#endif
