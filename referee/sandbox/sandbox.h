#ifndef REFEREE_SANDBOX_SANDBOX_H
#define REFEREE_SANDBOX_SANDBOX_H

/* Keeps strangers' programs from doing harm: to the machine, to the referee, to each other.
 *
 * A level is a set of parts, each of which prevents something and either works on this machine or
 * does not, which is tried for real. One `struct sandbox` serves all programs that a process runs;
 * while it exists, processes that they leave behind become ours and are killed, and other programs
 * of our user cannot look into us. */

#include "base/text.h"

#include <stdbool.h>

struct sandbox;
struct process_spec;

enum sandbox_level {
    SANDBOX_NONE,    /* it may do what we may do; only its session and its pipes are its own */
    SANDBOX_GUARDED, /* limits and filters around a process of this machine */
    SANDBOX_SEALED,  /* a machine of its own, as far as it can see: bubblewrap */
    SANDBOX_AUTO,    /* the best that works on this machine */
    SANDBOX_LEVEL_COUNT,
};

enum sandbox_part {
    SANDBOX_LIMITS,  /* rlimits: CPU time, processes, descriptors, size of files, no core dumps */
    SANDBOX_MEMORY,  /* a bot above its limit is killed */
    SANDBOX_SCRATCH, /* the only folder to write to; bounded, and removed afterwards */
    SANDBOX_SWEEP,   /* no process is left */
    SANDBOX_HIDDEN,  /* our memory, environment and descriptors in /proc are closed to our user */
    SANDBOX_FILTER,  /* seccomp: no sockets, no other processes, no odd corners of the kernel */
    SANDBOX_USER,    /* each bot has a user of its own */
    SANDBOX_FILES,   /* Landlock: reads its own folder and the system, writes its scratch folder */
    SANDBOX_SIGNALS, /* no signals to others */
    SANDBOX_NAMESPACES, /* bubblewrap: its own processes, files, network and users */
    SANDBOX_GROUPS,     /* control groups: complete books of its time, freezing, counted memory */
    SANDBOX_PART_COUNT,
};

/* One part on this machine. */
struct sandbox_fact {
    bool works;
    char why[160]; /* why it does not work; or a remark on how it does; or "" */
};

/* What a bot may use by default. Zero: no limit. */
struct sandbox_limits {
    long memory_mb; /* resident, of all its processes together */
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

/* The name of a part in logs, and what it prevents. */
const char *sandbox_part_name(enum sandbox_part part);
const char *sandbox_part_purpose(enum sandbox_part part);

/* Whether a level is only complete with that part, for a user with our rights. */
bool sandbox_needs(enum sandbox_level level, enum sandbox_part part);

/* Tries every part for real; takes some milliseconds. */
void sandbox_probe(struct sandbox_fact facts[SANDBOX_PART_COUNT]);

/* Removes what referees of our user that were killed have left behind: scratch folders, copies of
 * programs, control groups. None of their processes may be left. */
void sandbox_sweep(void);

/* Prepares a level. Returns NULL with a sentence in `problem` if it is not available. SANDBOX_AUTO
 * takes what works, with gaps. */
struct sandbox *sandbox_new(enum sandbox_level wanted, struct text *problem);

/* None of its processes may be left. NULL is fine. */
void sandbox_free(struct sandbox *sandbox);

/* NULL is SANDBOX_NONE. Never SANDBOX_AUTO. */
enum sandbox_level sandbox_level(const struct sandbox *sandbox);
const struct sandbox_fact *sandbox_fact(const struct sandbox *sandbox, enum sandbox_part part);

/* The names of what is enforced, separated by spaces, for logs: "" at SANDBOX_NONE. Lent. */
const char *sandbox_enforced(const struct sandbox *sandbox);

/* Whether such names are those of a level: of its parts, in their order; of SANDBOX_NONE none. No
 * sandbox is without a scratch folder, and SANDBOX_SEALED is complete, whoever runs it. */
bool sandbox_is_enforced_of(enum sandbox_level level, const char *enforced);

/* Whether a part is among such names. */
bool sandbox_lists(const char *enforced, enum sandbox_part part);

/* Whether a part of this level, or of a better one, is missing: then a line about it is in
 * `line`. */
bool sandbox_is_gap(const struct sandbox *sandbox, enum sandbox_part part, struct text *line);

/* Finds out whether a program can be run at this level, and copies its files, which stay as they
 * are for all its processes. Returns 0, perhaps with a remark for the user in `message`; or -1 with
 * a sentence. */
int sandbox_admit(struct sandbox *sandbox, const struct process_spec *spec, struct text *message);

/* Programs that were admitted to `from` run with the same files here. It is lent; NULL: nothing. */
void sandbox_lend_programs(struct sandbox *sandbox, const struct sandbox *from);

#endif
