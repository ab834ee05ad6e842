#ifndef REFEREE_BASE_DIRECTORY_TREE_H
#define REFEREE_BASE_DIRECTORY_TREE_H

/* Trees of files that strangers may have filled: no link in them is followed, nothing but regular
 * files is read, and there is an end to how much. Folders that belong to the referee
 * (directory_is_marked()) are left out as if they were not there. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How much a tree may hold to be copied or hashed: the lengths of its files, holes included, and
 * how many files, folders and links. */
#define DIRECTORY_TREE_BYTES_MAX ((int64_t)1 << 30)
#define DIRECTORY_TREE_ENTRIES_MAX 50000
#define DIRECTORY_TREE_DEPTH_MAX 64

/* Counts one more entry, or one more file of that length. Returns 0, or -1 with EFBIG if that is
 * too much. Begins as all zero. */
struct directory_tree_size {
    int64_t bytes;
    unsigned entries;
};
int directory_tree_count(struct directory_tree_size *size, int64_t bytes);

/* Copies a folder with all that is in it, or one file: files, folders and symbolic links, with
 * their modes; anything else is left out, and so is what we may not read. Holes in files stay
 * holes. What was at `to` before is removed. Returns 0, or -1 with errno: EFBIG if it is too much
 * or the lengths of its files are above `most_bytes`, ELOOP if `from` is a link itself. */
int directory_tree_copy(const char *from, const char *to, int64_t most_bytes);

/* The same for the members of a group to read and run, not to change; 0: for our own user. A file
 * of another owner than the tree's is left out unless all users may read it, because it may have
 * been linked there. */
int directory_tree_copy_for(const char *from, const char *to, gid_t group);

/* Whether a tree is small enough to be copied or hashed. */
bool directory_tree_fits(const char *path);

/* What a tree uses on the disk, in bytes, at least a block per file and folder, because there are
 * only so many of these, too; 0 if there is none. Not bounded: only for our own. */
int64_t directory_tree_disk(const char *path);

/* Whether there is a marked folder in a tree, or more in it than can be looked through. */
bool directory_tree_holds_mark(const char *path);

/* Removes a folder with all that is in it; fine if there is none. Returns 0, or -1 with errno. */
int directory_tree_remove(const char *path);

#endif
