#ifndef REFEREE_SERVE_QUEUE_PACE_H
#define REFEREE_SERVE_QUEUE_PACE_H

/* How fast matches are played, from what was decided since a job was started. */

#include <stdbool.h>
#include <stdint.h>

struct pace {
    int64_t from_us;    /* when counting began */
    unsigned long from; /* matches that were decided by then */
    bool is_begun;
    int64_t match_us; /* per decided match so far; 0 if none was */
};

/* So many matches are decided now, on the monotonic clock. The first call only begins to count. */
void pace_note(struct pace *pace, int64_t now_us, unsigned long decided);

/* The seconds that so many matches are likely to take at `match_us` each, of which `spent_us` have
 * passed; -1 if nobody knows. */
int64_t pace_seconds(int64_t match_us, unsigned long matches, int64_t spent_us);

#endif
