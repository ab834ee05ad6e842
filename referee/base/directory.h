#ifndef REFEREE_BASE_DIRECTORY_H
#define REFEREE_BASE_DIRECTORY_H

/* Folders: paths, creation, a lock for one process at a time, and the mark of those that no bot may
 * read. */

#include "base/text.h"

#include <stdbool.h>

/* FOLDER/NAME. Give it back with free(). */
char *directory_join(const char *folder, const char *name);

/* Makes a folder and its parents; existing ones are fine. The names of those that it makes are on
 * disk. Returns 0, or -1 with errno. */
int directory_make(const char *path);

/* The same without waiting for the disk. */
int directory_make_unsynced(const char *path);

/* A file that is synced can still lose its name in a power failure: that is on disk when its folder
 * is. Syncs a folder, or the folder that a path is in: the names in it, not the files. Returns 0,
 * or -1 with errno. */
int directory_sync(const char *folder);
int directory_sync_parent(const char *path);

/* The referee's own folders, in which secrets are kept, have a mark from their first moment: every
 * store, and every folder with scratch folders and copies of bots. A bot or a build is never given
 * a marked folder or what is below it; only what a store keeps for bots in `bots/` and `builds/`,
 * and of that no more than the bot's own. */
#define DIRECTORY_MARK "referee.lock"

/* Marks a folder. Returns 0, or -1 with errno. Taking its lock marks it as well. */
int directory_mark(const char *folder);

/* Whether the folder `name` in `parent` has a mark, or a journal of ours; also if that cannot be
 * found out. */
bool directory_is_marked(int parent, const char *name);

/* Whether a path is not for bots: it is in a marked folder, or is one. It is absolute and has no
 * links in it. */
bool directory_is_private(const char *path);

/* Opens a path, of which no part and no link may lead out of `folder`. Returns a descriptor, or -1
 * with errno. */
int directory_open_beneath(int folder, const char *path, int flags);

/* Takes the lock of a folder, the file DIRECTORY_MARK in it, which holds our process number. Waits
 * for some seconds, because the processes of a killed one end a moment later.
 * Returns a descriptor, and the lock is held until it is closed everywhere; or -1 with a
 * sentence in `problem`. */
int directory_lock(const char *folder, struct text *problem);

/* Takes the lock of an open file in the same way. Returns 0; or -1 with errno, which is EWOULDBLOCK
 * if somebody else has it: DIRECTORY_IN_USE is what to say then. */
#define DIRECTORY_IN_USE "somebody else is playing in this store"
int directory_lock_file(int fd);

#endif
