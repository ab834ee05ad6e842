#ifndef REFEREE_CLI_CLIENT_FOLLOW_H
#define REFEREE_CLI_CLIENT_FOLLOW_H

/* Watching at the daemon, for `referee watch` and whoever waits for a job. */

#include "cli/client/connection.h"

#include <stdio.h>

/* Watches a job until it is over, or everything (0) until the daemon ends, and prints a line for each
 * event, in words or as it came. Returns the exit code: CLI_FINE if the job is done and no bot was at
 * fault. */
int follow_run(struct connection *client, long job, bool is_raw, FILE *file);

/* Reads the number of a job. Returns 0 after it said that it is none. */
long follow_number(const char *words);

#endif
