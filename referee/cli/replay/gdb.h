#ifndef REFEREE_CLI_DEBUGGER_H
#define REFEREE_CLI_DEBUGGER_H

#include "bot/command.h"

/* Runs the bot under gdb in this terminal, stopped at its start, with the file `input` as its
 * standard input, and waits until gdb is left. Returns 0, or -1 after it said what is wrong. */
int debugger_run(const struct command *command, const char *input);

#endif
