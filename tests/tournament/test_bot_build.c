/* The build command of a bot, run in a folder of its own. */

#include "tournament/play/bot_build.h"

#include "base/directory_tree.h"
#include "sandbox/sandbox.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char problem[1000];

static int build(const char *command)
{
    struct config_bot bot = {.name = "bot", .build = (char *)command};
    struct text text;

    text_start(&text, problem, sizeof problem);
    return bot_build_run(&bot, "/tmp", 600, NULL, &text);
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
    char folder[] = "/tmp/referee-build-XXXXXX";
    struct config_bot bot = {.name = "bot",
                             .build = "flock . true && touch -d 2020-01-01 x && chmod 700 x"};
    struct text text;
    struct sandbox *sandbox;

    text_start(&text, problem, sizeof problem);
    sandbox = sandbox_new(SANDBOX_GUARDED, &text);
    if (sandbox == NULL)
        cr_skip_test("the level is not available");
    cr_assert_not_null(mkdtemp(folder));
    cr_expect_eq(bot_build_run(&bot, folder, 600, sandbox, &text), 0, "%s", problem);
    sandbox_free(sandbox);
    cr_expect_eq(directory_tree_remove(folder), 0);
}
