#ifndef REFEREE_SANDBOX_REAPER_H
#define REFEREE_SANDBOX_REAPER_H

/* No process of a bot is left when it has ended: neither one that left its process group, nor one
 * that lost its parent. */

#include <stdbool.h>
#include <sys/types.h>

/* Makes processes that lose their parent ours, from now on. Returns 0, or -1 with errno. */
int reaper_start(void);

/* Whether that works here, tried for real. */
bool reaper_is_possible(void);

/* The first process of a session, which is reaped by its owner, is not an orphan. */
void reaper_except(pid_t pid);
void reaper_forget(pid_t pid);

/* Kills every process of a user from the pool at once. Root only. */
void reaper_kill_user(uid_t uid);

/* Kills and reaps all processes that have become our children because their parent has ended: those
 * in another session than ours, except the first ones. If there are any, first all of `user` (0: of
 * none), whose bot has ended. Returns how many there were. Such a process is never part of a game:
 * a bot that leaves its children behind loses them. */
unsigned reaper_kill_orphans(uid_t user);

#endif
