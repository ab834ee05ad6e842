#ifndef REFEREE_SANDBOX_LANDLOCK_H
#define REFEREE_SANDBOX_LANDLOCK_H

/* What a contained program can reach of the file system besides its own folder and its scratch
 * folder. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The PATH of a contained program. */
#define LANDLOCK_PATH "/usr/local/bin:/usr/bin:/bin"

/* One place of the system. */
struct landlock_place {
    const char *path;
    bool is_writable; /* a device that may be written to */
    bool is_virtual;  /* made by the kernel: not bound into another root */
};

#define LANDLOCK_PLACES 31
extern const struct landlock_place landlock_places[LANDLOCK_PLACES];

/* The places of the system that exist, opened once; those below another one are left out. */
struct landlock {
    int fds[LANDLOCK_PLACES]; /* -1: not there, or not needed */
    uint64_t rights[LANDLOCK_PLACES];
};

void landlock_open(struct landlock *landlock);
void landlock_close(struct landlock *landlock);

/* Whether `path` is `folder` or lies below it. Both are absolute and have no `..` in them. */
bool landlock_is_below(const char *path, const char *folder);

/* Whether a path belongs to the system, so that every program can reach it. */
bool landlock_is_system(const char *path);

/* Keeps bots out of a folder with secrets that is in a place of the system: closes it to other
 * users if bots have users of their own. Returns 0, also if it is elsewhere; or -1 with a sentence.
 * */
int landlock_close_folder(const char *folder, struct text *problem);

/* Whether a folder holds too much else to be a program's own: /tmp, a home. */
bool landlock_is_broad(const char *folder);

/* Describes what a process may reach: `readable` (paths; NULL ends them) and `writable` (or NULL)
 * besides the system, none of them followed if it is a link. Returns a descriptor, or -1 with
 * errno; paths that do not exist are left out.
 * `abi` is from landlock_abi(). */
int landlock_describe(const struct landlock *landlock, int abi, char *const *readable,
                      const char *writable);

/* Puts the calling process under the description for ever. Needs no_new_privs. Only makes system
 * calls. Returns 0 or an errno. */
int landlock_enter(int description, int abi);

/* The version of Landlock on this machine; 0 with errno if there is none. From LANDLOCK_ABI_SCOPED
 * on it also keeps signals and abstract sockets inside. */
int landlock_abi(void);
#define LANDLOCK_ABI_NETWORK 4
#define LANDLOCK_ABI_SCOPED 6

#endif
