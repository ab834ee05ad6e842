/* A level is a set of parts. An explicit level is enforced completely or not at all; `auto` is
 * sealed if that is complete, and else guarded with whatever works. This file enforces nothing: it
 * decides which parts a jail has, and prepares what all jails share. */

#include "sandbox/sandbox.h"

#include "base/memory.h"
#include "sandbox/sandbox_private.h"
#include "sandbox/landlock.h"
#include "sandbox/scratch_dir.h"
#include "sandbox/process.h"
#include "sandbox/reaper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Processes that our user may have besides all bots, where the kernel counts by user. */
#define SPARE_PROCESSES 2048

const struct sandbox_limits sandbox_limits_default = {
    .memory_mb = 1024,
    .scratch_mb = 64,
    .scratch_entries = 10000,
    .file_mb = 64,
    .processes = 128,
    .files = 256,
    .cpu_s = 86400,
};

static const char *const level_names[SANDBOX_LEVEL_COUNT] = {
    [SANDBOX_NONE] = "none",
    [SANDBOX_GUARDED] = "guarded",
    [SANDBOX_SEALED] = "sealed",
    [SANDBOX_AUTO] = "auto",
};

static const struct {
    const char *name;
    const char *purpose;
    bool is_in_guarded;
    bool is_in_sealed;
} parts[SANDBOX_PART_COUNT] = {
    [SANDBOX_LIMITS] = {"limits", "endless CPU time, fork bombs, descriptors, large files", true,
                        true},
    [SANDBOX_MEMORY] = {"memory", "eating the memory", true, true},
    [SANDBOX_SCRATCH] = {"scratch", "filling the disk", true, true},
    [SANDBOX_SWEEP] = {"sweep", "leaving processes behind", true, true},
    [SANDBOX_HIDDEN] = {"hidden", "looking into the referee through /proc", true, true},
    [SANDBOX_FILTER] = {"filter", "the network, other processes, odd system calls", true, true},
    [SANDBOX_USER] = {"user", "touching what belongs to you or to another bot", true, true},
    [SANDBOX_FILES] = {"files", "reading what is not its own, writing anywhere", true, false},
    [SANDBOX_SIGNALS] = {"signals", "signals to the referee or to another bot", true, false},
    [SANDBOX_NAMESPACES] = {"namespaces", "seeing anything of this machine, outliving the referee",
                            false, true},
    [SANDBOX_GROUPS] = {"groups", "stealing time, starving other bots, hidden memory", true, true},
};

const char *sandbox_level_name(enum sandbox_level level)
{
    return level_names[level];
}

int sandbox_level_read(struct span word, enum sandbox_level *level)
{
    for (size_t i = 0; i < SANDBOX_LEVEL_COUNT; i++) {
        if (span_is(word, level_names[i])) {
            *level = (enum sandbox_level)i;
            return 0;
        }
    }
    return -1;
}

const char *sandbox_part_name(enum sandbox_part part)
{
    return parts[part].name;
}

const char *sandbox_part_purpose(enum sandbox_part part)
{
    return parts[part].purpose;
}

static bool belongs(enum sandbox_level level, enum sandbox_part part)
{
    return (level == SANDBOX_GUARDED && parts[part].is_in_guarded) ||
           (level == SANDBOX_SEALED && parts[part].is_in_sealed);
}

bool sandbox_needs(enum sandbox_level level, enum sandbox_part part)
{
    return belongs(level, part) && part != SANDBOX_GROUPS &&
           (part != SANDBOX_USER || geteuid() == 0);
}

