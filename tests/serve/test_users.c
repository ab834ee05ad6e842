/* Tokens: each identifies its user and nobody else. */

#include "serve/queue/users.h"

#include "support/scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(users, .init = scratch_begin, .fini = scratch_end);

static char message[400];
static struct text problem;

static struct users *open_users(void)
{
    text_start(&problem, message, sizeof message);
    return users_open(scratch_path("users"), &problem);
}

static void add(const char *name, char token[USERS_TOKEN_BYTES])
{
    text_start(&problem, message, sizeof message);
    cr_assert_eq(
        users_add(scratch_path("users"), &(struct new_user){.name = name}, token, &problem), 0,
        "%s", message);
}

static void expect_user(const struct users *users, const char *token, const char *name)
{
    const char *found = users_find(users, span_of(token));

    if (name == NULL)
        cr_expect_null(found, "%s is the token of %s", token, found);
    else
        cr_expect_str_eq(found != NULL ? found : "nobody", name);
}

Test(users, a_missing_file_has_no_users)
{
    struct users *users = open_users();

    cr_assert_not_null(users);
    cr_expect_eq(users_count(users), 0);
    expect_user(users, "", NULL);
    users_free(users);
}

Test(users, a_token_is_known_and_similar_ones_are_not)
{
    char anna[USERS_TOKEN_BYTES];
    char bert[USERS_TOKEN_BYTES];
    struct users *users;

    add("anna", anna);
    add("bert", bert);
    users = open_users();
    cr_assert_not_null(users, "%s", message);
    cr_expect_eq(users_count(users), 2);
    expect_user(users, anna, "anna");
    expect_user(users, bert, "bert");
    anna[31] = anna[31] == '0' ? '1' : '0';
    expect_user(users, anna, NULL);
    anna[31] = '\0';
    expect_user(users, anna, NULL);
    expect_user(users, "", NULL);
    users_free(users);
}

Test(users, a_new_token_replaces_the_old_one_after_a_reload)
{
    char before[USERS_TOKEN_BYTES];
    char after[USERS_TOKEN_BYTES];
    struct users *users;

    add("anna", before);
    users = open_users();
    add("anna", after);
    expect_user(users, before, "anna");
    cr_expect_eq(users_reload(users, &problem), 0);
    expect_user(users, before, NULL);
    expect_user(users, after, "anna");
    cr_expect_eq(users_count(users), 1);
    users_free(users);
}

Test(users, tokens_are_not_stored_and_the_file_is_private)
{
    char token[USERS_TOKEN_BYTES];
    struct stat status;
    size_t length;
    char *file;

    add("anna", token);
    file = scratch_read("users", &length);
    cr_expect_null(strstr(file, token));
    free(file);
    cr_assert_eq(stat(scratch_path("users"), &status), 0);
    cr_expect_eq(status.st_mode & 0777, 0600);
}

Test(users, a_file_that_others_can_read_is_refused_and_a_reload_of_it_changes_nothing)
{
    char token[USERS_TOKEN_BYTES];
    struct users *users;

    add("anna", token);
    users = open_users();
    cr_assert_eq(chmod(scratch_path("users"), 0640), 0);
    cr_expect_null(open_users());
    cr_expect_not_null(strstr(message, "chmod 600"), "%s", message);
    cr_expect_neq(users_reload(users, &problem), 0);
    expect_user(users, token, "anna");
    users_free(users);
}

Test(users, a_line_that_is_not_a_user_is_reported)
{
    static const char *const lines[] = {
        "anna\n",
        "anna 12\n",
        "-anna e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n",
        "anna e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 more\n",
        "owner e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n",
        "../x e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n"};

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        char file[300];
        int length = snprintf(file, sizeof file, "# users\n\n%s", lines[i]);

        scratch_write("users", file, (size_t)length);
        cr_assert_eq(chmod(scratch_path("users"), 0600), 0);
        cr_expect_null(open_users(), "%s", lines[i]);
        cr_expect_not_null(strstr(message, "line 3"), "%s", message);
    }
}

Test(users, invalid_names_get_no_token)
{
    static const char *const names[] = {
        "", "a b", "../x", "-a", "a/b", "\xc3\xa4", "abcdefghijklmnopqrstuvwxyz0123456"};
    char token[USERS_TOKEN_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        text_start(&problem, message, sizeof message);
        cr_expect_neq(
            users_add(scratch_path("users"), &(struct new_user){.name = names[i]}, token, &problem),
            0, "%s", names[i]);
    }
}
