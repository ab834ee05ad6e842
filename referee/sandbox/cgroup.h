#ifndef REFEREE_SANDBOX_CGROUP_H
#define REFEREE_SANDBOX_CGROUP_H

/* Control groups: one for each bot, with everything that it starts. The kernel keeps books about a
 * group (CPU time, waiting), can freeze and kill it as a whole, and can limit its memory and its
 * processes. No process can leave its group.
 *
 * What there is depends on the machine: groups of version 2 need a folder that we may write to,
 * limits need controllers in them, or groups of version 1 beside them. What is missing is left out,
 * and nothing here fails because of it. */

#include <stdbool.h>
#include <stdint.h>

struct cgroup;

/* The hierarchies in which each bot has a group. */
enum cgroup_kind {
    CGROUP_UNIFIED, /* version 2: books, freezing, killing; and limits, where it has controllers */
    CGROUP_MEMORY,  /* version 1 */
    CGROUP_CPU,     /* version 1; only where sessions do not share the CPU equally anyway */
    CGROUP_KINDS,
};

/* Our own part of the hierarchies. Begins as all zero. */
struct cgroup_tree {
    char *folders[CGROUP_KINDS]; /* of ours, with the groups of all bots; NULL: there is none */
    int fds[CGROUP_KINDS];       /* the same folders; locked, so that others know that we live */
    bool has_waits;              /* the kernel keeps books about waiting */
    bool limits_memory;
    bool limits_processes;
    bool weighs_cpu;     /* bots have equal shares of the CPU, however many processes they have */
    struct cgroup *idle; /* groups that wait for the next bot */
    unsigned made;       /* so far */
};

/* Makes our part, as far as possible, and removes those of referees that were killed. */
void cgroup_tree_open(struct cgroup_tree *tree);
void cgroup_tree_close(struct cgroup_tree *tree);

/* Removes the groups of referees that were killed, and kills what is in them. */
void cgroup_tree_sweep(void);

/* An empty group with these limits (0: no limit). NULL if there are no groups. */
struct cgroup *cgroup_take(struct cgroup_tree *tree, long memory_mb, long processes);

/* All of its processes were killed and reaped, or are to stay alive. NULL is fine. */
void cgroup_give_back(struct cgroup_tree *tree, struct cgroup *group);

/* Removes the groups that wait for the next bot. */
void cgroup_forget_idle(struct cgroup_tree *tree);

/* Whether a child can be born in a group; else it joins that one like the others. That takes a
 * system call without a function around it, which AddressSanitizer does not see through. */
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_ADDRESS__)
#define CGROUP_IS_BIRTH_POSSIBLE 1
#else
#define CGROUP_IS_BIRTH_POSSIBLE 0
#endif

/* Descriptors with which a child enters a group; -1: none. Close them with cgroup_close_door(). */
struct cgroup_door {
    int unified_fd;             /* to be born there */
    int join_fds[CGROUP_KINDS]; /* to write "0" to */
};
#define CGROUP_DOOR_NONE ((struct cgroup_door){-1, {-1, -1, -1}})

/* Returns 0, or -1 with errno. */
int cgroup_open_door(const struct cgroup_tree *tree, const struct cgroup *group,
                     struct cgroup_door *door);
void cgroup_close_door(struct cgroup_door *door);

/* What a group has used since it was made: the CPU time of all threads and processes, those that
 * have ended too, which is quick to read; and the time in which something of it was ready to run
 * and nothing of it ran. Both return false if there are no such books. */
bool cgroup_read_cpu(const struct cgroup *group, int64_t *cpu_us);
bool cgroup_read_wait(const struct cgroup_tree *tree, const struct cgroup *group, int64_t *wait_us);

/* Stops everything in the group where it is, or lets it continue. A frozen process can be killed.
 * Returns 0, or -1. */
int cgroup_freeze(const struct cgroup_tree *tree, const struct cgroup *group, bool is_frozen);

/* Kills what is left in the group, if anything is; what is just being started too. */
void cgroup_kill(const struct cgroup_tree *tree, struct cgroup *group);

/* Whether the kernel has killed something in the group for want of memory since it was taken. */
bool cgroup_has_burst(const struct cgroup_tree *tree, const struct cgroup *group);

#endif
