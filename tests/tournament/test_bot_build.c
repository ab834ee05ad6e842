/* The build command of a bot, run in a folder of its own. */

#include "tournament/play/bot_build.h"

#include "sandbox/sandbox.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char problem[1000];

TestSuite(bot_build, .init = scratch_begin, .fini = scratch_end);

static long memory_mb;

static int build_in(struct sandbox *sandbox, const char *command)
{
    struct config_bot bot = {.name = "bot",
                             .build = (char *)command,
                             .folder = (char *)scratch_path("source"),
                             .environment = (char *[]){NULL}};
    struct bot_build_limits limits = {.seconds = 600, .memory_mb = memory_mb};
    struct text text;

    text_start(&text, problem, sizeof problem);
    scratch_write("source/x", "x", 1);
    return bot_build_run(&bot, scratch_path("built"), &limits, sandbox, &text);
}

static int build(const char *command)
{
    return build_in(NULL, command);
}

Test(bot_build, a_build_that_ends_with_status_0_is_a_success)
{
    cr_expect_eq(build("echo fine"), 0, "%s", problem);
    cr_expect_str_eq(problem, "");
}

Test(bot_build, a_build_that_fails_is_reported_with_the_end_of_its_output)
{
    cr_expect_eq(build("echo compiling; echo 'line 3: oops' >&2; exit 2"), -1);
    cr_expect_str_eq(problem, "its build failed: exit status 2\ncompiling\nline 3: oops");
}

/* It would wait for ever otherwise. */
Test(bot_build, a_build_that_reads_its_input_finds_the_end_of_it)
{
    cr_expect_eq(build("cat"), 0, "%s", problem);
}

Test(bot_build, a_build_may_close_its_output)
{
    cr_expect_eq(build("exec >&- 2>&-; true"), 0, "%s", problem);
}

/* A bot may not, because another one could see it. */
Test(bot_build, a_contained_build_may_lock_files_and_set_their_times)
{
    struct text text;
    struct sandbox *sandbox;

    text_start(&text, problem, sizeof problem);
    sandbox = sandbox_new(SANDBOX_GUARDED, &text);
    if (sandbox == NULL)
        cr_skip_test("the level is not available");
    cr_expect_eq(build_in(sandbox, "flock . true && touch -d 2020-01-01 y && chmod 700 y && rm x"),
                 0, "%s", problem);
    sandbox_free(sandbox);
    cr_expect_eq(access(scratch_path("built/y"), X_OK), 0);
    cr_expect_neq(access(scratch_path("built/x"), F_OK), 0);
    cr_expect_eq(access(scratch_path("source/x"), F_OK), 0);
}
