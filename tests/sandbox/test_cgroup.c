/* Groups of real processes, where this machine has them; and where they are, from texts. */

#include "base/clock.h"
#include "base/text.h"
#include "sandbox/cgroup_place.h"
#include "sandbox/cpu_use.h"
#include "sandbox/process.h"
#include "sandbox/sandbox_private.h"
#include "support/patience.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define HYBRID_MOUNTS                                                                              \
    "24 1 0:21 / /sys rw - sysfs sysfs rw\n"                                                       \
    "31 24 0:26 / /sys/fs/cgroup/unified rw,nosuid - cgroup2 cgroup2 rw\n"                         \
    "32 24 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"                            \
    "33 24 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
#define HYBRID_GROUPS "4:memory:/jobs/7\n2:cpu,cpuacct:/\n1:name=systemd:/x\n0::/\n"
#define UNIFIED_MOUNTS "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
#define UNIFIED_GROUPS "0::/system.slice/referee.service\n"
#define PARTIAL_MOUNTS "30 23 0:26 /docker/ab /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"

static const struct {
    const char *what;
    const char *mounts;
    const char *groups;
    const char *controller;
    const char *folder; /* NULL: none */
} places[] = {
    {"version 2 beside version 1", HYBRID_MOUNTS, HYBRID_GROUPS, NULL, "/sys/fs/cgroup/unified/"},
    {"memory of version 1", HYBRID_MOUNTS, HYBRID_GROUPS, "memory", "/sys/fs/cgroup/memory/jobs/7"},
    {"one of two", HYBRID_MOUNTS, HYBRID_GROUPS, "cpu", "/sys/fs/cgroup/cpu,cpuacct/"},
    {"not there", HYBRID_MOUNTS, HYBRID_GROUPS, "pids", NULL},
    {"part of a word", HYBRID_MOUNTS, HYBRID_GROUPS, "cpuac", NULL},
    {"a service", UNIFIED_MOUNTS, UNIFIED_GROUPS, NULL,
     "/sys/fs/cgroup/system.slice/referee.service"},
    {"no version 1", UNIFIED_MOUNTS, UNIFIED_GROUPS, "memory", NULL},
    {"a container", PARTIAL_MOUNTS, "0::/docker/ab/c\n", NULL, "/sys/fs/cgroup/c"},
    {"at its top", PARTIAL_MOUNTS, "0::/docker/ab\n", NULL, "/sys/fs/cgroup"},
    {"not our part", PARTIAL_MOUNTS, "0::/docker/abc\n", NULL, NULL},
    {"nothing", "", "", NULL, NULL},
    {"broken lines", "x\n - cgroup2\n1 2 3\n", "0\n0:\n::", NULL, NULL},
};

Test(cgroup, the_folder_of_our_own_group_is_found)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        char *folder = cgroup_place_read(places[i].mounts, places[i].groups, places[i].controller);

        if (places[i].folder == NULL)
            cr_expect_null(folder, "%s: %s", places[i].what, folder);
        else
            cr_expect(folder != NULL && strcmp(folder, places[i].folder) == 0, "%s: %s",
                      places[i].what, folder != NULL ? folder : "none");
        free(folder);
    }
}

/* Real groups. */

static struct sandbox *sandbox;
static struct process process;

static void set_up(void)
{
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    sandbox = sandbox_new(SANDBOX_NONE, &problem);
}

static void tear_down(void)
{
    sandbox_free(sandbox);
}

TestSuite(cgroup_real, .init = set_up, .fini = tear_down);

static void need_groups(void)
{
    if (sandbox->cgroups.fds[CGROUP_UNIFIED] < 0)
        cr_skip_test("there is no group of version 2 that we may write to");
}

static void start(const char *script)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct process_spec spec = {.argv = argv, .cpu = -1, .sandbox = sandbox};
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    cr_assert_eq(process_start(&process, &spec, &problem), 0);
    cr_assert_gt(process.pid, 0, "%s", message);
}

/* Reads the line that the script writes when it is ready. */
static void wait_for_line(void)
{
    struct pollfd output = {.fd = process.stdout_fd, .events = POLLIN};
    char bytes[100];

    cr_assert_eq(poll(&output, 1, -1), 1);
    cr_assert_gt(read(process.stdout_fd, bytes, sizeof bytes), 0);
}

#define BURN "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"

Test(cgroup_real, the_cpu_time_of_children_that_have_ended_is_counted)
{
    int64_t one_us;
    int64_t two_us;

    need_groups();
    start("(" BURN ") & wait; echo done; read line; (" BURN "); (" BURN "); echo done; read line");
    wait_for_line();
    one_us = cpu_use_read_cpu(&process);
    cr_assert_eq(write(process.stdin_fd, "\n", 1), 1);
    wait_for_line();
    two_us = cpu_use_read_cpu(&process);
    cr_assert_gt(one_us, 0);
    cr_assert_gt(two_us, one_us + one_us / 2, "%ld after %ld us", (long)two_us, (long)one_us);
    process_free(&process);
}

/* Whether the process has used CPU time between two readings, for which it gets as long as it
 * needs. */
static bool does_run(void)
{
    int64_t before_us = cpu_use_read_cpu(&process);

    for (int i = 0; i < 200 && cpu_use_read_cpu(&process) == before_us; i++)
        (void)poll(NULL, 0, 5);
    return cpu_use_read_cpu(&process) != before_us;
}

static void expect_freezing(void)
{
    int64_t end_us = clock_now_us() + PATIENCE_US;

    start("echo go; (while :; do :; done) & while :; do :; done");
    wait_for_line();
    process_freeze(&process, true);
    /* Freezing takes a moment: what runs or is just being started may go on for a little. */
    while (does_run() && clock_now_us() < end_us)
        process_freeze(&process, true);
    cr_expect_lt(clock_now_us(), end_us, "it runs on although it is frozen");
    process_freeze(&process, false);
    cr_expect(does_run());
    process_freeze(&process, true);
    process_free(&process);
    cr_expect(process.has_ended, "a frozen process can be killed");
}

Test(cgroup_real, a_frozen_process_does_not_run_nor_do_its_children)
{
    need_groups();
    expect_freezing();
}

Test(cgroup_real, freezing_works_without_groups_too)
{
    struct sandbox *with = sandbox;

    sandbox = NULL;
    expect_freezing();
    sandbox = with;
}

Test(cgroup_real, groups_are_used_again_and_none_is_left)
{
    char *folder;
    struct stat status;

    need_groups();
    for (int i = 0; i < 5; i++) {
        start("exit 0");
        (void)poll(&(struct pollfd){.fd = process.pidfd, .events = POLLIN}, 1, -1);
        process_reap(&process);
        process_free(&process);
    }
    cr_assert_leq(sandbox->cgroups.made, 2, "one of them was made to try it");
    folder = strdup(sandbox->cgroups.folders[CGROUP_UNIFIED]);
    cr_assert_eq(stat(folder, &status), 0);
    tear_down();
    sandbox = NULL;
    cr_assert_neq(stat(folder, &status), 0);
    free(folder);
}
