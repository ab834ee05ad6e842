#ifndef REFEREE_TOURNAMENT_WORKER_H
#define REFEREE_TOURNAMENT_WORKER_H

/* A process that plays the matches it is given, several at once where its bots are slow. */

#include "tournament/job.h"

/* Is such a process until `socket` ends: takes each `struct job` that comes and answers it with one
 * `struct job_report`. A packet of another size says that no more are to be begun. `core` is where it
 * and its bots run, or -1. */
_Noreturn void worker_run(const struct job_setup *setup, int socket, int core);

#endif