bool sandbox_uses(const struct sandbox *sandbox, enum sandbox_part part)
{
    return belongs(sandbox->level, part) && sandbox->facts[part].works;
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

/* A limit cannot be above our own. */
static void add_rlimit(struct sandbox *sandbox, int resource, long value)
{
    struct sandbox_rlimit *row = &sandbox->rlimits[sandbox->rlimit_count];
    struct rlimit ours;

    if (value < 0 || getrlimit((__rlimit_resource_t)resource, &ours) != 0)
        return;
    row->resource = resource;
    row->limit.rlim_max = (rlim_t)value < ours.rlim_max ? (rlim_t)value : ours.rlim_max;
    row->limit.rlim_cur = row->limit.rlim_max;
    sandbox->rlimit_count++;
}

static void find_rlimits(struct sandbox *sandbox)
{
    const struct sandbox_limits *limits = &sandbox->limits;
    bool has_own_user = sandbox->uids.fd >= 0;

    add_rlimit(sandbox, RLIMIT_CORE, 0);
    add_rlimit(sandbox, RLIMIT_CPU, limits->cpu_s);
    add_rlimit(sandbox, RLIMIT_FSIZE, limits->file_mb * 1024 * 1024);
    add_rlimit(sandbox, RLIMIT_NOFILE, limits->files);
    add_rlimit(sandbox, RLIMIT_NPROC,
               has_own_user ? limits->processes
                            : limits->processes + count_own_tasks() + SPARE_PROCESSES);
    add_rlimit(sandbox, RLIMIT_MSGQUEUE, 0);
    add_rlimit(sandbox, RLIMIT_MEMLOCK, 64L * 1024);
    add_rlimit(sandbox, RLIMIT_NICE, 0);
    add_rlimit(sandbox, RLIMIT_RTPRIO, 0);
    if (has_own_user)
        add_rlimit(sandbox, RLIMIT_SIGPENDING, 1024);
}

/* Between two looks at what it uses a bot can go beyond a limit: less far with these. */
static void lower_limits(struct sandbox *sandbox)
{
    if (!sandbox->has_mounts)
        sandbox->limits.file_mb = sandbox_limits_default.file_mb / 2;
    if (!sandbox->cgroups.limits_memory)
        sandbox->limits.files = sandbox_limits_default.files / 2;
}

void sandbox_open(struct sandbox *sandbox)
{
    char path[PATH_MAX];

    sandbox->limits = sandbox_limits_default;
    cgroup_tree_open(&sandbox->cgroups);
    (void)seccomp_build(&sandbox->filter, true);
    (void)seccomp_build(&sandbox->build_filter, false);
    (void)uid_pool_open(&sandbox->uids);
    sandbox->root = scratch_dir_make_root(scratch_dir_place(false), &sandbox->root_fd);
    sandbox->has_mounts =
        sandbox->root != NULL && scratch_mounts_open(&sandbox->mounts, sandbox->root);
    sandbox->programs.copies.uids = sandbox->uids.fd >= 0 ? &sandbox->uids : NULL;
    sandbox->abi = landlock_abi();
    landlock_open(&sandbox->landlock);
    sandbox->bubblewrap = process_find_program("bwrap", path) == 0 ? xstrdup(path) : NULL;
    lower_limits(sandbox);
    find_rlimits(sandbox);
}

void sandbox_close(struct sandbox *sandbox)
{
    program_files_close(&sandbox->programs);
    landlock_close(&sandbox->landlock);
    scratch_mounts_close(&sandbox->mounts);
    if (sandbox->root != NULL)
        (void)scratch_dir_remove(sandbox->root);
    if (sandbox->root_fd >= 0)
        close(sandbox->root_fd);
    cgroup_tree_close(&sandbox->cgroups);
    uid_pool_close(&sandbox->uids);
    seccomp_free(&sandbox->filter);
    seccomp_free(&sandbox->build_filter);
    free(sandbox->root);
    free(sandbox->bubblewrap);
}

void sandbox_sweep(void)
{
    scratch_dir_sweep();
    cgroup_tree_sweep();
}

/* Tries all parts and writes what was found to a pipe, into which it fits. */
static _Noreturn void tell_facts(int fd)
{
    struct sandbox *sandbox = xcalloc(1, sizeof *sandbox);
    ssize_t written;

    sandbox_open(sandbox);
    sandbox_probe_all(sandbox);
    sandbox_close(sandbox);
    written = write(fd, sandbox->facts, sizeof sandbox->facts);
    _exit(written == (ssize_t)sizeof sandbox->facts ? 0 : 1);
}

/* In a child, because some of the trials cannot be undone: mounts of our own, orphans. */
void sandbox_probe(struct sandbox_fact facts[SANDBOX_PART_COUNT])
{
    size_t size = SANDBOX_PART_COUNT * sizeof *facts;
    int ends[2] = {-1, -1};
    pid_t pid = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;

    if (pid == 0)
        tell_facts(ends[1]);
    process_close_fd(&ends[1]);
    if (pid < 0 || read(ends[0], facts, size) != (ssize_t)size) {
        memset(facts, 0, size);
        for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT; part++)
            (void)snprintf(facts[part].why, sizeof facts[part].why, "the trial failed");
    }
    process_close_fd(&ends[0]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* The first part that a level lacks; SANDBOX_PART_COUNT if it is complete. */
static enum sandbox_part find_missing(const struct sandbox *sandbox, enum sandbox_level level)
{
    enum sandbox_part part = 0;

    while (part < SANDBOX_PART_COUNT && (!sandbox_needs(level, part) || sandbox->facts[part].works))
        part++;
    return part;
}

static void refuse(const struct sandbox *sandbox, enum sandbox_level level, struct text *problem)
{
    enum sandbox_part part = find_missing(sandbox, level);

    text_printf(problem,
                "this machine cannot contain bots at the level %s: %s: %s (see `referee doctor`)",
                level_names[level], parts[part].name, sandbox->facts[part].why);
}

static void list_enforced(struct sandbox *sandbox)
{
    struct text text;

    text_start(&text, sandbox->enforced, sizeof sandbox->enforced);
    for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT; part++) {
        if (!sandbox_uses(sandbox, part))
            continue;
        text_add(&text, text.length > 0 ? " " : "");
        text_add(&text, parts[part].name);
    }
}

static int choose_level(struct sandbox *sandbox, enum sandbox_level wanted, struct text *problem)
{
    bool is_sealed = find_missing(sandbox, SANDBOX_SEALED) == SANDBOX_PART_COUNT;

    sandbox->level = wanted;
    if (wanted == SANDBOX_AUTO)
        sandbox->level = is_sealed ? SANDBOX_SEALED : SANDBOX_GUARDED;
    else if (find_missing(sandbox, wanted) != SANDBOX_PART_COUNT) {
        refuse(sandbox, wanted, problem);
        return -1;
    }
    /* A stranger's program never runs as root, and without a folder there is no jail. */
    if ((geteuid() == 0 && !sandbox->facts[SANDBOX_USER].works) ||
        !sandbox->facts[SANDBOX_SCRATCH].works) {
        refuse(sandbox, sandbox->level, problem);
        return -1;
    }
    return 0;
}

struct sandbox *sandbox_new(enum sandbox_level wanted, struct text *problem)
{
    struct sandbox *sandbox = xcalloc(1, sizeof *sandbox);

    sandbox->uids.fd = -1;
    if (wanted == SANDBOX_NONE) {
        cgroup_tree_open(&sandbox->cgroups);
        return sandbox;
    }
    sandbox_open(sandbox);
    sandbox_probe_all(sandbox);
    if (choose_level(sandbox, wanted, problem) != 0) {
        sandbox_close(sandbox);
        free(sandbox);
        return NULL;
    }
    list_enforced(sandbox);
    sandbox->was_dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
    if (sandbox_uses(sandbox, SANDBOX_HIDDEN))
        (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return sandbox;
}

void sandbox_free(struct sandbox *sandbox)
{
    if (sandbox == NULL)
        return;
    if (sandbox->level != SANDBOX_NONE) {
        sandbox_close(sandbox);
        if (sandbox->was_dumpable)
            (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    } else {
        cgroup_tree_close(&sandbox->cgroups);
    }
    free(sandbox);
}

enum sandbox_level sandbox_level(const struct sandbox *sandbox)
{
    return sandbox != NULL ? sandbox->level : SANDBOX_NONE;
}

const struct sandbox_fact *sandbox_fact(const struct sandbox *sandbox, enum sandbox_part part)
{
    return &sandbox->facts[part];
}

const char *sandbox_enforced(const struct sandbox *sandbox)
{
    return sandbox != NULL ? sandbox->enforced : "";
}

bool sandbox_lists(const char *enforced, enum sandbox_part part)
{
    struct span rest = span_of(enforced);
    struct span word = span_cut(&rest, ' ');

    while (word.start != NULL && !span_is(word, parts[part].name))
        word = span_cut(&rest, ' ');
    return word.start != NULL;
}

/* Whether a level without this part is not that level, even of a user who is not root. */
static bool is_essential(enum sandbox_level level, enum sandbox_part part)
{
    return part == SANDBOX_SCRATCH || (level == SANDBOX_SEALED && belongs(level, part) &&
                                       part != SANDBOX_GROUPS && part != SANDBOX_USER);
}

bool sandbox_is_enforced_of(enum sandbox_level level, const char *enforced)
{
    struct span rest = span_of(enforced);
    struct span word = span_cut(&rest, ' ');

    if (level == SANDBOX_NONE || enforced[0] == '\0')
        return level == SANDBOX_NONE && enforced[0] == '\0';
    for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT; part++) {
        if (is_essential(level, part) && !sandbox_lists(enforced, part))
            return false;
    }
    for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT && word.start != NULL; part++) {
        if (belongs(level, part) && span_is(word, parts[part].name))
            word = span_cut(&rest, ' ');
    }
    return word.start == NULL;
}

bool sandbox_is_gap(const struct sandbox *sandbox, enum sandbox_part part, struct text *line)
{
    const struct sandbox_fact *fact = &sandbox->facts[part];

    if (sandbox_level(sandbox) == SANDBOX_NONE || fact->works ||
        (sandbox->level == SANDBOX_SEALED && !parts[part].is_in_sealed))
        return false;
    text_printf(line, "not enforced here: %s (against %s): %s", parts[part].name,
                parts[part].purpose, fact->why);
    return true;
}

void sandbox_lend_programs(struct sandbox *sandbox, const struct sandbox *from)
{
    sandbox->programs.lent = from != NULL ? &from->programs : NULL;
}

int sandbox_admit(struct sandbox *sandbox, const struct process_spec *spec, struct text *message)
{
    const struct program_files *files;
    bool is_known = false;

    if (sandbox_level(sandbox) == SANDBOX_NONE)
        return 0;
    files = program_files_find(&sandbox->programs, spec, message);
    if (files == NULL)
        return -1;
    /* What holds for several programs is said once: the older ones come later in the list. */
    for (const struct program_files *old = files->next; old != NULL && !is_known; old = old->next)
        is_known = strcmp(old->note, files->note) == 0;
    if (!is_known)
        text_add(message, files->note);
    return 0;
}
