/* How the bots of a config are started. */

#include "tournament/play/bot_setup.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    (void)context;
    cr_assert_fail("%u:%u %s", line, column, sentence);
}

/* A remote bot under its own name, twice under another, and one that is here. */
static const char file[] =
    "{\"seats\": 2, \"seatings\": \"single\", \"bots\": [\n"
    "{\"name\": \"ann\", \"remote\": \"/run/a b\"}, {\"name\": \"c\", \"bot\": \"bob\", "
    "\"remote\": "
    "\"/run/s\"},\n{\"bot\": \"bob\", \"remote\": \"/elsewhere\"}, {\"name\": \"d\", \"command\": "
    "\"cat\"}]}";

Test(bot_setup, a_remote_bot_is_played_by_the_referee_itself)
{
    struct config *config = config_read(file, strlen(file), "x.json", on_problem, NULL);
    struct bot_setup_list *bot_setups = bot_setup_list_new(config, NULL, NULL, on_problem, NULL);
    const struct bot_setup *list = bot_setup_list_get(bot_setups);
    char program[PATH_MAX] = "";

    cr_assert_gt(readlink("/proc/self/exe", program, sizeof program - 1), 0);
    cr_assert_str_eq(list[0].command.argv[0], program);
    cr_assert_str_eq(list[0].command.argv[1], "bridge");
    cr_assert_str_eq(list[0].command.argv[2], "/run/a b");
    cr_assert_str_eq(list[0].command.argv[3], "ann");
    cr_assert_null(list[0].command.argv[4]);
    cr_assert_str_eq(list[0].command.text, "referee bridge /run/a b ann");
    cr_assert_str_eq(list[1].command.argv[3], "bob");
    cr_assert_str_eq(list[1].name, "c");
    cr_assert(list[0].is_remote && list[1].is_remote && list[2].is_remote && !list[3].is_remote);
    cr_assert_null(list[0].folder);
    cr_assert_eq(strlen(list[0].command.hash), 64);
    cr_assert_str_neq(list[0].command.hash, list[1].command.hash);
    cr_assert_str_eq(list[1].command.hash, list[2].command.hash);
    bot_setup_list_free(bot_setups);
    config_free(config);
}
