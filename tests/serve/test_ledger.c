/* The ledger: everything in it is read again. */

#include "serve/queue/ledger.h"

#include "bot/bot.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

TestSuite(ledger, .init = scratch_begin, .fini = scratch_end);

static char message[400];

static struct ledger *open_ledger(void)
{
    struct text problem;

    text_start(&problem, message, sizeof message);
    return ledger_open(scratch_path("ledger"), &problem);
}

static unsigned add_bot(struct ledger *ledger, const char *name, const char *user)
{
    struct ledger_bot bot = {.user = (char *)user,
                             .command = "./bot.py",
                             .is_upload = true,
                             .folder = "bots/x/1",
                             .memory_mb = 300};

    strcpy(bot.name, name);
    return ledger_add_bot(ledger, &bot);
}

static unsigned add_job(struct ledger *ledger, const char *user, unsigned one, unsigned other)
{
    struct job_bot bots[] = {{one, "a"}, {other, "b"}};
    struct job job = {.user = (char *)user,
                      .title = "a \"cup\" \xc3\xa4",
                      .is_match = true,
                      .is_official = true,
                      .bots = bots,
                      .bot_count = 2,
                      .config = "{\"name\": 1}"};

    return ledger_add_job(ledger, &job);
}

Test(ledger, versions_of_a_bot_are_counted_whatever_the_case)
{
    struct ledger *ledger = open_ledger();

    add_bot(ledger, "anna", "u");
    add_bot(ledger, "bert", "u");
    add_bot(ledger, "anna", "u");
    cr_expect_eq(ledger_bot(ledger, 2)->version, 2);
    cr_expect_eq(ledger_find_bot(ledger, "ANNA"), 2);
    cr_expect_eq(ledger_find_bot(ledger, "bert"), 1);
    cr_expect_eq(ledger_find_bot(ledger, "carl"), -1);
    cr_expect_null(ledger_bot(ledger, 3));
    cr_expect_null(ledger_bot(ledger, LEDGER_NO_BOT));
    ledger_free(ledger);
}

static void expect_same_bot(const struct ledger_bot *one, const struct ledger_bot *other)
{
    cr_expect_str_eq(one->name, other->name);
    cr_expect_eq(one->version, other->version);
    cr_expect_str_eq(one->user, other->user);
    cr_expect_str_eq(one->command, other->command);
    cr_expect_str_eq(one->folder, other->folder);
    cr_expect_null(other->build);
    cr_expect_eq(one->memory_mb, other->memory_mb);
    cr_expect_eq(one->is_upload, other->is_upload);
    cr_expect_eq(one->submitted_s, other->submitted_s);
    cr_expect_eq(one->matches, other->matches);
    cr_expect_eq(one->wins, other->wins);
    cr_expect_eq(one->median_us, other->median_us);
    cr_expect_eq(one->p99_us, other->p99_us);
    cr_expect_eq(memcmp(one->faults, other->faults, sizeof one->faults), 0);
}

static void expect_same_job(const struct job *one, const struct job *other)
{
    cr_expect_eq(one->number, other->number);
    cr_expect_str_eq(one->user, other->user);
    cr_expect_str_eq(one->title, other->title);
    cr_expect_eq(one->is_match, other->is_match);
    cr_expect_eq(one->is_official, other->is_official);
    cr_expect_eq(one->state, other->state);
    cr_expect_eq(one->bot_count, other->bot_count);
    for (unsigned i = 0; i < one->bot_count; i++) {
        cr_expect_eq(one->bots[i].place, other->bots[i].place);
        cr_expect_str_eq(one->bots[i].name, other->bots[i].name);
    }
    cr_expect_eq(one->decided, other->decided);
    cr_expect_eq(one->matches, other->matches);
    cr_expect_eq(one->submitted_s, other->submitted_s);
    cr_expect_eq(one->ended_s, other->ended_s);
    cr_expect_str_eq(one->message, other->message);
    cr_expect_eq(one->config == NULL, other->config == NULL);
    if (one->config != NULL)
        cr_expect_str_eq(one->config, other->config);
}

