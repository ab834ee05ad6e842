#ifndef REFEREE_SANDBOX_LANDLOCK_H
#define REFEREE_SANDBOX_LANDLOCK_H

/* What of the file system a contained bot reaches besides its own folder and its scratch folder. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a contained bot's programs are looked up. */
#define LANDLOCK_PATH "/usr/local/bin:/usr/bin:/bin"

/* One place of the system. */
struct landlock_place {
    const char *path;
    bool is_writable; /* a device that may be written to */
    bool is_virtual;  /* made by the kernel: not to be bound into another root */
};

#define LANDLOCK_PLACES 21
extern const struct landlock_place landlock_places[LANDLOCK_PLACES];

/* The places of the system that are there, opened once: those below another one are left out. */
struct landlock {
    int fds[LANDLOCK_PLACES]; /* -1: not there, or not needed */
    uint64_t rights[LANDLOCK_PLACES];
};

void landlock_open(struct landlock *landlock);
void landlock_close(struct landlock *landlock);

/* Whether `path` is `folder` or lies below it. Both are absolute and have no `..` in them. */
bool landlock_is_below(const char *path, const char *folder);

/* Whether a path belongs to the system, so that every bot reaches it. */
bool landlock_is_system(const char *path);

/* Whether a folder holds so much that is not a bot's that it cannot be its own: /tmp, a home. */
bool landlock_is_broad(const char *folder);

/* Describes what a process is to reach: `readable` (paths; NULL ends them) and `writable` (or NULL)
 * besides the system. Returns a descriptor, or -1 with
 * errno; what is not there is left out. `abi` is what landlock_abi() says. */
int landlock_describe(const struct landlock *landlock, int abi, char *const *readable,
                      const char *writable);

/* Puts the calling process under the description for ever. Needs no_new_privs. Only makes system
 * calls. Returns 0 or an errno. */
int landlock_enter(int description, int abi);

/* Which version of Landlock this machine has; 0 with errno if none. From LANDLOCK_ABI_SCOPED on signals
 * and abstract sockets stay inside too. */
int landlock_abi(void);
#define LANDLOCK_ABI_NETWORK 4
#define LANDLOCK_ABI_SCOPED 6

#endif
