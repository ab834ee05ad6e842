#ifndef REFEREE_TOURNAMENT_PLAY_WORKER_H
#define REFEREE_TOURNAMENT_PLAY_WORKER_H

/* A process that plays the matches it is given, several at once if its bots leave the core idle. */

#include "tournament/play/task.h"

/* Runs such a process until `socket` is closed: answers each `struct task` that comes with one
 * `struct task_report`. A packet of another size says that no more tasks are to be started. It and
 * its bots run on core `cpu`, or -1 for any. */
_Noreturn void worker_run(const struct task_setup *setup, int socket, int cpu);

#endif