Test(ledger, everything_that_was_written_is_read_again)
{
    struct ledger *ledger = open_ledger();
    struct ledger *again;
    struct ledger_score scores[2] = {
        {.matches = 6, .wins = 4, .median_us = 12, .p99_us = 90, .faults = {[BOT_LATE] = 2}},
        {.matches = 6, .wins = 2, .median_us = 7, .p99_us = 8}};

    add_bot(ledger, "anna", "u");
    add_bot(ledger, "bert", "v");
    add_job(ledger, "u", 0, 1);
    add_job(ledger, "v", 1, LEDGER_NO_BOT);
    add_job(ledger, "v", 0, 0);
    ledger_set_progress(ledger, 1, 6, 6);
    ledger_end_job(ledger, 1, JOB_DONE, "", scores);
    ledger_end_job(ledger, 3, JOB_FAILED, "its bot \"x\" cannot be run", NULL);
    cr_assert_eq(ledger_write(ledger), 0);
    again = open_ledger();
    cr_assert_not_null(again, "%s", message);
    cr_assert_eq(ledger_bot_count(again), 2);
    cr_assert_eq(ledger_job_count(again), 3);
    for (unsigned i = 0; i < 2; i++)
        expect_same_bot(ledger_bot(ledger, i), ledger_bot(again, i));
    for (unsigned i = 1; i <= 3; i++)
        expect_same_job(ledger_job(ledger, i), ledger_job(again, i));
    cr_expect_eq(ledger_bot(again, 0)->faults[BOT_LATE], 2);
    cr_expect_eq(ledger_waiting(again, NULL), 1);
    cr_expect_eq(ledger_waiting(again, "v"), 1);
    cr_expect_eq(ledger_waiting(again, "u"), 0);
    ledger_free(again);
    ledger_free(ledger);
}

Test(ledger, a_job_that_was_playing_is_queued_when_the_ledger_is_opened)
{
    struct ledger *ledger = open_ledger();

    add_bot(ledger, "anna", "u");
    add_job(ledger, "u", 0, 0);
    cr_assert_eq(ledger_write(ledger), 0);
    ledger_set_state(ledger, 1, JOB_PLAYING);
    ledger_free(ledger);
    ledger = open_ledger();
    cr_expect_eq(ledger_job(ledger, 1)->state, JOB_QUEUED);
    cr_expect_str_eq(ledger_job(ledger, 1)->config, "{\"name\": 1}");
    ledger_free(ledger);
}

Test(ledger, an_addition_that_cannot_be_written_can_be_taken_back)
{
    struct ledger *ledger = open_ledger();
    struct rlimit limit = {200, RLIM_INFINITY};
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};

    add_bot(ledger, "anna", "u");
    add_job(ledger, "u", 0, 0);
    cr_assert_eq(ledger_write(ledger), 0);
    (void)signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ledger_end_job(ledger, 1, JOB_CANCELLED, "", NULL);
    cr_expect_neq(ledger_write(ledger), 0);
    add_bot(ledger, "bert", "u");
    cr_expect_neq(ledger_write(ledger), 0);
    ledger_take_back(ledger);
    add_job(ledger, "u", 0, 0);
    cr_expect_neq(ledger_write(ledger), 0);
    ledger_take_back(ledger);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    cr_expect_eq(ledger_find_bot(ledger, "bert"), -1);
    add_bot(ledger, "carl", "u");
    cr_expect_eq(ledger_write(ledger), 0);
    ledger_free(ledger);
    ledger = open_ledger();
    cr_assert_not_null(ledger, "%s", message);
    cr_expect_eq(ledger_bot_count(ledger), 2);
    cr_expect_eq(ledger_find_bot(ledger, "carl"), 1);
    cr_expect_eq(ledger_job(ledger, 1)->state, JOB_CANCELLED);
    cr_expect_eq(ledger_waiting(ledger, NULL), 0);
    ledger_free(ledger);
}

Test(ledger, a_changed_ledger_is_refused_with_the_line)
{
    struct ledger *ledger = open_ledger();
    size_t length;
    char *file;

    add_bot(ledger, "anna", "u");
    add_job(ledger, "u", 0, 0);
    add_job(ledger, "u", 0, 0);
    cr_assert_eq(ledger_write(ledger), 0);
    ledger_free(ledger);
    file = scratch_read("ledger", &length);
    *strstr(file, "cup") = 'C';
    scratch_write("ledger", file, length);
    free(file);
    cr_expect_null(open_ledger());
    cr_expect_not_null(strstr(message, "line 2"), "%s", message);
}
