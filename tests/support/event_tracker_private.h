#ifndef TESTS_SUPPORT_EVENT_TRACKER_PRIVATE_H
#define TESTS_SUPPORT_EVENT_TRACKER_PRIVATE_H

/* Shared by the files of the tracker: event_tracker.c compares, event_tracker_cards.c applies
 * events that move cards, event_tracker_apply.c applies all others. */

#include "support/event_tracker.h"

typedef const char *event_tracker_apply_fn(struct event_tracker *tracker,
                                           const struct allegra_event *event);

struct spot *event_tracker_spot(struct event_tracker *tracker, unsigned seat, unsigned cell);
struct spot event_tracker_spot_at(const struct event_tracker *tracker, unsigned seat,
                                  unsigned cell);
unsigned event_tracker_left(const struct event_tracker *tracker, unsigned seat);

event_tracker_apply_fn event_tracker_apply_turned;
event_tracker_apply_fn event_tracker_apply_reshuffled;
event_tracker_apply_fn event_tracker_apply_drew_pile;
event_tracker_apply_fn event_tracker_apply_drew_discard;
event_tracker_apply_fn event_tracker_apply_knocked;
event_tracker_apply_fn event_tracker_apply_accepted;
event_tracker_apply_fn event_tracker_apply_kept;
event_tracker_apply_fn event_tracker_apply_dropped;
event_tracker_apply_fn event_tracker_apply_placed;
event_tracker_apply_fn event_tracker_apply_took;
event_tracker_apply_fn event_tracker_apply_put;
event_tracker_apply_fn event_tracker_apply_tossed;
event_tracker_apply_fn event_tracker_apply_returned;
event_tracker_apply_fn event_tracker_apply_cleared;
event_tracker_apply_fn event_tracker_apply_discarded;

#endif
