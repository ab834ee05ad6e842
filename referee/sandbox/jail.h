#ifndef REFEREE_SANDBOX_JAIL_H
#define REFEREE_SANDBOX_JAIL_H

/* The place of one contained process of a bot: its user, its scratch folder, the rules about what it
 * reaches. */

#include "base/text.h"
#include "sandbox/sandbox.h"

#include <stdint.h>
#include <sys/types.h>

struct jail;
struct spawn_order;

/* Makes a cell ready. NULL with errno if the world has no room for it. */
struct jail *jail_open(const struct spawn_order *order);

/* What is to be run in it. Lent. */
const char *jail_program(const struct jail *jail);
char *const *jail_argv(const struct jail *jail);
char *const *jail_environment(const struct jail *jail);
const char *jail_folder(const struct jail *jail);

/* The folder that it may write to; NULL in a bubble. */
const char *jail_scratch(const struct jail *jail);

/* A descriptor that the program is to find as number 3; -1 if none. */
int jail_passed_fd(const struct jail *jail);

/* Puts the calling process into the cell for ever. For the child that shares our memory: it only makes
 * system calls. Returns 0 or an errno, which is the world's fault. */
int jail_enter(const struct jail *jail);

/* Whether the first process is not the bot itself but one that passes its exit status on. */
bool jail_is_bubblewrap(const struct jail *jail);

/* Kills and reaps whatever is left of its processes. The first one has ended and is reaped. */
void jail_sweep(struct jail *jail);

/* How much it may use, and whether it has used more: then a sentence about it is in `words`. */
bool jail_is_overfull(const struct jail *jail, struct text *words);

/* Removes the scratch folder and gives everything back. No process is left. NULL is fine. */
void jail_free(struct jail *jail);

#endif
