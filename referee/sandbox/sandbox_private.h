#ifndef REFEREE_BOT_CONTAIN_PRIVATE_H
#define REFEREE_BOT_CONTAIN_PRIVATE_H

/* What the files of containment share: contain.c the levels, contain_try.c the trials, cell.c the
 * place of one bot, bubble.c its words for bubblewrap. */

#include "bot/contain.h"
#include "bot/filter.h"
#include "bot/lease.h"
#include "bot/lodging.h"
#include "bot/reach.h"

#include <sys/resource.h>

#define CONTAIN_RLIMITS_MAX 12

struct contain_rlimit {
    int resource;
    struct rlimit limit;
};

struct contain {
    enum contain_level level;
    struct contain_fact facts[CONTAIN_PART_COUNT];
    struct contain_limits limits;
    struct contain_rlimit rlimits[CONTAIN_RLIMITS_MAX];
    unsigned rlimit_count;
    struct filter filter;
    struct lease_pool leases;
    struct lodging_house house;
    char *root; /* where scratch folders and copies are */
    int root_fd;
    int abi; /* of Landlock; 0: none */
    struct reach reach;
    char *bubble; /* the path of bubblewrap; NULL if it is not there */
    unsigned long cells;
    bool was_dumpable;
    char enforced[200];
};

/* Whether this part is used: it works, and belongs to the level. */
bool contain_uses(const struct contain *contain, enum contain_part part);

/* Opens what the parts need, as far as it is there; no part is said to work yet. */
void contain_open(struct contain *contain);
void contain_close(struct contain *contain);

/* Fills in the facts of one that is open. */
void contain_try_all(struct contain *contain);

/* The command line that runs `argv` in a bubble: a list to free with its strings by bubble_free(). The
 * filter is to be readable at descriptor BUBBLE_FILTER_FD. */
#define BUBBLE_FILTER_FD 3
#define BUBBLE_SCRATCH "/tmp"
char **bubble_words(const struct contain *contain, const struct lodging *lodging);
void bubble_free(char **words);

#endif
