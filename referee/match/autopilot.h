#ifndef REFEREE_MATCH_AUTOPILOT_H
#define REFEREE_MATCH_AUTOPILOT_H

/* Plays on for a bot that was dismissed, so that the others can still play their shared columns:
 * harmless, quick, and the same for everybody. */

#include "game/allegra.h"

/* The version that plays now; it is in every log. It changes whenever the autopilot would answer
 * differently. The old versions stay, so that old logs can be played again. */
#define AUTOPILOT_VERSION 1

bool autopilot_is_known(unsigned version);

/* One of the legal answers; a pure function of what the seat sees. The version must be known. */
struct allegra_answer autopilot_choose(unsigned version, const struct allegra_view *view,
                                       const struct allegra_legal *legal);

#endif
