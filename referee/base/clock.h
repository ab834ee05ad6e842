#ifndef REFEREE_BASE_CLOCK_H
#define REFEREE_BASE_CLOCK_H

#include <stdint.h>

/* Microseconds since some moment in the past. Never goes back, whatever is done to the date. */
int64_t clock_now_us(void);

#endif
