#ifndef REFEREE_CLI_REPLAY_GDB_H
#define REFEREE_CLI_REPLAY_GDB_H

#include "bot/bot_command.h"

/* Runs the bot under gdb in this terminal, stopped at its start, with the file `input` as its
 * standard input, and waits until gdb is left. Returns 0, or -1 after it said what is wrong. */
int gdb_run(const struct bot_command *command, const char *input);

#endif
