#ifndef REFEREE_CLI_CLIENT_FOLLOW_H
#define REFEREE_CLI_CLIENT_FOLLOW_H

/* Following jobs, for `referee watch` and `referee submit --wait`. */

#include "cli/client/connection.h"

#include <stdio.h>

/* Watches a job until it is over, or everything (0) until the daemon ends, and prints a line per
 * event, as text for people or as it is. Returns the exit code: CLI_FINE if the job is done and no
 * bot was at fault. */
int follow_run(struct connection *client, long job, bool is_raw, FILE *file);

/* Reads the number of a job. Returns 0 after it printed the problem. */
long follow_number(const char *text);

#endif
