/* A config that is written and read again is the same config. */

#include "base/memory.h"
#include "tournament/config/config.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    cr_assert_fail("%s: %u:%u %s", (const char *)context, line, column, sentence);
}

static int find(void *context, const char *name, struct config_bot *bot, struct text *problem)
{
    (void)context;
    (void)problem;
    if (strcmp(name, "far") == 0) {
        bot->remote = xstrdup("/run/socket");
        return 0;
    }
    bot->command = xstrdup("python3 bot.py");
    bot->folder = xstrdup("/bots/here");
    bot->build = name[0] == 'b' ? xstrdup("make") : NULL;
    bot->memory_mb = name[0] == 'b' ? 100 : 0;
    return 0;
}

static const struct config_catalogue catalogue = {find, NULL};

static struct config *read_again(const struct config *config, const char *path)
{
    struct json_writer *writer = json_writer_new(true);
    struct config *again;
    const char *bytes;
    size_t length;

    config_write(config, writer);
    bytes = json_writer_bytes(writer, &length);
    again = config_read(bytes, length, path, on_problem, (void *)bytes);
    json_writer_free(writer);
    cr_assert_not_null(again);
    return again;
}

static bool is_same(const char *one, const char *other)
{
    if (one == NULL || other == NULL)
        return one == other;
    return strcmp(one, other) == 0;
}

static void compare_bots(const struct config_bot *one, const struct config_bot *other)
{
    unsigned i = 0;

    cr_expect_str_eq(one->name, other->name);
    cr_expect(is_same(one->command, other->command));
    cr_expect(is_same(one->remote, other->remote));
    cr_expect(is_same(one->remote != NULL ? one->source : NULL, other->source));
    cr_expect(is_same(one->folder, other->folder));
    cr_expect(is_same(one->build, other->build));
    for (; one->environment[i] != NULL && other->environment[i] != NULL; i++)
        cr_expect_str_eq(one->environment[i], other->environment[i]);
    cr_expect(one->environment[i] == NULL && other->environment[i] == NULL);
    cr_expect_eq(one->memory_mb, other->memory_mb);
}

static void compare_schedules(const struct schedule_setup *one, const struct schedule_setup *other)
{
    cr_expect_eq(one->format, other->format);
    cr_expect_eq(one->seatings, other->seatings);
    cr_expect_eq(one->seats, other->seats);
    cr_expect_eq(one->bots, other->bots);
    cr_expect_eq(one->hero, other->hero);
    cr_expect_eq(one->deals, other->deals);
    cr_expect_eq(one->rounds, other->rounds);
    cr_expect_eq(one->matches, other->matches);
    cr_expect_eq(one->seed, other->seed);
}

static void compare(const struct config *one, const struct config *other)
{
    cr_expect_str_eq(one->name, other->name);
    cr_expect_str_eq(one->folder, other->folder);
    cr_expect_str_eq(one->output, other->output);
    cr_assert_eq(one->bot_count, other->bot_count);
    for (unsigned i = 0; i < one->bot_count; i++)
        compare_bots(&one->bots[i], &other->bots[i]);
    cr_expect_arr_eq(&one->rules, &other->rules, sizeof one->rules);
    cr_expect_str_eq(one->variant, other->variant);
    compare_schedules(&one->schedule, &other->schedule);
    cr_expect_eq(one->clock, other->clock);
    cr_expect(one->start_ms == other->start_ms && one->move_ms == other->move_ms &&
              one->bank_ms == other->bank_ms);
    cr_expect_str_eq(one->sandbox, other->sandbox);
    cr_expect(one->workers == other->workers && one->tables == other->tables);
    cr_expect(one->keeps_bots == other->keeps_bots && one->max_faults == other->max_faults);
}

