#ifndef REFEREE_BOT_PULSE_H
#define REFEREE_BOT_PULSE_H

/* A call from the event loop every so often, for those who know no loop. */

struct event_base;
struct pulse;

typedef void pulse_fn(void *context);

/* Calls `on_pulse` every `period_ms` until the pulse is stopped, which `on_pulse` may do itself. */
struct pulse *pulse_start(struct event_base *base, long period_ms, pulse_fn *on_pulse,
                          void *context);

/* NULL is fine. */
void pulse_stop(struct pulse *pulse);

#endif
