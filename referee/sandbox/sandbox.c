/* Levels are rows of parts. An explicit level is had complete or not at all; `auto` is sealed if that is
 * complete, and else guarded with whatever works. Nothing is enforced by this file: it decides what a cell
 * will be made of, and prepares once what all cells share. */

#include "bot/contain.h"

#include "base/memory.h"
#include "bot/contain_private.h"
#include "bot/reach.h"
#include "bot/scratch.h"
#include "bot/spawn.h"
#include "bot/sweep.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What others of the same user may have running besides all bots, where the kernel counts by user. */
#define SPARE_PROCESSES 2048

const struct contain_limits contain_limits_default = {
    .memory_mb = 1024,
    .scratch_mb = 64,
    .scratch_entries = 10000,
    .file_mb = 64,
    .processes = 128,
    .files = 256,
    .cpu_s = 86400,
};

static const char *const level_names[CONTAIN_LEVEL_COUNT] = {
    [CONTAIN_NONE] = "none",
    [CONTAIN_GUARDED] = "guarded",
    [CONTAIN_SEALED] = "sealed",
    [CONTAIN_AUTO] = "auto",
};

static const struct {
    const char *name;
    const char *purpose;
    bool is_in_guarded;
    bool is_in_sealed;
} parts[CONTAIN_PART_COUNT] = {
    [CONTAIN_LIMITS] = {"limits", "endless CPU time, fork bombs, descriptors, large files", true,
                        true},
    [CONTAIN_MEMORY] = {"memory", "eating the memory", true, true},
    [CONTAIN_SCRATCH] = {"scratch", "filling the disk", true, true},
    [CONTAIN_SWEEP] = {"sweep", "leaving processes behind", true, true},
    [CONTAIN_HIDDEN] = {"hidden", "looking into the referee through /proc", true, true},
    [CONTAIN_FILTER] = {"filter", "the network, other processes, odd system calls", true, true},
    [CONTAIN_USER] = {"user", "touching what belongs to you or to another bot", true, true},
    [CONTAIN_FILES] = {"files", "reading what is not its own, writing anywhere", true, false},
    [CONTAIN_SIGNALS] = {"signals", "signals to the referee or to another bot", true, false},
    [CONTAIN_NAMESPACES] = {"namespaces", "seeing anything of this machine, outliving the referee",
                            false, true},
};

const char *contain_level_name(enum contain_level level)
{
    return level_names[level];
}

int contain_level_read(struct span word, enum contain_level *level)
{
    for (size_t i = 0; i < CONTAIN_LEVEL_COUNT; i++) {
        if (span_is(word, level_names[i])) {
            *level = (enum contain_level)i;
            return 0;
        }
    }
    return -1;
}

const char *contain_part_name(enum contain_part part)
{
    return parts[part].name;
}

const char *contain_part_purpose(enum contain_part part)
{
    return parts[part].purpose;
}

static bool belongs(enum contain_level level, enum contain_part part)
{
    return (level == CONTAIN_GUARDED && parts[part].is_in_guarded) ||
           (level == CONTAIN_SEALED && parts[part].is_in_sealed);
}

bool contain_needs(enum contain_level level, enum contain_part part)
{
    return belongs(level, part) && (part != CONTAIN_USER || geteuid() == 0);
}

bool contain_uses(const struct contain *contain, enum contain_part part)
{
    return belongs(contain->level, part) && contain->facts[part].works;
}

/* How many processes and threads our user has. */
static long count_own_tasks(void)
{
    DIR *all = opendir("/proc");
    const struct dirent *entry;
    long count = 0;

    while (all != NULL && (entry = readdir(all)) != NULL) {
        char path[40 + NAME_MAX];
        struct stat status;

        (void)snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && stat(path, &status) == 0 &&
            status.st_uid == geteuid())
            count += (long)status.st_nlink - 2;
    }
    if (all != NULL)
        closedir(all);
    return count;
}

/* Nobody can give more than he has. */
static void add_rlimit(struct contain *contain, int resource, long value)
{
    struct contain_rlimit *row = &contain->rlimits[contain->rlimit_count];
    struct rlimit ours;

    if (value < 0 || getrlimit((__rlimit_resource_t)resource, &ours) != 0)
        return;
    row->resource = resource;
    row->limit.rlim_max = (rlim_t)value < ours.rlim_max ? (rlim_t)value : ours.rlim_max;
    row->limit.rlim_cur = row->limit.rlim_max;
    contain->rlimit_count++;
}

static void find_rlimits(struct contain *contain)
{
    const struct contain_limits *limits = &contain->limits;
    bool has_own_user = contain->leases.fd >= 0;

    add_rlimit(contain, RLIMIT_CORE, 0);
    add_rlimit(contain, RLIMIT_CPU, limits->cpu_s);
    add_rlimit(contain, RLIMIT_FSIZE, limits->file_mb * 1024 * 1024);
    add_rlimit(contain, RLIMIT_NOFILE, limits->files);
    add_rlimit(contain, RLIMIT_NPROC,
               has_own_user ? limits->processes
                            : limits->processes + count_own_tasks() + SPARE_PROCESSES);
    add_rlimit(contain, RLIMIT_MSGQUEUE, 0);
    add_rlimit(contain, RLIMIT_MEMLOCK, 64L * 1024);
    add_rlimit(contain, RLIMIT_NICE, 0);
    add_rlimit(contain, RLIMIT_RTPRIO, 0);
    if (has_own_user)
        add_rlimit(contain, RLIMIT_SIGPENDING, 1024);
}

