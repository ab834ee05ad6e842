/* The identity of a bot: its folder, the files of its command, and where they are looked for. */

#include "base/directory_hash.h"

#include "base/memory.h"
#include "bot/bot_command.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(bot_identity, .init = scratch_begin, .fini = scratch_end);

static const char *hash_of(const char *name)
{
    static char hexes[4][65];
    static unsigned next;
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];
    char *hex = hexes[next++ % 4];

    crypto_hash_sha256_init(&state);
    directory_hash(&state, scratch_path(name));
    crypto_hash_sha256_final(&state, hash);
    return sodium_bin2hex(hex, 65, hash, sizeof hash);
}

static void write_words(const char *name, const char *message)
{
    scratch_write(name, message, strlen(message));
}

/* Folders as they could be mistaken for each other: "NAME=CONTENTS", "NAME>TARGET" for a link,
 * "NAME/" for a folder, "NAME|" for a pipe. */
static const char *const folders[][4] = {
    {NULL},       {"a="},    {"a=x"},        {"a=y"},          {"b=x"},    {"A=x"},
    {"a/"},       {"a>x"},   {"a>y"},        {"a|"},           {"a/b=x"},  {"a/b=", "x="},
    {"a=", "b="}, {"a=b="},  {"a=x", "b=y"}, {"a=y", "b=x"},   {"ab=xy"},  {"a=bxy"},
    {"a/", "b/"}, {"a/b/"},  {"a/b/", "c="}, {"a/b/", "a/c="}, {"a/b/c="}, {".hidden=x"},
    {"a=file 0"}, {"a=x\n"},
};

static void make_entry(const char *folder, const char *entry)
{
    char name[100];
    size_t length = strcspn(entry, "=>|");

    (void)snprintf(name, sizeof name, "%s/%.*s", folder, (int)length, entry);
    if (entry[length] == '=') {
        write_words(name, entry + length + 1);
    } else if (entry[length] == '>') {
        cr_assert_eq(symlink(entry + length + 1, scratch_path(name)), 0);
    } else if (entry[length] == '|') {
        cr_assert_eq(mkfifo(scratch_path(name), 0600), 0);
    } else {
        (void)snprintf(name, sizeof name, "%s/%sx", folder, entry);
        write_words(name, "");
        cr_assert_eq(unlink(scratch_path(name)), 0);
    }
}

static void make_folder(const char *folder, size_t i)
{
    cr_assert_eq(mkdir(scratch_path(folder), 0755), 0);
    for (size_t j = 0; j < 4 && folders[i][j] != NULL; j++)
        make_entry(folder, folders[i][j]);
}

Test(bot_identity, no_two_folders_look_alike_but_equal_ones_do)
{
    char hashes[ARRAY_LEN(folders)][65];
    char name[20];

    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        (void)snprintf(name, sizeof name, "one-%zu", i);
        make_folder(name, i);
        (void)strcpy(hashes[i], hash_of(name));
        (void)snprintf(name, sizeof name, "two-%zu", i);
        make_folder(name, i);
        cr_assert_str_eq(hash_of(name), hashes[i], "%zu", i);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(hashes[i], hashes[j], "%zu and %zu", i, j);
    }
}

Test(bot_identity, dates_modes_and_the_order_on_the_disk_do_not_count)
{
    struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 2}};
    char before[65];
    char name[20];

    for (int i = 0; i < 50; i++) {
        (void)snprintf(name, sizeof name, "one/f%d", i * 7 % 50);
        write_words(name, name + 4);
    }
    (void)strcpy(before, hash_of("one"));
    for (int i = 0; i < 50; i++) {
        (void)snprintf(name, sizeof name, "two/f%d", i * 11 % 50);
        write_words(name, name + 4);
    }
    cr_assert_str_eq(hash_of("two"), before);
    cr_assert_eq(utimensat(AT_FDCWD, scratch_path("one/f3"), times, 0), 0);
    cr_assert_eq(chmod(scratch_path("one/f4"), 0600), 0);
    cr_assert_str_eq(hash_of("one"), before);
    cr_assert_str_neq(hash_of("nowhere"), before);
}

