#ifndef REFEREE_SANDBOX_SPAWN_H
#define REFEREE_SANDBOX_SPAWN_H

/* Starting a stranger's program: its process and our ends of its pipes. */

#include "base/text.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct jail;
struct sandbox;

/* A started program. All descriptors are ours alone; the pipes' do not block. */
struct spawned {
    pid_t pid; /* also the name of its process group and session; -1 if it could not be run */
    int pidfd;
    int stdin_fd;
    int stdout_fd;
    int stderr_fd;
    int error;            /* why it could not be run; 0 if it was */
    bool is_folder_wrong; /* of an error: its folder could not be entered */
    struct jail *jail;    /* where it is contained; NULL if it is not, or could not be run */
};

/* What to start. All lent for the call only. */
struct spawn_order {
    const char *const *argv; /* argv[0] is a path, or a name that is looked up in PATH */
    const char *folder;      /* its current folder, where a relative path begins; NULL: ours */
    const char *const *environment; /* "KEY=VALUE", added to what it has anyway; NULL: nothing */
    long memory_mb;                 /* its data may not grow beyond this; 0: no limit */
    int cpu;                        /* to pin it to, or -1 */
    struct sandbox *sandbox;        /* how strictly it is kept; NULL: not at all */
};

/* Runs a program in its own session, with nothing of ours but the three pipes and the environment, and
 * not even that where it is contained; it is killed when we end. Returns 0, also if the program could not
 * be run, which is in `error`; -1 with errno if there is no process, pipe or descriptor left. */
int spawn_start(struct spawned *spawned, const struct spawn_order *order);

/* Gives back a program that has ended and was reaped, with all that it left behind. */
void spawn_end(struct spawned *spawned);

/* Adds a sentence for its author about the error that `order` ran into. */
void spawn_explain(struct text *words, const struct spawn_order *order,
                   const struct spawned *spawned);

/* Puts the path of the program `name` into `path`, as a shell finds it. Returns 0, or the error that
 * exec would give. */
int spawn_find(const char *name, char path[PATH_MAX]);

#endif
