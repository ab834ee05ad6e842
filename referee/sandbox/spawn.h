#ifndef REFEREE_SANDBOX_SPAWN_H
#define REFEREE_SANDBOX_SPAWN_H

/* Private to process.c: making the child, and explaining why it could not be made. */

#include "base/text.h"
#include "sandbox/cgroup.h"
#include "sandbox/jail.h"

#include <stdbool.h>
#include <sys/types.h>

#define SPAWN_STREAMS 3

struct process_spec;

/* What the child has to know, prepared before it exists; and what became of it. */
struct spawn {
    struct jail_command command;
    const struct jail *jail; /* or NULL */
    struct cgroup_door door;
    int fds[SPAWN_STREAMS]; /* to become its 0, 1 and 2 */
    pid_t parent;
    long memory_mb; /* its data may not grow beyond this; 0: no limit */
    int cpu;
    volatile int error;            /* why it could not be run; 0 if it was */
    volatile bool is_folder_wrong; /* of an error: its folder could not be entered */
    volatile bool is_jail_wrong;
};

/* Makes a child that becomes the program, and returns when it has, or when it could not: then
 * `error` is set. Returns its pid, or -1 with errno. */
pid_t spawn_child(struct spawn *spawn);

/* Adds a sentence for the program's author about the error. */
void spawn_explain(struct text *text, const struct process_spec *spec, const struct spawn *spawn);

#endif
