#ifndef REFEREE_BOT_LEASE_H
#define REFEREE_BOT_LEASE_H

/* Numbers of users who do not exist, one for each running bot: what a bot owns, which processes are its
 * own and how many it may have all hang on the user's number. Only root can lend them. */

#include <stdint.h>
#include <sys/types.h>

/* The numbers that are lent unless REFEREE_UIDS=FIRST-LAST says otherwise: free of what Debian, systemd
 * and container tools give away by themselves. */
#define LEASE_FIRST 70000
#define LEASE_LAST 74095
#define LEASES_MAX 4096

enum lease_state {
    LEASE_UNKNOWN, /* others may have it */
    LEASE_IDLE,    /* ours to lend */
    LEASE_TAKEN,
};

struct lease_pool {
    int fd; /* the file whose bytes are locked, one for each number; -1 before it is opened */
    uid_t first;
    unsigned count;
    uint8_t states[LEASES_MAX];
};

/* Returns 0, or -1 with errno. Give it back with lease_close() in both cases. */
int lease_open(struct lease_pool *pool);
void lease_close(struct lease_pool *pool);

/* A number that no other referee on this machine has lent, and that no process has; 0 with errno if
 * there is none. */
uid_t lease_take(struct lease_pool *pool);

/* Nothing may run under that number any more. It stays ours. */
void lease_give(struct lease_pool *pool, uid_t uid);

#endif
