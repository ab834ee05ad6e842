/* All deadlines and durations are differences of this one clock. The date is never asked for a
 * duration, because it can be set while a match is running. */

#include "base/clock.h"

#include "base/message.h"

#include <errno.h>
#include <string.h>
#include <time.h>

int64_t clock_now_us(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        fatal("the monotonic clock cannot be read: %s", strerror(errno));
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
