#ifndef REFEREE_CLI_OPTIONS_SANDBOX_H
#define REFEREE_CLI_OPTIONS_SANDBOX_H

/* The option --contain, for all commands that run bots. */

#include "bot/bot_command.h"
#include "sandbox/sandbox.h"

#define OPTIONS_SANDBOX_VALUES "auto|sealed|guarded|none"

/* Reads the value of the option. Returns 0, or -1 after it said what is wrong. */
int options_sandbox_read(const char *value, enum sandbox_level *level);

/* Makes ready for a level, and tells what is not enforced: a line each if the user asked for the level
 * himself, else one line in all. Returns NULL after it said why the level cannot be had. */
struct sandbox *options_sandbox_open(enum sandbox_level wanted, bool is_asked);

/* Whether a bot can be run so; `folder` as in bot_spec. Returns 0, perhaps after a remark, or -1 after it
 * said why not. */
int options_sandbox_admit(struct sandbox *sandbox, const struct bot_command *command,
                          const char *folder);

#endif
