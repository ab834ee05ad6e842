#ifndef REFEREE_CLI_CONTAINMENT_H
#define REFEREE_CLI_CONTAINMENT_H

/* The option --contain, for all commands that run bots. */

#include "bot/command.h"
#include "bot/contain.h"

#define CONTAINMENT_VALUES "auto|sealed|guarded|none"

/* Reads the value of the option. Returns 0, or -1 after it said what is wrong. */
int containment_read(const char *value, enum contain_level *level);

/* Makes ready for a level, and tells what is not enforced: a line each if the user asked for the level
 * himself, else one line in all. Returns NULL after it said why the level cannot be had. */
struct contain *containment_open(enum contain_level wanted, bool is_asked);

/* Whether a bot can be run so; `folder` as in bot_spec. Returns 0, perhaps after a remark, or -1 after it
 * said why not. */
int containment_admit(struct contain *contain, const struct command *command, const char *folder);

#endif
