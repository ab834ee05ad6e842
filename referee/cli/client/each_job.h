#ifndef REFEREE_CLI_CLIENT_EACH_JOB_H
#define REFEREE_CLI_CLIENT_EACH_JOB_H

/* Commands that send the same request for each job that they are given. */

#include "cli/options.h"
#include "wire/request.h"

/* Reads the command line, whose arguments are numbers of jobs, and asks the daemon to do so with
 * each of them. Returns the exit code. */
int each_job_ask(const struct options *options, enum request_verb verb, int argc, char **argv);

#endif
