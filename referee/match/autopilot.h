#ifndef REFEREE_MATCH_AUTOPILOT_H
#define REFEREE_MATCH_AUTOPILOT_H

/* Plays on for a bot that was dismissed, so that the others' shared columns stay a game: harmless,
 * quick, and the same for everybody. */

#include "game/legal.h"
#include "game/view.h"

/* Changes whenever it would answer differently; it is in every log. */
#define AUTOPILOT_VERSION 1

/* One of the legal answers; a pure function of what the seat sees. */
struct answer autopilot_choose(const struct view *view, const struct legal *legal);

#endif
