#ifndef REFEREE_TOURNAMENT_PLAY_BOT_BUILD_H
#define REFEREE_TOURNAMENT_PLAY_BOT_BUILD_H

/* Running the `build` command of a bot. */

#include "base/text.h"
#include "sandbox/sandbox.h"
#include "tournament/config/config.h"

struct bot_build_limits {
    unsigned seconds;
    long memory_mb;          /* 0: as much as a bot */
    long most_kb;            /* of the files in the end; 0: as much as a scratch folder */
    const char *output_path; /* a file for what it prints, as it is; NULL: none */
};

/* Builds a bot in `folder`, which is made from the bot's own; that is not changed. The command of
 * the build is run with /bin/sh. A build is as untrusted as a bot: if bots are contained, so is the
 * build, at level guarded, and `folder` is what it leaves. It has the limits of a bot for processes
 * and the size of its scratch folder; `limits` are for its time, its memory and the files in the
 * end, holes included. Returns 0 if it exited with status 0, or -1 with its end and its last output
 * in `problem`. What it prints is in the file in both cases: the beginning and the end, if it is
 * long (stderr_capture.h). */
int bot_build_run(const struct config_bot *bot, const char *folder,
                  const struct bot_build_limits *limits, struct sandbox *sandbox,
                  struct text *problem);

#endif
