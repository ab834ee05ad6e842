#ifndef REFEREE_CLI_CLIENT_RELAY_H
#define REFEREE_CLI_CLIENT_RELAY_H

/* Passes bytes between a program's pipes and a connection. */

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

/* Passes bytes on, `unread` (of `far`) first, until `far` has ended. When `from_near` ends, `far`
 * is half-closed; if `is_near_enough` that is the end, too. Bytes that were read are written before
 * the end, or dropped if nobody reads them any more. Buffers 64 KiB in each direction at most.
 * Closes everything. */
enum relay_end relay_run(const struct relay_ends *ends, struct span unread, bool is_near_enough);

#endif
