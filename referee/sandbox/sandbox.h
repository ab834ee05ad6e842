#ifndef REFEREE_SANDBOX_SANDBOX_H
#define REFEREE_SANDBOX_SANDBOX_H

/* Keeping strangers' programs from doing harm: to the machine, to the referee, to each other.
 *
 * A level is a set of parts, each of which keeps bots from something and either works on this machine or
 * does not. What works is tried for real. One `struct sandbox` serves all bots of a process; while it is
 * there, processes that bots leave behind become ours and are killed, and other programs of our user
 * cannot look into us. */

#include "base/text.h"

#include <stdbool.h>

struct sandbox;

enum sandbox_level {
    SANDBOX_NONE,    /* a bot may do what we may do; only its session and its pipes are its own */
    SANDBOX_GUARDED, /* limits and filters around a process of this machine */
    SANDBOX_SEALED,  /* a machine of its own, as far as it can see: bubblewrap */
    SANDBOX_AUTO,    /* the best of the two that this machine has */
    SANDBOX_LEVEL_COUNT,
};

enum sandbox_part {
    SANDBOX_LIMITS,  /* rlimits: CPU time, processes, descriptors, size of files, no core dumps */
    SANDBOX_MEMORY,  /* who is larger than his limit is stopped */
    SANDBOX_SCRATCH, /* the only folder to write to; bounded, and removed afterwards */
    SANDBOX_SWEEP,   /* no process is left */
    SANDBOX_HIDDEN,  /* our memory, environment and descriptors in /proc are closed to our user */
    SANDBOX_FILTER,  /* seccomp: no sockets, no other processes, no odd corners of the kernel */
    SANDBOX_USER,    /* a user of its own for each bot */
    SANDBOX_FILES,   /* Landlock: reads its own folder and the system, writes its scratch folder */
    SANDBOX_SIGNALS, /* no signals to others */
    SANDBOX_NAMESPACES, /* bubblewrap: its own processes, files, network and users */
    SANDBOX_PART_COUNT,
};

/* One part on this machine. */
struct sandbox_fact {
    bool works;
    char why[160]; /* why it does not; or a remark on how it works; "" if there is nothing to say */
};

/* What bots may use unless they are given something else. Zero: no limit. */
struct sandbox_limits {
    long memory_mb; /* resident, all processes of a bot together */
    long scratch_mb;
    long scratch_entries;
    long file_mb;
    long processes; /* threads count */
    long files;     /* open at once */
    long cpu_s;     /* of one process */
};

extern const struct sandbox_limits sandbox_limits_default;

/* "none", "guarded", "sealed", "auto". */
const char *sandbox_level_name(enum sandbox_level level);
int sandbox_level_read(struct span word, enum sandbox_level *level);

/* A part as logs name it, and what it keeps a bot from in a few words. */
const char *sandbox_part_name(enum sandbox_part part);
const char *sandbox_part_purpose(enum sandbox_part part);

/* Whether a level is only complete with that part, on a machine where we run with these rights. */
bool sandbox_needs(enum sandbox_level level, enum sandbox_part part);

/* Tries every part for real; takes some milliseconds. */
void sandbox_probe(struct sandbox_fact facts[SANDBOX_PART_COUNT]);

/* Makes ready for a level. Returns NULL with a sentence in `problem` if it cannot be had; SANDBOX_AUTO
 * can always be had, with gaps. */
struct sandbox *sandbox_new(enum sandbox_level wanted, struct text *problem);

/* All its bots are gone. NULL is fine. */
void sandbox_free(struct sandbox *sandbox);

/* NULL is SANDBOX_NONE. Never SANDBOX_AUTO. */
enum sandbox_level sandbox_level(const struct sandbox *sandbox);
const struct sandbox_fact *sandbox_fact(const struct sandbox *sandbox, enum sandbox_part part);

/* The names of what is enforced, separated by spaces, for logs: "" at SANDBOX_NONE. Lent. */
const char *sandbox_enforced(const struct sandbox *sandbox);

/* Whether a part of a level that is better than this one, or of this one, is missing: then a line about
 * it is in `line`. */
bool sandbox_is_gap(const struct sandbox *sandbox, enum sandbox_part part, struct text *line);

/* Finds out whether a bot can be run at this level, and copies its folder if it must. `folder` as in
 * bot_spec. Returns 0, perhaps with a remark for the user in `words`; -1 with one sentence in it. */
int sandbox_admit(struct sandbox *sandbox, const char *const *argv, const char *folder,
                  struct text *words);

#endif
