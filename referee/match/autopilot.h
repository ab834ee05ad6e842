#ifndef REFEREE_MATCH_AUTOPILOT_H
#define REFEREE_MATCH_AUTOPILOT_H

/* Plays on for a bot that was dismissed, so that the others can still play their shared columns:
 * harmless, quick, and the same for everybody. */

#include "game/allegra.h"

/* Changes whenever it would answer differently; it is in every log. */
#define AUTOPILOT_VERSION 1

/* One of the legal answers; a pure function of what the seat sees. */
struct allegra_answer autopilot_choose(const struct allegra_view *view,
                                       const struct allegra_legal *legal);

#endif
