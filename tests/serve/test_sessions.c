/* Sessions: who has one, how it ends, and secrets that only fit their own session. */

#include "serve/http/sessions.h"

#include "support/scratch.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define END_US ((int64_t)SESSIONS_SECONDS * 1000000)

static char message[400];
static struct text problem;
static struct users *users;
static struct sessions *sessions;
static char anna[USERS_TOKEN_BYTES], bert[USERS_TOKEN_BYTES];

static void add(const char *name, char token[USERS_TOKEN_BYTES])
{
    text_start(&problem, message, sizeof message);
    cr_assert_eq(
        users_add(scratch_path("users"), &(struct new_user){.name = name}, token, &problem), 0,
        "%s", message);
}

static void begin(void)
{
    cr_assert_geq(sodium_init(), 0);
    scratch_begin();
    add("anna", anna);
    add("bert", bert);
    users = users_open(scratch_path("users"), &problem);
    cr_assert_not_null(users, "%s", message);
    sessions = sessions_new(users);
}

static void end(void)
{
    sessions_free(sessions);
    users_free(users);
    scratch_end();
}

TestSuite(sessions, .init = begin, .fini = end);

static void expect_user(const char *id, int64_t now_us, const char *user)
{
    const char *found = sessions_find(sessions, span_of(id), now_us);

    cr_expect_str_eq(found != NULL ? found : "nobody", user);
}

Test(sessions, a_session_is_its_users_and_nobody_elses)
{
    char one[SESSIONS_ID_BYTES], two[SESSIONS_ID_BYTES];

    cr_expect_null(sessions_open(sessions, span_of("wrong"), 0, one));
    cr_expect_null(sessions_open(sessions, span_of(""), 0, one));
    cr_expect_str_eq(sessions_open(sessions, span_of(anna), 0, one), "anna");
    cr_expect_str_eq(sessions_open(sessions, span_of(bert), 0, two), "bert");
    cr_expect_str_neq(one, two);
    expect_user(one, 0, "anna");
    expect_user(two, 0, "bert");
    expect_user("", 0, "nobody");
    expect_user(anna, 0, "nobody");
    one[0] = one[0] == '0' ? '1' : '0';
    expect_user(one, 0, "nobody");
}

Test(sessions, a_session_ends_by_itself_and_when_it_is_closed)
{
    char one[SESSIONS_ID_BYTES], two[SESSIONS_ID_BYTES];

    sessions_open(sessions, span_of(anna), 5, one);
    sessions_open(sessions, span_of(anna), 5, two);
    expect_user(one, 5 + END_US - 1, "anna");
    expect_user(one, 5 + END_US, "nobody");
    sessions_close(sessions, span_of(one));
    sessions_close(sessions, span_of("unknown"));
    expect_user(one, 5, "nobody");
    expect_user(two, 5, "anna");
    sessions_open(sessions, span_of(bert), 6 + END_US, one);
    cr_expect_eq(sessions_count(sessions), 1);
}

Test(sessions, a_new_token_ends_the_sessions_of_the_old_one)
{
    char one[SESSIONS_ID_BYTES], two[SESSIONS_ID_BYTES];

    sessions_open(sessions, span_of(anna), 0, one);
    sessions_open(sessions, span_of(bert), 0, two);
    add("anna", anna);
    cr_assert_eq(users_reload(users, &problem), 0);
    expect_user(one, 0, "nobody");
    expect_user(two, 0, "bert");
}

Test(sessions, one_user_has_only_a_share_of_them)
{
    char ids[SESSIONS_PER_USER + 2][SESSIONS_ID_BYTES];
    char other[SESSIONS_ID_BYTES];

    sessions_open(sessions, span_of(bert), 0, other);
    for (unsigned i = 0; i < SESSIONS_PER_USER + 2; i++)
        sessions_open(sessions, span_of(anna), i, ids[i]);
    cr_expect_eq(sessions_count(sessions), SESSIONS_PER_USER + 1);
    expect_user(ids[0], 100, "nobody");
    expect_user(ids[1], 100, "nobody");
    for (unsigned i = 2; i < SESSIONS_PER_USER + 2; i++)
        expect_user(ids[i], 100, "anna");
    expect_user(other, 100, "bert");
}

Test(sessions, there_is_an_end_to_all_sessions_together)
{
    char token[USERS_TOKEN_BYTES], name[16];
    char first[SESSIONS_ID_BYTES], last[SESSIONS_ID_BYTES];

    sessions_open(sessions, span_of(anna), 0, first);
    for (unsigned user = 0; user < SESSIONS_MAX / SESSIONS_PER_USER; user++) {
        snprintf(name, sizeof name, "user%u", user);
        add(name, token);
        cr_assert_eq(users_reload(users, &problem), 0);
        for (unsigned i = 0; i < SESSIONS_PER_USER; i++)
            sessions_open(sessions, span_of(token), 1, last);
    }
    cr_expect_eq(sessions_count(sessions), SESSIONS_MAX);
    expect_user(first, 1, "nobody");
    expect_user(last, 1, name);
}

Test(sessions, a_secret_fits_one_identity)
{
    char one[SESSIONS_SECRET_BYTES], two[SESSIONS_SECRET_BYTES];
    struct sessions *others = sessions_new(users);

    sessions_make_secret(sessions, "one", one);
    sessions_make_secret(sessions, "two", two);
    cr_expect(sessions_is_secret(sessions, "one", one));
    cr_expect_not(sessions_is_secret(sessions, "one", two));
    cr_expect_not(sessions_is_secret(sessions, "two", one));
    cr_expect_not(sessions_is_secret(sessions, "one", NULL));
    cr_expect_not(sessions_is_secret(sessions, "one", ""));
    cr_expect_not(sessions_is_secret(others, "one", one), "another daemon has the same key");
    one[strlen(one) - 1] = '\0';
    cr_expect_not(sessions_is_secret(sessions, "one", one));
    sessions_free(others);
}