/* Reads a command as it is meant in the folder "bot"; its hash is lent. */
static const char *read_in(const char *message, bool is_whole, struct bot_command *command)
{
    struct bot_command_place place = {scratch_path("bot"), is_whole, true};
    char sentence[300];
    struct text problem;

    text_start(&problem, sentence, sizeof sentence);
    cr_assert_eq(bot_command_read_in(command, &place, message, &problem), 0, "%s", sentence);
    return command->hash;
}

static const char *hash_of_command(const char *message, bool is_whole)
{
    static char hashes[4][BOT_COMMAND_HASH_HEX];
    static unsigned next;
    char *hash = hashes[next++ % 4];
    struct bot_command command;

    (void)strcpy(hash, read_in(message, is_whole, &command));
    bot_command_free(&command);
    return hash;
}

static void write_bot(void)
{
    write_words("bot/run", "#!/bin/sh\n");
    write_words("bot/data", "one");
    cr_assert_eq(chmod(scratch_path("bot/run"), 0755), 0);
}

Test(bot_identity, the_paths_of_a_command_begin_in_its_folder)
{
    char here[PATH_MAX];
    char after[PATH_MAX];
    struct bot_command command;

    write_bot();
    cr_assert_not_null(getcwd(here, sizeof here));
    (void)read_in("./run data", true, &command);
    cr_assert_str_eq(command.argv[0], scratch_path("bot/run"));
    cr_assert_str_eq(command.argv[1], "data");
    cr_assert_str_eq(command.text, "./run data");
    bot_command_free(&command);
    (void)read_in("run", true, &command);
    cr_assert_str_eq(command.argv[0], scratch_path("bot/run"));
    bot_command_free(&command);
    cr_assert_not_null(getcwd(after, sizeof after));
    cr_assert_str_eq(here, after, "it has not come back");
}

Test(bot_identity, all_files_of_a_whole_folder_count_and_only_named_ones_otherwise)
{
    char whole[65];
    char named[65];
    char bare[65];

    write_bot();
    (void)strcpy(whole, hash_of_command("./run", true));
    (void)strcpy(named, hash_of_command("./run data", false));
    (void)strcpy(bare, hash_of_command("./run", false));
    write_words("bot/data", "two");
    cr_assert_str_neq(hash_of_command("./run", true), whole);
    cr_assert_str_neq(hash_of_command("./run data", false), named);
    cr_assert_str_eq(hash_of_command("./run", false), bare);
    write_words("bot/data", "one");
    cr_assert_str_eq(hash_of_command("./run", true), whole);
    write_words("bot/run", "#!/bin/sh\n\n");
    cr_assert_str_neq(hash_of_command("./run", false), bare);
}

/* A stranger chooses the words, and learns the hash and what is said about them. */
Test(bot_identity, no_word_leads_out_of_a_whole_folder)
{
    static const char *const outside[] = {"../secret", "link", "/proc/kmsg", "sub/../../secret"};
    static const char *const programs[] = {"../program", "./out", "./up/program", "../nothing"};
    char plain[65];
    char before[65];
    char words[100];
    char target[200];

    write_bot();
    write_words("secret", "one");
    write_words("program", "#!/bin/sh\n");
    cr_assert_eq(chmod(scratch_path("program"), 0755), 0);
    cr_assert_eq(symlink("../secret", scratch_path("bot/link")), 0);
    cr_assert_eq(symlink("../program", scratch_path("bot/out")), 0);
    cr_assert_eq(symlink("..", scratch_path("bot/up")), 0);
    (void)strcpy(plain, hash_of_command("./run", true));
    for (size_t i = 0; i < ARRAY_LEN(outside); i++) {
        (void)snprintf(words, sizeof words, "./run %s", outside[i]);
        cr_expect_str_eq(hash_of_command(words, true), plain, "%s", words);
    }
    (void)snprintf(target, sizeof target, "./run %s", scratch_path("secret"));
    (void)strcpy(before, hash_of_command(target, true));
    write_words("secret", "two");
    cr_assert_str_eq(hash_of_command(target, true), before);
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        struct bot_command_place place = {scratch_path("bot"), true, false};
        char sentence[300];
        char expected[100];
        struct text problem;
        struct bot_command command;

        text_start(&problem, sentence, sizeof sentence);
        (void)snprintf(expected, sizeof expected, "there is no program \"%s\"", programs[i]);
        cr_expect_eq(bot_command_read_in(&command, &place, programs[i], &problem), -1);
        cr_expect_str_eq(sentence, expected);
        bot_command_free(&command);
    }
}

