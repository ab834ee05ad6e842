#ifndef REFEREE_TOURNAMENT_STATS_LETTER_GROUPS_H
#define REFEREE_TOURNAMENT_STATS_LETTER_GROUPS_H

/* Letters for a table: things that share one are alike, things that share none are not. */

#include "tournament/stats/bit_matrix.h"

#include <stddef.h>

/* Gives each thing its letters, in the order of the groups' first things. `alike` must be the same in
 * both directions; everything is alike itself. Room: `size` bytes a thing, at least 8, thing t's
 * begin at letters + t * stride. The groups are a … z, then a2 … z2, and so on; if a thing has more
 * than there is room for, its letters end with `+`. */
void letter_groups_write(const struct bit_matrix *alike, char *letters, size_t stride, size_t size);

#endif
