#ifndef REFEREE_BOT_CONTAIN_H
#define REFEREE_BOT_CONTAIN_H

/* Keeping strangers' programs from doing harm: to the machine, to the referee, to each other.
 *
 * A level is a set of parts, each of which keeps bots from something and either works on this machine or
 * does not. What works is tried for real. One `struct contain` serves all bots of a process; while it is
 * there, processes that bots leave behind become ours and are killed, and other programs of our user
 * cannot look into us. */

#include "base/text.h"

#include <stdbool.h>

struct contain;

enum contain_level {
    CONTAIN_NONE,    /* a bot may do what we may do; only its session and its pipes are its own */
    CONTAIN_GUARDED, /* limits and filters around a process of this machine */
    CONTAIN_SEALED,  /* a machine of its own, as far as it can see: bubblewrap */
    CONTAIN_AUTO,    /* the best of the two that this machine has */
    CONTAIN_LEVEL_COUNT,
};

enum contain_part {
    CONTAIN_LIMITS,  /* rlimits: CPU time, processes, descriptors, size of files, no core dumps */
    CONTAIN_MEMORY,  /* who is larger than his limit is stopped */
    CONTAIN_SCRATCH, /* the only folder to write to; bounded, and removed afterwards */
    CONTAIN_SWEEP,   /* no process is left */
    CONTAIN_HIDDEN,  /* our memory, environment and descriptors in /proc are closed to our user */
    CONTAIN_FILTER,  /* seccomp: no sockets, no other processes, no odd corners of the kernel */
    CONTAIN_USER,    /* a user of its own for each bot */
    CONTAIN_FILES,   /* Landlock: reads its own folder and the system, writes its scratch folder */
    CONTAIN_SIGNALS, /* no signals to others */
    CONTAIN_NAMESPACES, /* bubblewrap: its own processes, files, network and users */
    CONTAIN_PART_COUNT,
};

/* One part on this machine. */
struct contain_fact {
    bool works;
    char why[160]; /* why it does not; or a remark on how it works; "" if there is nothing to say */
};

/* What bots may use unless they are given something else. Zero: no limit. */
struct contain_limits {
    long memory_mb; /* resident, all processes of a bot together */
    long scratch_mb;
    long scratch_entries;
    long file_mb;
    long processes; /* threads count */
    long files;     /* open at once */
    long cpu_s;     /* of one process */
};

extern const struct contain_limits contain_limits_default;

/* "none", "guarded", "sealed", "auto". */
const char *contain_level_name(enum contain_level level);
int contain_level_read(struct span word, enum contain_level *level);

/* A part as logs name it, and what it keeps a bot from in a few words. */
const char *contain_part_name(enum contain_part part);
const char *contain_part_purpose(enum contain_part part);

/* Whether a level is only complete with that part, on a machine where we run with these rights. */
bool contain_needs(enum contain_level level, enum contain_part part);

/* Tries every part for real; takes some milliseconds. */
void contain_try(struct contain_fact facts[CONTAIN_PART_COUNT]);

/* Makes ready for a level. Returns NULL with a sentence in `problem` if it cannot be had; CONTAIN_AUTO
 * can always be had, with gaps. */
struct contain *contain_new(enum contain_level wanted, struct text *problem);

/* All its bots are gone. NULL is fine. */
void contain_free(struct contain *contain);

/* NULL is CONTAIN_NONE. Never CONTAIN_AUTO. */
enum contain_level contain_level(const struct contain *contain);
const struct contain_fact *contain_fact(const struct contain *contain, enum contain_part part);

/* The names of what is enforced, separated by spaces, for logs: "" at CONTAIN_NONE. Lent. */
const char *contain_enforced(const struct contain *contain);

/* Whether a part of a level that is better than this one, or of this one, is missing: then a line about
 * it is in `line`. */
bool contain_is_gap(const struct contain *contain, enum contain_part part, struct text *line);

/* Finds out whether a bot can be run at this level, and copies its folder if it must. `folder` as in
 * bot_spec. Returns 0, perhaps with a remark for the user in `words`; -1 with one sentence in it. */
int contain_admit(struct contain *contain, const char *const *argv, const char *folder,
                  struct text *words);

#endif
