#ifndef REFEREE_CLI_WATCHING_H
#define REFEREE_CLI_WATCHING_H

/* Watching at the daemon, for `referee watch` and whoever waits for a work. */

#include "cli/line_client.h"

#include <stdio.h>

/* Watches a work until it is over, or everything (0) until the daemon ends, and prints a line for each
 * event, in words or as it came. Returns the exit code: CLI_FINE if the work is done and no bot was at
 * fault. */
int watching_run(struct line_client *client, long work, bool is_raw, FILE *file);

/* Reads the number of a work. Returns 0 after it said that it is none. */
long watching_number(const char *words);

#endif
