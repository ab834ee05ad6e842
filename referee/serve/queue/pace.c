/* Matches of a job are decided in blocks, some of them at once, so the pace is the mean since the
 * beginning. It is an estimate for people: a job whose bots get slower is later than it says. */

#include "serve/queue/pace.h"

#define SECOND_US 1000000

void pace_note(struct pace *pace, int64_t now_us, unsigned long decided)
{
    if (!pace->is_begun || decided < pace->from) {
        pace->from_us = now_us;
        pace->from = decided;
        pace->is_begun = true;
    } else if (decided > pace->from) {
        pace->match_us = (now_us - pace->from_us) / (int64_t)(decided - pace->from);
    }
}

int64_t pace_seconds(int64_t match_us, unsigned long matches, int64_t spent_us)
{
    int64_t left_us;

    if (match_us <= 0 || matches > (unsigned long)(INT64_MAX / match_us))
        return -1;
    left_us = match_us * (int64_t)matches - spent_us;
    return left_us > 0 ? (left_us + SECOND_US - 1) / SECOND_US : 0;
}
