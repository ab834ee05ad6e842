#ifndef REFEREE_CLI_OPTIONS_SANDBOX_H
#define REFEREE_CLI_OPTIONS_SANDBOX_H

/* The option --contain, for all commands that run bots. */

#include "bot/bot_command.h"
#include "cli/options.h"
#include "sandbox/sandbox.h"

#define OPTIONS_SANDBOX_LEVELS "auto, sealed, guarded or none"

/* The destination of the row, an enum sandbox_level. */
#define OPTIONS_SANDBOX(type, member)                                                              \
    OPTION_READ(type, member, options_sandbox_read, OPTIONS_SANDBOX_LEVELS)

option_read_fn options_sandbox_read;

/* Prepares a level, and reports which parts of it are not enforced on this machine. Returns NULL
 * after it reported why the level is not available. */
struct sandbox *options_sandbox_open(enum sandbox_level level);

/* Whether a bot can be run in the sandbox; its folder as in bot_spec. Returns 0, perhaps after a
 * remark, or -1 after it reported why not. */
int options_sandbox_admit(struct sandbox *sandbox, const struct bot_command *command,
                          const char *folder, bool is_folder_shared);

#endif
