#ifndef REFEREE_TOURNAMENT_PLAY_BUILT_BOT_H
#define REFEREE_TOURNAMENT_PLAY_BUILT_BOT_H

/* Bots with a `build` command, as they were built, in a folder that keeps them. */

#include "base/text.h"
#include "bot/bot_command.h"
#include "sandbox/sandbox.h"
#include "tournament/config/config.h"

#include <stdbool.h>
#include <stdint.h>

/* Where bots are built. */
struct built_bot_place {
    const char *folder;  /* made if it is not there */
    bool is_shared;      /* other tournaments build there too, perhaps bots of the same name */
    bool keeps_failures; /* what cannot be built is not built again by those that share the folder;
                           * whoever keeps failures builds it again */
    unsigned limit_s;    /* how long a build may run */
    long memory_mb;      /* that it may use; 0: as much as a bot */
    long most_kb;        /* of the files that it leaves; 0: as much as a scratch folder */
};

/* The endings of what is in the folder for one build, after its name; "" is the built bot. The name
 * is that of the bot, or in a shared folder the hash of its source. The lock is last. */
#define BUILT_BOT_ENDINGS 5
extern const char *const built_bot_endings[BUILT_BOT_ENDINGS];

/* The hash of a bot's files and of its `build`. Returns 0, or -1 with errno. */
int built_bot_hash(const struct config_bot *bot, char hex[BOT_COMMAND_HASH_HEX]);

/* Copies and builds, unless that was done before with the same files. Returns the folder of the
 * built bot, which is to be freed, and the hash of its source; or NULL with errno and a sentence,
 * followed by the end of the build's output. */
char *built_bot_make(const struct built_bot_place *place, const struct config_bot *bot,
                     struct sandbox *sandbox, char hash[BOT_COMMAND_HASH_HEX],
                     struct text *problem);

/* The file with what a build has printed, whether it worked or not; the built bot. Free them. */
char *built_bot_output(const struct built_bot_place *place, const char *name);
char *built_bot_folder(const struct built_bot_place *place, const char *name);

#endif
