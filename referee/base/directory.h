#ifndef REFEREE_BASE_DIRECTORY_H
#define REFEREE_BASE_DIRECTORY_H

/* Folders: paths, creation, and a lock for one process at a time. */

#include "base/text.h"

/* FOLDER/NAME. Give it back with free(). */
char *directory_join(const char *folder, const char *name);

/* Makes a folder and its parents; existing ones are fine. Returns 0, or -1 with errno. */
int directory_make(const char *path);

/* Takes the lock of a folder, a file `lock` in it that holds our process number. Waits for some
 * seconds, because the processes of a killed one end a moment later.
 * Returns a descriptor, and the lock is held until it is closed everywhere; or -1 with a
 * sentence in `problem`. */
int directory_lock(const char *folder, struct text *problem);

#endif
