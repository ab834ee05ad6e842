#ifndef REFEREE_SANDBOX_PROGRAM_FILES_H
#define REFEREE_SANDBOX_PROGRAM_FILES_H

/* The files of a contained program: which folders it may read, where it starts, and the command
 * that runs it there. One entry serves all processes of the same program. */

#include "base/text.h"
#include "sandbox/uid_pool.h"

struct program_files {
    char **argv;     /* argv[0] is the program; files by their absolute paths */
    char *folder;    /* its current folder; NULL: its scratch folder */
    char **readable; /* its own folders and files; NULL ends them */
    gid_t group;     /* that may read the copies of them; 0 if there are none */
    char note[200];  /* what the user should know about it; "" if nothing */

    char *key;
    struct program_files *next;
};

/* The files of all programs. Begins as all zero, except `uids`. */
struct program_list {
    struct program_files *first;
    char *root; /* where copies are kept; NULL before the first */
    int root_fd;
    struct uid_pool *uids; /* NULL: programs run as our own user, and nothing is copied; lent */
    unsigned copies;
};

/* The files of a program, prepared at the first call for it. `folder` as in process_spec. Returns
 * NULL with errno and a sentence in `problem` if that fails. Lent. */
const struct program_files *program_files_find(struct program_list *programs,
                                               const char *const *argv, const char *folder,
                                               struct text *problem);

/* Frees all of them and removes the copies. */
void program_files_close(struct program_list *programs);

#endif
