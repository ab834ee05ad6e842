#ifndef REFEREE_BOT_SPAWN_H
#define REFEREE_BOT_SPAWN_H

/* Starting a stranger's program: its process and our ends of its pipes. */

#include "base/text.h"

#include <limits.h>
#include <sys/types.h>

/* A started program. All descriptors are ours alone; the pipes' do not block. */
struct spawned {
    pid_t pid; /* also the name of its process group and session; -1 if it could not be run */
    int pidfd;
    int stdin_fd;
    int stdout_fd;
    int stderr_fd;
    int error; /* why it could not be run; 0 if it was */
};

/* Runs `argv`, pinned to `core` unless that is negative, in its own session, with nothing of ours but
 * the three pipes and the environment; it is killed when we end. Returns 0, also if the program could
 * not be run, which is in `error`; -1 with errno if there is no process, pipe or descriptor left. */
int spawn_start(struct spawned *spawned, const char *const *argv, int core);

/* Adds a sentence for the author of `program` (an argv[0]) about the `error` that ran into. */
void spawn_explain(struct text *words, const char *program, int error);

/* Puts the path of the program `name` into `path`, as a shell finds it. Returns 0, or the error that
 * exec would give. */
int spawn_find(const char *name, char path[PATH_MAX]);

#endif
