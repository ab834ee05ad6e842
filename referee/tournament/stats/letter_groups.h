#ifndef REFEREE_TOURNAMENT_STATS_LETTER_GROUPS_H
#define REFEREE_TOURNAMENT_STATS_LETTER_GROUPS_H

/* Letters for a table: two things share a letter exactly if they are alike. */

#include "tournament/stats/bit_matrix.h"

#include <stddef.h>

/* Gives each thing its letters, in the order of the first things of the groups. `alike` must be
 * symmetric. The letters of thing t are at letters + t * stride and have `size` bytes, at least 8.
 * The groups are a … z, then a2 … z2, and so on; if a thing has more letters than fit, they end
 * with `+`. */
void letter_groups_write(const struct bit_matrix *alike, char *letters, size_t stride, size_t size);

#endif
