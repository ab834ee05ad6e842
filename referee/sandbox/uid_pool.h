#ifndef REFEREE_SANDBOX_UID_POOL_H
#define REFEREE_SANDBOX_UID_POOL_H

/* Numbers of users that do not exist, one for each running bot: what a bot owns, which processes
 * are its own and how many it may have all depend on the user's number. Only root can use them. */

#include <stdint.h>
#include <sys/types.h>

/* The numbers in use unless REFEREE_UIDS=FIRST-LAST says otherwise: Debian, systemd and container
 * tools do not use them by themselves. */
#define UID_POOL_FIRST 70000
#define UID_POOL_LAST 74095
#define UID_POOL_MAX 4096

enum uid_state {
    UID_POOL_UNKNOWN, /* another referee may have it */
    UID_POOL_IDLE,    /* ours and free */
    UID_POOL_TAKEN,
};

struct uid_pool {
    int fd; /* the file whose bytes are locked, one for each number; -1 before it is opened */
    uid_t first;
    unsigned count;
    uint8_t states[UID_POOL_MAX];
};

/* Returns 0, or -1 with errno. Close it with uid_pool_close() in both cases. */
int uid_pool_open(struct uid_pool *pool);
void uid_pool_close(struct uid_pool *pool);

/* A number that no other referee on this machine uses, and no process has; 0 with errno if there is
 * none. */
uid_t uid_pool_take(struct uid_pool *pool);

/* No process may have that number any more. It stays ours. */
void uid_pool_give_back(struct uid_pool *pool, uid_t uid);

#endif
