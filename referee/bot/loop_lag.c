/* Each turn of the loop polls every descriptor. What one turn finds was not there at the turn
 * before, so it is younger than that, whatever the referee did meanwhile: waited for a core, wrote
 * a log, started a process. libevent caches the time when it has polled, which identifies the turn
 * and its moment. It is a date, which can be set; then a gap is wrong once, and a negative one is
 * not a gap. */

#include "bot/loop_lag.h"

#include <event2/event.h>
#include <event2/util.h>
#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The shortest time slice that the kernel gives; a thread that asks for a short one runs
 * earlier. */
#define SLICE_NS 100000

static int64_t this_poll_us;
static int64_t last_poll_us;

static int64_t us_of(const struct timeval *moment)
{
    return (int64_t)moment->tv_sec * 1000000 + moment->tv_usec;
}

void loop_lag_start(void)
{
    struct sched_attr attributes;

    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 ||
        attributes.sched_policy != SCHED_NORMAL)
        return;
    attributes.sched_flags |= SCHED_FLAG_RESET_ON_FORK;
    attributes.sched_runtime = SLICE_NS;
    (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void loop_lag_note(struct event_base *base)
{
    struct timeval polled;

    (void)event_base_gettimeofday_cached(base, &polled);
    if (us_of(&polled) == this_poll_us)
        return;
    last_poll_us = this_poll_us;
    this_poll_us = us_of(&polled);
}

int64_t loop_lag_us(void)
{
    struct timeval now;

    if (last_poll_us == 0 || evutil_gettimeofday(&now, NULL) != 0 || us_of(&now) < last_poll_us)
        return INT64_MAX;
    return us_of(&now) - last_poll_us;
}
