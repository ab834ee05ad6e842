#ifndef REFEREE_SANDBOX_SPAWN_PRIVATE_H
#define REFEREE_SANDBOX_SPAWN_PRIVATE_H

/* What spawn.c and spawn_child.c share. */

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#define SPAWN_STREAMS 3

struct jail;

/* What the child has to know, made ready before it exists. */
struct spawn_plan {
    const char *path;
    char *const *argv;
    char *const *environment;
    char **own_environment;  /* the same, if it is ours to free */
    const char *folder;      /* or NULL */
    const struct jail *jail; /* or NULL */
    int fds[SPAWN_STREAMS];  /* to become its 0, 1 and 2 */
    int passed_fd;           /* to become its 3; -1: none */
    pid_t parent;
    rlim_t data_bytes; /* RLIM_INFINITY: no limit */
    int cpu;
    volatile int error;
    volatile bool is_folder_wrong;
    volatile bool is_jail_wrong;
};

/* Makes a child that becomes the program, and returns when it has, or when it could not: then `error` is
 * set. Returns its pid, or -1 with errno. */
pid_t spawn_child(struct spawn_plan *plan);

#endif
