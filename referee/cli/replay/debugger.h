#ifndef REFEREE_CLI_REPLAY_DEBUGGER_H
#define REFEREE_CLI_REPLAY_DEBUGGER_H

#include "bot/bot_command.h"
#include "base/text.h"

/* Runs the bot in this terminal under the debugger that fits it, stopped at its start, with all its
 * arguments and with these bytes as its standard input, and waits until the debugger is left: gdb
 * for a program, pdb for Python. For other scripts, or if there is no debugger, it keeps the bytes
 * in a file and prints the command that runs the bot with them. Returns 0, or -1 after it said what
 * is wrong. */
int debugger_run(const struct bot_command *command, struct span bytes);

#endif
