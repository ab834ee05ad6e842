/* A cell is made ready in the parent and entered by the child, which shares the parent's memory until it
 * runs its program and therefore must do nothing but system calls; even those without the library where it
 * would act on all threads. The order of steps matters: Landlock needs a descriptor, so it comes before the
 * limit on them; root's rights are needed for limits and groups, so the user comes after them; and changing
 * the user makes the kernel forget who is to be killed with us, so that is asked for again. The filter is
 * last. In a bubble the bubble's own program does the same inside. */

#include "bot/cell.h"

#include "base/memory.h"
#include "bot/contain_private.h"
#include "bot/environment.h"
#include "bot/reach.h"
#include "bot/scratch.h"
#include "bot/spawn.h"
#include "bot/sweep.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRY_BYTES 4096

struct cell {
    struct contain *contain;
    const struct lodging *lodging;
    uid_t user;      /* 0: ours */
    char *scratch;   /* NULL in a bubble, which has its own */
    int description; /* of what it reaches; -1: none */
    int filter_fd;   /* for the bubble; -1: none */
    char **bubble;   /* NULL if it is none */
    char **environment;
    char home[ENTRY_BYTES];
    char temporary[ENTRY_BYTES];
};

static bool is_sealed(const struct contain *contain)
{
    return contain->level == CONTAIN_SEALED;
}

/* A clean environment, and what the bot was promised. */
static void make_environment(struct cell *cell, const char *const *added)
{
    static char path[] = "PATH=" REACH_PATH;
    char *clean[] = {path, "LANG=C.UTF-8", cell->home, cell->temporary, NULL};
    const char *scratch = cell->scratch != NULL ? cell->scratch : BUBBLE_SCRATCH;

    (void)snprintf(cell->home, sizeof cell->home, "HOME=%s", scratch);
    (void)snprintf(cell->temporary, sizeof cell->temporary, "TMPDIR=%s", scratch);
    cell->environment = environment_merge(clean, added);
}

static int open_guarded(struct cell *cell)
{
    struct contain *contain = cell->contain;
    char name[40];

    (void)snprintf(name, sizeof name, "bot-%lu", ++contain->cells);
    cell->scratch = scratch_make(contain->root, name, cell->user);
    if (cell->scratch == NULL)
        return -1;
    if (contain_uses(contain, CONTAIN_FILES)) {
        cell->description =
            reach_describe(&contain->reach, contain->abi, cell->lodging->readable, cell->scratch);
        if (cell->description < 0)
            return -1;
    }
    return 0;
}

static int open_sealed(struct cell *cell)
{
    cell->bubble = bubble_words(cell->contain, cell->lodging);
    cell->filter_fd = filter_open(&cell->contain->filter);
    return cell->filter_fd >= 0 ? 0 : -1;
}

struct cell *cell_open(const struct spawn_order *order)
{
    struct contain *contain = order->contain;
    struct cell *cell = xcalloc(1, sizeof *cell);
    char buffer[300];
    struct text problem;
    int failed;

    text_start(&problem, buffer, sizeof buffer);
    cell->contain = contain;
    cell->description = -1;
    cell->filter_fd = -1;
    cell->lodging = lodging_find(&contain->house, order->argv, order->folder, &problem);
    failed = cell->lodging == NULL ? -1 : 0;
    if (failed == 0 && contain_uses(contain, CONTAIN_USER)) {
        cell->user = lease_take(&contain->leases);
        failed = cell->user == 0 ? -1 : 0;
    }
    if (failed == 0)
        failed = is_sealed(contain) ? open_sealed(cell) : open_guarded(cell);
    if (failed != 0) {
        cell_free(cell);
        return NULL;
    }
    make_environment(cell, order->environment);
    return cell;
}

const char *cell_program(const struct cell *cell)
{
    return cell->bubble != NULL ? cell->contain->bubble : cell->lodging->argv[0];
}

char *const *cell_argv(const struct cell *cell)
{
    return cell->bubble != NULL ? cell->bubble : cell->lodging->argv;
}

char *const *cell_environment(const struct cell *cell)
{
    return cell->environment;
}

const char *cell_folder(const struct cell *cell)
{
    if (cell->bubble != NULL)
        return "/";
    return cell->lodging->folder != NULL ? cell->lodging->folder : cell->scratch;
}

const char *cell_scratch(const struct cell *cell)
{
    return cell->scratch;
}

int cell_passed_fd(const struct cell *cell)
{
    return cell->filter_fd;
}

bool cell_is_bubble(const struct cell *cell)
{
    return cell->bubble != NULL;
}

/* The library's functions would change all threads, and wait for them. */
static int enter_user(const struct cell *cell)
{
    gid_t groups[1] = {cell->lodging->group};
    size_t count = groups[0] != 0 ? 1 : 0;

    if (cell->user == 0)
        return 0;
    if (syscall(SYS_setgroups, count, groups) != 0 ||
        syscall(SYS_setresgid, cell->user, cell->user, cell->user) != 0 ||
        syscall(SYS_setresuid, cell->user, cell->user, cell->user) != 0 ||
        prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return errno;
    return 0;
}

int cell_enter(const struct cell *cell)
{
    const struct contain *contain = cell->contain;
    int error = 0;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    if (cell->description >= 0)
        error = reach_enter(cell->description, contain->abi);
    for (unsigned i = 0; i < contain->rlimit_count && error == 0; i++) {
        if (setrlimit((__rlimit_resource_t)contain->rlimits[i].resource,
                      &contain->rlimits[i].limit) != 0)
            error = errno;
    }
    if (error == 0)
        error = enter_user(cell);
    if (error == 0 && cell->bubble == NULL && contain_uses(contain, CONTAIN_FILTER))
        error = filter_enter(&contain->filter);
    return error;
}

void cell_sweep(struct cell *cell)
{
    (void)sweep_orphans(cell->user);
}

bool cell_is_overfull(const struct cell *cell, struct text *words)
{
    const struct contain_limits *limits = &cell->contain->limits;
    struct scratch_size most = {(int64_t)limits->scratch_mb * 1024 * 1024,
                                (unsigned)limits->scratch_entries};
    struct scratch_size size;

    if (cell->scratch == NULL)
        return false;
    size = scratch_measure(cell->scratch, &most);
    if (size.bytes <= most.bytes && size.entries <= most.entries)
        return false;
    text_add(words, "it was stopped: its scratch folder holds more than ");
    text_add_number(words, size.bytes > most.bytes ? limits->scratch_mb : limits->scratch_entries);
    text_add(words, size.bytes > most.bytes ? " MB" : " files");
    return true;
}

void cell_free(struct cell *cell)
{
    int error = errno;

    if (cell == NULL)
        return;
    if (cell->description >= 0)
        close(cell->description);
    if (cell->filter_fd >= 0)
        close(cell->filter_fd);
    if (cell->scratch != NULL)
        (void)scratch_remove(cell->scratch);
    lease_give(&cell->contain->leases, cell->user);
    bubble_free(cell->bubble);
    free(cell->environment);
    free(cell->scratch);
    free(cell);
    errno = error;
}