void contain_open(struct contain *contain)
{
    char path[PATH_MAX];

    contain->limits = contain_limits_default;
    (void)filter_build(&contain->filter);
    (void)lease_open(&contain->leases);
    contain->root = scratch_make_root(scratch_place(false), &contain->root_fd);
    contain->house.leases = contain->leases.fd >= 0 ? &contain->leases : NULL;
    contain->abi = reach_abi();
    reach_open(&contain->reach);
    contain->bubble = spawn_find("bwrap", path) == 0 ? xstrdup(path) : NULL;
    find_rlimits(contain);
}

void contain_close(struct contain *contain)
{
    lodging_close(&contain->house);
    reach_close(&contain->reach);
    if (contain->root != NULL)
        (void)scratch_remove(contain->root);
    if (contain->root_fd >= 0)
        close(contain->root_fd);
    lease_close(&contain->leases);
    filter_free(&contain->filter);
    free(contain->root);
    free(contain->bubble);
}

void contain_try(struct contain_fact facts[CONTAIN_PART_COUNT])
{
    struct contain *contain = xcalloc(1, sizeof *contain);

    contain_open(contain);
    contain_try_all(contain);
    memcpy(facts, contain->facts, sizeof contain->facts);
    contain_close(contain);
    free(contain);
}

/* The first part that a level lacks; CONTAIN_PART_COUNT if it is complete. */
static enum contain_part find_missing(const struct contain *contain, enum contain_level level)
{
    enum contain_part part = 0;

    while (part < CONTAIN_PART_COUNT && (!contain_needs(level, part) || contain->facts[part].works))
        part++;
    return part;
}

static void refuse(const struct contain *contain, enum contain_level level, struct text *problem)
{
    enum contain_part part = find_missing(contain, level);

    text_add(problem, "this machine cannot contain bots at the level ");
    text_add(problem, level_names[level]);
    text_add(problem, ": ");
    text_add(problem, parts[part].name);
    text_add(problem, ": ");
    text_add(problem, contain->facts[part].why);
    text_add(problem, " (`referee doctor` tells more)");
}

static void list_enforced(struct contain *contain)
{
    struct text text;

    text_start(&text, contain->enforced, sizeof contain->enforced);
    for (enum contain_part part = 0; part < CONTAIN_PART_COUNT; part++) {
        if (!contain_uses(contain, part))
            continue;
        text_add(&text, text.length > 0 ? " " : "");
        text_add(&text, parts[part].name);
    }
}

static int choose_level(struct contain *contain, enum contain_level wanted, struct text *problem)
{
    bool is_sealed = find_missing(contain, CONTAIN_SEALED) == CONTAIN_PART_COUNT;

    contain->level = wanted;
    if (wanted == CONTAIN_AUTO)
        contain->level = is_sealed ? CONTAIN_SEALED : CONTAIN_GUARDED;
    else if (find_missing(contain, wanted) != CONTAIN_PART_COUNT) {
        refuse(contain, wanted, problem);
        return -1;
    }
    /* Root's rights are never lent to a stranger, and without a folder there is no cell. */
    if ((geteuid() == 0 && !contain->facts[CONTAIN_USER].works) ||
        !contain->facts[CONTAIN_SCRATCH].works) {
        refuse(contain, contain->level, problem);
        return -1;
    }
    return 0;
}

struct contain *contain_new(enum contain_level wanted, struct text *problem)
{
    struct contain *contain = xcalloc(1, sizeof *contain);

    contain->leases.fd = -1;
    if (wanted == CONTAIN_NONE)
        return contain;
    contain_open(contain);
    contain_try_all(contain);
    if (choose_level(contain, wanted, problem) != 0) {
        contain_close(contain);
        free(contain);
        return NULL;
    }
    list_enforced(contain);
    contain->was_dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
    if (contain_uses(contain, CONTAIN_HIDDEN))
        (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return contain;
}

void contain_free(struct contain *contain)
{
    if (contain == NULL)
        return;
    if (contain->level != CONTAIN_NONE) {
        contain_close(contain);
        if (contain->was_dumpable)
            (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    }
    free(contain);
}

enum contain_level contain_level(const struct contain *contain)
{
    return contain != NULL ? contain->level : CONTAIN_NONE;
}

const struct contain_fact *contain_fact(const struct contain *contain, enum contain_part part)
{
    return &contain->facts[part];
}

const char *contain_enforced(const struct contain *contain)
{
    return contain != NULL ? contain->enforced : "";
}

bool contain_is_gap(const struct contain *contain, enum contain_part part, struct text *line)
{
    const struct contain_fact *fact = &contain->facts[part];

    if (contain_level(contain) == CONTAIN_NONE || fact->works ||
        (contain->level == CONTAIN_SEALED && !parts[part].is_in_sealed))
        return false;
    text_add(line, "not enforced here: ");
    text_add(line, parts[part].name);
    text_add(line, " (against ");
    text_add(line, parts[part].purpose);
    text_add(line, "): ");
    text_add(line, fact->why);
    return true;
}

int contain_admit(struct contain *contain, const char *const *argv, const char *folder,
                  struct text *words)
{
    const struct lodging *lodging;

    if (contain_level(contain) == CONTAIN_NONE)
        return 0;
    lodging = lodging_find(&contain->house, argv, folder, words);
    if (lodging == NULL)
        return -1;
    text_add(words, lodging->note);
    return 0;
}
