#ifndef REFEREE_TOURNAMENT_PLAY_WORKER_H
#define REFEREE_TOURNAMENT_PLAY_WORKER_H

/* A process that plays the matches it is given, several at once where its bots are slow. */

#include "tournament/play/task.h"

/* Is such a process until `socket` ends: takes each `struct task` that comes and answers it with one
 * `struct task_report`. A packet of another size says that no more are to be begun. `cpu` is where it
 * and its bots run, or -1. */
_Noreturn void worker_run(const struct task_setup *setup, int socket, int cpu);

#endif
