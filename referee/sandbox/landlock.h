#ifndef REFEREE_BOT_REACH_H
#define REFEREE_BOT_REACH_H

/* What of the file system a contained bot reaches besides its own folder and its scratch folder. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a contained bot's programs are looked up. */
#define REACH_PATH "/usr/local/bin:/usr/bin:/bin"

/* One place of the system. */
struct reach_place {
    const char *path;
    bool is_writable; /* a device that may be written to */
    bool is_virtual;  /* made by the kernel: not to be bound into another root */
};

#define REACH_PLACES 21
extern const struct reach_place reach_places[REACH_PLACES];

/* The places of the system that are there, opened once: those below another one are left out. */
struct reach {
    int fds[REACH_PLACES]; /* -1: not there, or not needed */
    uint64_t rights[REACH_PLACES];
};

void reach_open(struct reach *reach);
void reach_close(struct reach *reach);

/* Whether `path` is `folder` or lies below it. Both are absolute and have no `..` in them. */
bool reach_is_below(const char *path, const char *folder);

/* Whether a path belongs to the system, so that every bot reaches it. */
bool reach_is_system(const char *path);

/* Whether a folder holds so much that is not a bot's that it cannot be its own: /tmp, a home. */
bool reach_is_broad(const char *folder);

/* Describes what a process is to reach: `readable` (paths; NULL ends them) and `writable` (or NULL)
 * besides the system. Returns a descriptor, or -1 with
 * errno; what is not there is left out. `abi` is what reach_abi() says. */
int reach_describe(const struct reach *reach, int abi, char *const *readable, const char *writable);

/* Puts the calling process under the description for ever. Needs no_new_privs. Only makes system
 * calls. Returns 0 or an errno. */
int reach_enter(int description, int abi);

/* Which version of Landlock this machine has; 0 with errno if none. From REACH_ABI_SCOPED on signals
 * and abstract sockets stay inside too. */
int reach_abi(void);
#define REACH_ABI_NETWORK 4
#define REACH_ABI_SCOPED 6

#endif
