#ifndef REFEREE_BASE_DIRECTORY_TREE_H
#define REFEREE_BASE_DIRECTORY_TREE_H

#include <stdint.h>

/* Copies a folder with all that is in it: files, folders and symbolic links, with their modes;
 * anything else is left out. Holes of files stay holes. What was at `to` before is removed. Returns
 * 0, or -1 with errno. */
int directory_tree_copy(const char *from, const char *to);

/* Removes a folder with all that is in it; fine if there is none. Returns 0, or -1 with errno. */
int directory_tree_remove(const char *path);

/* How many bytes all files in a folder have together, holes included, and a file as often as it has
 * names. INT64_MAX if that cannot be found out. */
int64_t directory_tree_bytes(const char *path);

#endif