static const struct {
    const char *folder;
    const char *message;
    const char *problem;
} mistakes[] = {
    {"nowhere", "./run", "cannot be entered: No such file"},
    {"bot/run", "./run", "cannot be entered: Not a directory"},
    {"bot", "./no", "there is no program"},
    {"bot", "./data", "is not executable"},
    {"bot", "'./run", "a quote is not closed"},
    {"bot", "", "a bot name is empty"},
};

Test(bot_identity, a_command_that_cannot_be_run_there_is_explained)
{
    write_bot();
    for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
        struct bot_command_place place = {scratch_path(mistakes[i].folder), true, true};
        char sentence[300];
        struct text problem;
        struct bot_command command;

        text_start(&problem, sentence, sizeof sentence);
        cr_assert_eq(bot_command_read_in(&command, &place, mistakes[i].message, &problem), -1,
                     "%zu", i);
        cr_assert_not_null(strstr(sentence, mistakes[i].problem), "%zu: %s", i, sentence);
        bot_command_free(&command);
    }
}

/* Programs by their first bytes. A binary file of another kind may be known to the kernel. */
static const struct {
    const char *bytes;
    size_t length;
    const char *problem; /* NULL: it may be a program */
} beginnings[] = {
    {"\177ELF\2\1\1\0\0", 9, NULL},
    {"\312\376\272\276\0\0", 6, NULL},
    {"#!/bin/sh\nexit\n", 15, NULL},
    {"print('hello')\n", 15, "is a script without a first line that names its interpreter"},
    {"#", 1, "is a script without a first line"},
    {"", 0, "is empty"},
    {"#!/bin/sh\r\n", 11, "Windows line ends"},
    {"#!/nowhere/sh\n", 14, "\"/nowhere/sh\", which does not exist"},
};

Test(bot_identity, a_text_that_no_interpreter_is_named_for_is_no_program)
{
    for (size_t i = 0; i < ARRAY_LEN(beginnings); i++) {
        struct bot_command_place place = {.folder = NULL};
        char sentence[300];
        struct text problem;
        struct bot_command command;
        int result;

        scratch_write("program.py", beginnings[i].bytes, beginnings[i].length);
        cr_assert_eq(chmod(scratch_path("program.py"), 0755), 0);
        place.folder = scratch_path(".");
        text_start(&problem, sentence, sizeof sentence);
        result = bot_command_read_in(&command, &place, "./program.py", &problem);
        cr_expect_eq(result, beginnings[i].problem == NULL ? 0 : -1, "%zu: %s", i, sentence);
        if (beginnings[i].problem != NULL)
            cr_expect_not_null(strstr(sentence, beginnings[i].problem), "%zu: %s", i, sentence);
        bot_command_free(&command);
    }
}

Test(bot_identity, no_two_seats_have_the_same_name)
{
    static const char *const bots[] = {"x", "y", "x", "x-2", "x", "x-2"};
    static const char *const expected[] = {"x", "y", "x-2", "x-2-2", "x-3", "x-2-3"};
    char names[ARRAY_LEN(bots)][BOT_COMMAND_SEAT_NAME_BYTES];

    for (unsigned seat = 0; seat < ARRAY_LEN(bots); seat++) {
        bot_command_name_seat(names, seat, bots[seat]);
        cr_expect_str_eq(names[seat], expected[seat]);
    }
}
