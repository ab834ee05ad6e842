/* A pulse is a timer of the loop that comes again and again. */

#include "bot/pulse.h"

#include "base/memory.h"

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdlib.h>

struct pulse {
    struct event on_time;
    pulse_fn *on_pulse;
    void *context;
};

static void on_time(evutil_socket_t fd, short what, void *context)
{
    struct pulse *pulse = context;

    (void)fd;
    (void)what;
    pulse->on_pulse(pulse->context);
}

struct pulse *pulse_start(struct event_base *base, long period_ms, pulse_fn *on_pulse,
                          void *context)
{
    struct timeval period = {.tv_sec = period_ms / 1000, .tv_usec = period_ms % 1000 * 1000};
    struct pulse *pulse = xcalloc(1, sizeof *pulse);

    pulse->on_pulse = on_pulse;
    pulse->context = context;
    (void)event_assign(&pulse->on_time, base, -1, EV_PERSIST, on_time, pulse);
    (void)event_add(&pulse->on_time, &period);
    return pulse;
}

void pulse_stop(struct pulse *pulse)
{
    if (pulse == NULL)
        return;
    (void)event_del(&pulse->on_time);
    free(pulse);
}
