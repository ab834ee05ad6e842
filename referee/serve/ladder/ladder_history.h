#ifndef REFEREE_SERVE_LADDER_LADDER_HISTORY_H
#define REFEREE_SERVE_LADDER_LADDER_HISTORY_H

/* How the ratings of a ladder became what they are: a file that grows by some lines whenever
 * ratings are made. It is only for people to look at. */

#include "serve/ladder/ladder_rating.h"

#include <stdint.h>

#define LADDER_HISTORY_BYTES_MAX (8 << 20) /* of the file; beyond that nothing more is noted */

/* What was known about a version at a time. */
struct ladder_moment {
    int64_t time_s;
    unsigned deals; /* that it had played */
    struct ladder_rating rating;
};

struct ladder_history;

/* Reads the file, which need not be there: what is damaged in it is left out. `path` is copied. */
struct ladder_history *ladder_history_open(const char *path);
void ladder_history_free(struct ladder_history *history); /* NULL is fine */

/* Notes a rating if there is something new to see: the first one of a version, when it has played a
 * quarter more than at the last one, and after a day. */
void ladder_history_note(struct ladder_history *history, const struct ladder_rating *rating,
                         unsigned deals, int64_t now_s);

/* Writes what was noted. Returns 0, or -1 with errno: then it comes with the next write. */
int ladder_history_write(struct ladder_history *history);

/* All moments, the oldest first. Lent until the next one is noted. */
const struct ladder_moment *ladder_history_list(const struct ladder_history *history,
                                                unsigned *count);

#endif
