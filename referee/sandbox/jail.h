#ifndef REFEREE_BOT_CELL_H
#define REFEREE_BOT_CELL_H

/* The place of one contained process of a bot: its user, its scratch folder, the rules about what it
 * reaches. */

#include "base/text.h"
#include "bot/contain.h"

#include <stdint.h>
#include <sys/types.h>

struct cell;
struct spawn_order;

/* Makes a cell ready. NULL with errno if the world has no room for it. */
struct cell *cell_open(const struct spawn_order *order);

/* What is to be run in it. Lent. */
const char *cell_program(const struct cell *cell);
char *const *cell_argv(const struct cell *cell);
char *const *cell_environment(const struct cell *cell);
const char *cell_folder(const struct cell *cell);

/* The folder that it may write to; NULL in a bubble. */
const char *cell_scratch(const struct cell *cell);

/* A descriptor that the program is to find as number 3; -1 if none. */
int cell_passed_fd(const struct cell *cell);

/* Puts the calling process into the cell for ever. For the child that shares our memory: it only makes
 * system calls. Returns 0 or an errno, which is the world's fault. */
int cell_enter(const struct cell *cell);

/* Whether the first process is not the bot itself but one that passes its exit status on. */
bool cell_is_bubble(const struct cell *cell);

/* Kills and reaps whatever is left of its processes. The first one has ended and is reaped. */
void cell_sweep(struct cell *cell);

/* How much it may use, and whether it has used more: then a sentence about it is in `words`. */
bool cell_is_overfull(const struct cell *cell, struct text *words);

/* Removes the scratch folder and gives everything back. No process is left. NULL is fine. */
void cell_free(struct cell *cell);

#endif
