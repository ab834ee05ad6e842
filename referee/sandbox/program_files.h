#ifndef REFEREE_SANDBOX_PROGRAM_FILES_H
#define REFEREE_SANDBOX_PROGRAM_FILES_H

/* Where a contained bot lives: which folders are its own to read, where it starts, and by which words it
 * is run there. One program files serves all processes of the same bot. */

#include "base/text.h"
#include "sandbox/uid_pool.h"

struct program_files {
    char **argv;     /* argv[0] is the program; files by their absolute paths */
    char *folder;    /* its current folder; NULL: its scratch folder */
    char **readable; /* its own folders and files; NULL ends them */
    gid_t group;     /* who may read the copies of them; 0 if there are none */
    char note[200];  /* what the user should know about it; "" if nothing */

    char *key;
    struct program_files *next;
};

/* All program files. Plain; begins as all zero but for what is named. */
struct program_list {
    struct program_files *first;
    char *root; /* where copies are kept; NULL before the first */
    int root_fd;
    struct uid_pool *uids; /* NULL: bots run as our own user, and nothing is copied; lent */
    unsigned copies;
};

/* The program files of a bot, made at the first call for it. `folder` as in process_spec. Returns NULL with
 * errno and a sentence in `problem` if it cannot be made. Lent. */
const struct program_files *program_files_find(struct program_list *house, const char *const *argv,
                                               const char *folder, struct text *problem);

/* Gives back all of them and removes the copies. */
void program_files_close(struct program_list *house);

#endif
