#ifndef REFEREE_SANDBOX_REAPER_H
#define REFEREE_SANDBOX_REAPER_H

/* Nothing of a bot is left when it is over: neither what left its process group, nor what lost its
 * parent. */

#include <stdbool.h>
#include <sys/types.h>

/* Makes processes that lose their parent ours, from now on. Returns 0, or -1 with errno. */
int reaper_start(void);

/* Whether that works here, tried for real. */
bool reaper_is_possible(void);

/* A process that somebody else waits for: it is not to be swept. */
void reaper_except(pid_t pid);
void reaper_forget(pid_t pid);

/* Kills every process of a user who is only lent, at one blow. Root only. */
void reaper_kill_user(uid_t uid);

/* Kills and reaps all who were started by bots and have become our children: whoever is in another
 * session than ours and is not enlisted. If there are any, first all of `user` (0: of nobody), whose bot has
 * ended. Returns how many there were. Such a process is never part of a game: a bot that leaves its
 * children behind loses them. */
unsigned reaper_kill_orphans(uid_t user);

#endif
