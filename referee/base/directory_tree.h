#ifndef REFEREE_BASE_DIRECTORY_TREE_H
#define REFEREE_BASE_DIRECTORY_TREE_H

/* Copies a folder with all that is in it: files, folders and symbolic links, with their modes;
 * anything else is left out. What was at `to` before is removed. Returns 0, or -1 with errno. */
int directory_tree_copy(const char *from, const char *to);

/* Removes a folder with all that is in it; fine if there is none. Returns 0, or -1 with errno. */
int directory_tree_remove(const char *path);

#endif
