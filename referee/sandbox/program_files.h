#ifndef REFEREE_SANDBOX_PROGRAM_FILES_H
#define REFEREE_SANDBOX_PROGRAM_FILES_H

/* The files of a contained program: what it may read, where it starts, and the command that runs it
 * there. One entry serves all processes of the same program. */

#include "base/text.h"
#include "sandbox/program_copy.h"

struct process_spec;

struct program_files {
    char **argv;     /* argv[0] is the program; files by their absolute paths */
    char *folder;    /* its current folder; NULL: its scratch folder */
    char **readable; /* copies of its own files, and its interpreter; NULL ends them */
    gid_t *groups;   /* that may read the copies */
    size_t group_count;
    char note[200]; /* what the user should know about it; "" if nothing */

    char *key;
    struct program_files *next;
};

/* The files of all programs. Begins as all zero, except `copies.uids`. */
struct program_list {
    struct program_files *first;
    struct program_copies copies;
    const struct program_list *lent; /* where programs are looked up first; NULL: nowhere */
};

/* The files of a program, prepared at the first call for it. Returns NULL with errno and a sentence
 * in `problem` if that fails. Lent. */
const struct program_files *program_files_find(struct program_list *programs,
                                               const struct process_spec *spec,
                                               struct text *problem);

/* Frees all of them and removes the copies. */
void program_files_close(struct program_list *programs);

#endif
