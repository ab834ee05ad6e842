#ifndef REFEREE_CLI_CLIENT_RELAY_H
#define REFEREE_CLI_CLIENT_RELAY_H

/* Passing bytes on between a program's pipes and a connection. */

#include "base/text.h"

struct relay_ends {
    int from_near; /* read; taken */
    int to_near;   /* written; taken */
    int far;       /* a socket, both; taken */
};

/* How it ended. */
enum relay_end {
    RELAY_FAR_ENDED,
    RELAY_NEAR_ENDED, /* `from_near` ended before `far` did */
};

/* Passes on what comes, `unread` (of `far`) first, until `far` has ended. When `from_near` ends, `far` is
 * told by half a close; if `is_near_enough` that is the end as well. What was read is written before the
 * end; what nobody reads any more is dropped. Holds at most 64 KiB in each direction, and reads nothing
 * while it has to hold that. Everything is closed. */
enum relay_end relay_run(const struct relay_ends *ends, struct span unread, bool is_near_enough);

#endif
