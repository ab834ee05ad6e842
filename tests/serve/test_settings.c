/* The settings of a daemon: the file, its mistakes, and its help. */

#include "serve/queue/settings.h"

#include "support/scratch.h"

#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(settings, .init = scratch_begin, .fini = scratch_end);

static char message[700];

static void write_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

static int read_text(struct settings *settings, const char *file)
{
    struct text problem;

    text_start(&problem, message, sizeof message);
    return settings_read(settings, span_of(file), "club.json", &problem);
}

Test(settings, keys_that_are_missing_have_their_defaults)
{
    struct settings before = settings_default(), settings = before;

    cr_expect_eq(read_text(&settings, "// nothing\n{}"), 0, "%s", message);
    cr_expect_eq(memcmp(&settings, &before, sizeof settings), 0);
    cr_expect_eq(read_text(&settings, "{\"move_ms\": 5, /* and */ \"jobs\": 7}"), 0, "%s", message);
    cr_expect_eq(settings.move_ms, 5);
    cr_expect_eq(settings.jobs, 7);
    cr_expect_eq(settings.start_ms, before.start_ms);
    cr_expect_eq(read_text(&settings, "{\"jobs\": 8}"), 0, "%s", message);
    cr_expect_eq(settings.move_ms, before.move_ms, "what the file no longer has");
}

Test(settings, a_mistake_is_reported_with_its_place_and_changes_nothing)
{
    static const struct {
        const char *file;
        const char *message;
    } cases[] = {
        {"{\n  \"move_mss\": 5}", "club.json, line 2, column 3: there is no key \"move_mss\"; did "
                                  "you mean \"move_ms\"?"},
        {"{\"colour\": 5}",
         "club.json, line 1, column 2: there is no key \"colour\"; `referee serve "
         "--keys` shows all keys"},
        {"{\"move_ms\": \"5\"}",
         "club.json, line 1, column 13: move_ms takes a number from 1 to 86400000"},
        {"{\"move_ms\": 0}",
         "club.json, line 1, column 13: move_ms takes a number from 1 to 86400000"},
        {"{\"jobs\": 1.5}", "club.json, line 1, column 10: jobs takes a number from 1 to 10000"},
        {"{\"jobs\": 1, \"jobs\": 2}", "club.json, line 1, column 13: jobs is given twice"},
        {"[]", "club.json, line 1, column 1: the file takes a map, {\"move_ms\": 10000}"},
    };
    struct settings before = settings_default(), settings = before;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        cr_expect_eq(read_text(&settings, cases[i].file), -1, "%s", cases[i].file);
        cr_expect_str_eq(message, cases[i].message);
    }
    cr_expect_eq(read_text(&settings, "{\"jobs\": 3, "), -1);
    cr_expect_eq(memcmp(&settings, &before, sizeof settings), 0);
}

Test(settings, only_a_regular_file_of_bounded_size_is_read)
{
    static char large[65537];
    struct settings settings;
    struct text problem;

    memset(large, ' ', sizeof large);
    memcpy(large, "{\"jobs\": 9}", 11);
    scratch_write("large", large, sizeof large);
    scratch_write("fits", large, sizeof large - 1);
    cr_assert_eq(mkfifo(scratch_path("fifo"), 0600), 0);
    text_start(&problem, message, sizeof message);
    cr_expect_eq(settings_load(&settings, scratch_path("fits"), &problem), 0, "%s", message);
    cr_expect_eq(settings.jobs, 9);
    cr_expect_eq(settings_load(&settings, scratch_path("large"), &problem), -1);
    cr_expect_eq(settings_load(&settings, scratch_path("fifo"), &problem), -1);
    cr_expect_eq(settings_load(&settings, "/dev/zero", &problem), -1);
    cr_expect_eq(settings_load(&settings, scratch_path("none"), &problem), -1);
}

Test(settings, the_help_has_every_key)
{
    char help[SETTINGS_KEYS_MAX];
    struct text text;
    unsigned lines = 0;

    text_start(&text, help, sizeof help);
    settings_write_keys(&text);
    for (const char *at = help; *at != '\0'; at++)
        lines += *at == '\n';
    /* All but one are numbers. */
    cr_expect_eq(lines, 2 * (offsetof(struct settings, on_result) / sizeof(long) + 1));
    cr_expect_not_null(strstr(help, "idle_ms\n    time without a request"), "%s", help);
    cr_expect_lt(strlen(help), sizeof help - 1);
}

Test(settings, a_command_is_taken_only_from_a_file_that_nobody_else_can_write)
{
    struct settings settings = settings_default();
    struct text problem;

    text_start(&problem, message, sizeof message);
    write_text("file", "{\"on_result\": \"mail\", \"jobs\": 7}");
    cr_assert_eq(chmod(scratch_path("file"), 0644), 0);
    cr_expect_eq(settings_load(&settings, scratch_path("file"), &problem), 0, "%s", message);
    cr_expect_str_eq(settings.on_result, "mail");
    cr_assert_eq(chmod(scratch_path("file"), 0664), 0);
    write_text("other", "{\"on_result\": 7}");
    settings = settings_default();
    cr_expect_eq(settings_load(&settings, scratch_path("file"), &problem), -1);
    cr_expect_not_null(strstr(message, "others can write"), "%s", message);
    cr_expect_str_eq(settings.on_result, "");
    cr_expect_eq(settings_load(&settings, scratch_path("other"), &problem), -1);
}
