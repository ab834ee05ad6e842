/* What may change in a tournament that has begun, and what the organiser is told about it. */

#include "tournament/play/resume_check.h"

#include "base/memory.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin_all(void)
{
    cr_assert_eq(deal_random_init(), 0);
    scratch_begin();
}

TestSuite(resume_check, .init = begin_all, .fini = scratch_end);

static char messages[4000];

static void add_message(void *context, const char *message)
{
    (void)context;
    (void)snprintf(messages + strlen(messages), sizeof messages - strlen(messages), "%s\n",
                   message);
}

static void on_problem(void *context, unsigned line, unsigned column, const char *message)
{
    (void)context;
    cr_assert_fail("%u:%u: %s", line, column, message);
}

/* Checks a file against the store. A bot's hash is its command up to the first blank. */
static int check(struct store *store, const char *file, bool accepts_changes)
{
    struct config *config = config_read(file, strlen(file), "cup.json", on_problem, NULL);
    struct resume_options options = {accepts_changes, "x", NULL, add_message, NULL};
    struct bot_setup *bot_setups = xcalloc(config->bot_count, sizeof *bot_setups);
    int result;

    messages[0] = '\0';
    for (unsigned i = 0; i < config->bot_count; i++) {
        struct bot_command *command = &bot_setups[i].command;

        command->text = config->bots[i].command;
        memcpy(command->hash, command->text, strcspn(command->text, " "));
    }
    result = resume_check(store, config, bot_setups, &options);
    free(bot_setups);
    config_free(config);
    return result;
}

#define BOTS "\"bots\":[\"a\",\"b\",\"c\"]"
#define CUP "{" BOTS ",\"seats\":2,\"deals\":3"
#define SWISS "{" BOTS ",\"seats\":2,\"format\":\"swiss\",\"rounds\":3"

enum consequence {
    FINE,     /* without a message */
    ACCEPTED, /* if the organiser accepts it */
    REFUSED,  /* in any case */
};

static const struct {
    const char *before;
    const char *after;
    enum consequence answer;
    const char *message;
} cases[] = {
    {CUP "}", CUP "}", FINE, ""},
    {CUP "}", CUP ",\"workers\":3,\"tables\":2,\"max_faults\":4,\"name\":\"other\"}", FINE, ""},
    {CUP "}", CUP ",\"rules\":{\"rounds\":2}}", REFUSED, "rules was"},
    {CUP "}", CUP ",\"edition\":\"fr2020\"}", REFUSED, "rules was"},
    {CUP "}", CUP ",\"variant\":\"ours\"}", FINE, ""},
    {CUP ",\"edition\":\"fr2020-66\"}",
     CUP ",\"edition\":\"fr2020\",\"rules\":{\"score_limit\":66}}", FINE, ""},
    {CUP ",\"edition\":\"fr2020-66\"}", CUP ",\"edition\":\"fr2020\"}", REFUSED, "rules was"},
    {CUP "}", CUP ",\"schedule_seed\":2}", REFUSED, "schedule_seed was 1 and is 2 now"},
    {CUP "}", CUP ",\"seatings\":\"rotations\"}", REFUSED, "seatings was single"},
    {CUP "}", CUP ",\"matches\":4}", REFUSED, "matches was 0 and is 4 now"},
    {CUP "}", "{" BOTS ",\"seats\":3,\"deals\":3}", REFUSED, "seats was 2 and is 3 now"},
    {CUP "}", CUP ",\"format\":\"gauntlet\"}", REFUSED, "format was round-robin"},
    {CUP ",\"format\":\"gauntlet\"}", CUP ",\"format\":\"gauntlet\",\"hero\":\"b\"}", REFUSED,
     "hero was a and is b now"},
    {CUP "}", "{" BOTS ",\"seats\":2,\"deals\":4}", ACCEPTED, "deals was 3 and is 4 now"},
    {CUP "}", "{" BOTS ",\"seats\":2,\"deals\":2}", REFUSED, "deals was 3 and is 2 now"},
    {CUP ",\"matches\":4}", "{" BOTS ",\"seats\":2,\"deals\":4,\"matches\":4}", REFUSED, "deals"},
    {SWISS "}", "{" BOTS ",\"seats\":2,\"format\":\"swiss\",\"rounds\":4}", ACCEPTED,
     "rounds was 3"},
    {SWISS "}", "{" BOTS ",\"seats\":2,\"format\":\"swiss\",\"rounds\":2}", REFUSED,
     "rounds was 3"},
    {SWISS "}", SWISS ",\"deals\":20}", REFUSED, "deals was"},
    {CUP "}", CUP ",\"clock\":\"wall\"}", ACCEPTED, "clock was fair and is wall now"},
    {CUP "}", CUP ",\"move_ms\":7}", ACCEPTED, "move_ms was 1000 and is 7 now"},
    {CUP "}", CUP ",\"start_ms\":77}", ACCEPTED, "start_ms was"},
    {CUP "}", CUP ",\"bank_ms\":7}", ACCEPTED, "bank_ms was 0 and is 7 now"},
    {CUP "}", CUP ",\"reuse\":true}", ACCEPTED, "reuse was no and is yes now"},
    {CUP "}", CUP ",\"contain\":\"none\"}", ACCEPTED, "contain was auto and is none now"},
    {CUP "}", "{\"bots\":[\"a\",\"b\",\"c\",\"d\"],\"seats\":2,\"deals\":3}", ACCEPTED,
     "bot d is new"},
    {CUP "}", "{\"bots\":[\"a\",\"c\"],\"seats\":2,\"deals\":3}", ACCEPTED, "bot b is withdrawn"},
    {CUP "}", "{\"bots\":[\"c\",\"b\",\"a\"],\"seats\":2,\"deals\":3}", FINE, ""},
    {CUP "}", "{\"bots\":[\"a\",\"b\",{\"name\":\"c\",\"command\":\"x\"}],\"seats\":2,\"deals\":3}",
     ACCEPTED, "bot c is not the same program"},
    {CUP "}", CUP ",\"move_ms\":7,\"schedule_seed\":2}", REFUSED, "move_ms was"},
};

