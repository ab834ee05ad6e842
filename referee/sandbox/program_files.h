#ifndef REFEREE_BOT_LODGING_H
#define REFEREE_BOT_LODGING_H

/* Where a contained bot lives: which folders are its own to read, where it starts, and by which words it
 * is run there. One lodging serves all processes of the same bot. */

#include "base/text.h"
#include "bot/lease.h"

struct lodging {
    char **argv;     /* argv[0] is the program; files by their absolute paths */
    char *folder;    /* its current folder; NULL: its scratch folder */
    char **readable; /* its own folders and files; NULL ends them */
    gid_t group;     /* who may read the copies of them; 0 if there are none */
    char note[200];  /* what the user should know about it; "" if nothing */

    char *key;
    struct lodging *next;
};

/* All lodgings. Plain; begins as all zero but for what is named. */
struct lodging_house {
    struct lodging *first;
    char *root; /* where copies are kept; NULL before the first */
    int root_fd;
    struct lease_pool *leases; /* NULL: bots run as our own user, and nothing is copied; lent */
    unsigned copies;
};

/* The lodging of a bot, made at the first call for it. `folder` as in spawn_order. Returns NULL with
 * errno and a sentence in `problem` if it cannot be made. Lent. */
const struct lodging *lodging_find(struct lodging_house *house, const char *const *argv,
                                   const char *folder, struct text *problem);

/* Gives back all of them and removes the copies. */
void lodging_close(struct lodging_house *house);

#endif
