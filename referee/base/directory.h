#ifndef REFEREE_TOURNAMENT_FOLDER_H
#define REFEREE_TOURNAMENT_FOLDER_H

/* Folders that one process at a time works in. */

#include "base/text.h"

/* FOLDER/NAME. Give it back with free(). */
char *folder_join(const char *folder, const char *name);

/* Makes a folder and all that it lies in; fine if it is there. Returns 0, or -1 with errno. */
int folder_make(const char *path);

/* Takes the lock of a folder, a file `lock` in it that holds our process number. Waits for some seconds,
 * because who was killed takes his processes with him, but not in the same moment. Returns a descriptor,
 * and the lock is held until it is closed everywhere; or -1 with a sentence in `problem`. */
int folder_lock(const char *folder, struct text *problem);

#endif