static const char *const files[] = {
    "{\"bots\": [\"a\", \"b\"]}",
    "{\"bots\": [\"a\", \"b\"], \"edition\": \"nl2023-77\"}",
    "{\"bots\": [\"a\", \"b\"], \"edition\": \"nl2023-77\", \"rules\": {\"talk\": false}}",
    "{\"bots\": [\"a\", \"b\"], \"variant\": \"ours\", \"rules\": {\"talk\": false}}",
    "{\"bots\": [\"x\", \"b\", \"python3 'c d.py' -v\"], \"edition\": \"nl2023\"}",
    "{\"bots\": [{\"name\": \"A\", \"command\": \"./\\u00e9 \\\"\\\\\", \"folder\": \"../x y\",\n"
    "\"build\": \"make\\n\\ttrue\", \"environment\": {\"B\": \"x=\\n=y\", \"A\": \"\"}, "
    "\"memory_mb\": 16}, {\"command\": \"b\", \"memory_mb\": 65536, \"folder\": \"/\"}],\n"
    "\"name\": \"Caf\\u00e9 \\\"\", \"output\": \"o/p\", \"reuse\": true, \"workers\": 256, "
    "\"tables\": 3, \"contain\": \"sealed\", \"clock\": \"wall\", \"start_ms\": 1, "
    "\"move_ms\": 86400000, \"bank_ms\": 5, \"max_faults\": 10000000, \"matches\": 10000000, "
    "\"deals\": 100000, \"schedule_seed\": 9007199254740992, \"seatings\": \"rotations\"}",
    "{\"bots\": [\"a\", \"b\", \"c\"], \"format\": \"gauntlet\", \"hero\": \"c\", \"seats\": 2, "
    "\"seatings\": \"single\", \"matches\": 7}",
    "{\"bots\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"], \"format\": \"swiss\", \"seats\": 6, "
    "\"rounds\": 100, \"rules\": {\"deck\": \"9,9,9,9,9,9,9,9,9,9,9,9,9\", \"knock\": \"off\", "
    "\"score_limit\": 0, \"rounds\": 100, \"talk\": true, \"failed_negative\": \"halve\"}, "
    "\"edition\": \"fr2020\"}",
    "{\"bots\": [{\"bot\": \"far\", \"name\": \"near\", \"remote\": \"s\"}, \"b\", "
    "{\"name\": \"c\", \"remote\": \"/s\"}], \"seatings\": \"single\", \"schedule_seed\": 0}",
};

static void check(const char *file, const struct config_catalogue *known)
{
    static const char path[] = "/a/b/file.json";
    struct config *config = config_read_with(span_of(file), path, known, on_problem, (void *)file);
    struct config *again;

    cr_assert_not_null(config);
    again = read_again(config, path);
    compare(config, again);
    config_free(config);
    config_free(again);
}

Test(config_write, a_config_that_is_written_and_read_is_the_same)
{
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        check(files[i], NULL);
}

Test(config_write, bots_that_were_looked_up_need_no_catalogue_any_more)
{
    check("{\"bots\": [\"ann\", \"bob\", {\"bot\": \"bob\", \"name\": \"bob-2\", \"environment\": "
          "{\"A\": \"\"}, \"memory_mb\": 77}, \"far\", {\"bot\": \"far\", \"name\": \"f2\"}],"
          "\"seatings\": \"single\"}",
          &catalogue);
}

Test(config_write, the_files_that_come_with_the_program_are_the_same)
{
    glob_t found;

    cr_assert_eq(glob("tournaments/*.json", 0, NULL, &found), 0);
    cr_assert_geq(found.gl_pathc, 4);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *path = realpath(found.gl_pathv[i], NULL);
        struct config *config = config_load(path, on_problem, path);
        struct config *again = read_again(config, path);

        compare(config, again);
        config_free(config);
        config_free(again);
        free(path);
    }
    globfree(&found);
}

Test(config_write, relative_paths_begin_at_the_folder_of_the_new_file)
{
    static const char file[] =
        "{\"bots\": [{\"command\": \"a\", \"folder\": \"../x\"}, \"b\"], \"output\": \"o\"}";
    struct config *config = config_read(file, strlen(file), "file.json", on_problem, (void *)file);
    struct config *again = read_again(config, "/dir/file.json");

    cr_assert_str_eq(again->bots[0].folder, "/dir/../x");
    cr_assert_str_eq(again->output, "/dir/o");
    cr_assert_null(again->bots[1].folder);
    config_free(config);
    config_free(again);
}
