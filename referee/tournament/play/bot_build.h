#ifndef REFEREE_TOURNAMENT_PLAY_BOT_BUILD_H
#define REFEREE_TOURNAMENT_PLAY_BOT_BUILD_H

/* Running the `build` command of a bot. */

#include "base/text.h"
#include "sandbox/sandbox.h"
#include "tournament/config/config.h"

/* Runs it by /bin/sh in `folder`, which it may change. It is a stranger's program as well: if bots are
 * contained it is too, at the level guarded, in a copy that takes the place of `folder` afterwards.
 * Returns 0 if it ended with status 0; or -1 with its end and the last that it wrote in `problem`. */
int bot_build_run(const struct config_bot *bot, const char *folder, struct sandbox *sandbox,
                  struct text *problem);

#endif