static struct store *open_store(const char *name)
{
    char message[300];
    struct text problem;
    struct store *store;

    text_start(&problem, message, sizeof message);
    store = store_open(scratch_path(name), JOURNAL_WRITE, &problem);
    cr_assert_not_null(store, "%s", message);
    return store;
}

static void try_case(size_t i)
{
    char name[60];
    struct store *store;
    size_t length;
    size_t after;

    (void)snprintf(name, sizeof name, "store-%zu", i);
    store = open_store(name);
    cr_assert_eq(check(store, cases[i].before, false), 0, "%zu: %s", i, messages);
    cr_assert_str_eq(messages, "", "%zu", i);
    (void)snprintf(name, sizeof name, "store-%zu/results.ndjson", i);
    free(scratch_read(name, &length));
    cr_assert_eq(check(store, cases[i].after, false) == 0, cases[i].answer == FINE, "%zu: %s", i,
                 messages);
    cr_assert_not_null(strstr(messages, cases[i].message), "%zu: %s", i, messages);
    cr_assert_eq(strstr(messages, "--fresh") != NULL, cases[i].answer != FINE, "%zu: %s", i,
                 messages);
    cr_assert_eq(strstr(messages, "add --accept-changes") != NULL, cases[i].answer == ACCEPTED,
                 "%zu: %s", i, messages);
    free(scratch_read(name, &after));
    cr_assert(cases[i].answer == FINE || length == after, "%zu: it was written", i);
    cr_assert_eq(check(store, cases[i].after, true) == 0, cases[i].answer != REFUSED, "%zu: %s", i,
                 messages);
    if (cases[i].answer != REFUSED) {
        cr_assert_eq(check(store, cases[i].after, false), 0, "%zu: %s", i, messages);
        cr_assert_str_eq(messages, "", "%zu", i);
    }
    store_free(store);
}

Test(resume_check, each_change_is_fine_accepted_or_refused)
{
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        try_case(i);
}

Test(resume_check, bots_keep_their_numbers_and_generations)
{
    struct store *store = open_store("store");

    cr_assert_eq(check(store, CUP "}", false), 0);
    cr_assert_eq(check(store, "{\"bots\":[\"d\",\"c\",\"e\"],\"seats\":2,\"deals\":3}", true), 0);
    cr_assert_eq(check(store, "{\"bots\":[\"f\",\"b\",\"c\",\"d\"],\"seats\":2,\"deals\":3}", true),
                 0);
    cr_assert_eq(store_bot_count(store), 6);
    for (unsigned i = 0; i < 6; i++) {
        static const unsigned generations[] = {1, 1, 1, 2, 2, 3};
        static const bool is_withdrawn[] = {true, false, false, false, true, false};
        char name[] = {(char)('a' + i), '\0'};

        cr_assert_eq(store_find_bot(store, name), (int)i, "%s", name);
        cr_assert_eq(store_bot(store, i)->generation, generations[i], "%s", name);
        cr_assert_eq(store_bot(store, i)->is_withdrawn, is_withdrawn[i], "%s", name);
    }
    cr_assert_neq(
        check(store, "{\"bots\":[\"f\",\"b\",\"c\",\"d\"],\"seats\":2,\"deals\":4}", true), 0,
        "deals cannot grow once bots have joined");
    store_free(store);
}
