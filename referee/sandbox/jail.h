#ifndef REFEREE_SANDBOX_JAIL_H
#define REFEREE_SANDBOX_JAIL_H

/* Private to the sandbox: the place of one contained process, that is its user, its scratch folder
 * and the rules about what it can reach. */

#include "base/text.h"
#include "sandbox/sandbox.h"

#include <sys/types.h>

struct jail;
struct process_spec;

/* Prepares a jail. Returns NULL with errno if the machine has no room for it. */
struct jail *jail_open(const struct process_spec *spec);

/* What to run, and where. */
struct jail_command {
    const char *path;
    char *const *argv;
    char *const *environment;
    const char *folder; /* NULL: ours */
    int passed_fd;      /* a descriptor that becomes its number 3; -1: none */
};

/* The command that runs the program in the jail. Lent. */
struct jail_command jail_command(const struct jail *jail);

/* The folder that it may write to; NULL if we cannot see it. */
const char *jail_scratch(const struct jail *jail);

/* Puts the calling process into the jail for ever. For the child that shares our memory: it only
 * makes system calls. Returns 0 or an errno, which is not the program's fault. */
int jail_enter(const struct jail *jail);

/* Whether the first process is bubblewrap, which passes on the exit status of the program. So many
 * processes of it come before the program then. */
#define JAIL_BUBBLEWRAPS 2
bool jail_is_bubblewrap(const struct jail *jail);

/* Kills and reaps whatever is left of its processes. The first one was reaped before. */
void jail_sweep(struct jail *jail);

/* Whether the scratch folder of this process holds more than it may: then a sentence about it is in
 * `problem`. */
bool jail_is_overfull(const struct jail *jail, pid_t pid, struct text *problem);

/* Removes the scratch folder and frees everything. No process is left. NULL is fine. */
void jail_free(struct jail *jail);

#endif
