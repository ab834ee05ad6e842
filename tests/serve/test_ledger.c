/* The ledger: everything in it is read again. */

#include "serve/queue/ledger.h"

#include "bot/bot.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

TestSuite(ledger, .init = scratch_begin, .fini = scratch_end);

static char message[400];

static struct ledger *open_in_mode(enum journal_mode mode)
{
    struct text problem;

    text_start(&problem, message, sizeof message);
    return ledger_open(scratch_path("ledger"), mode, &problem);
}

static struct ledger *open_ledger(void)
{
    return open_in_mode(JOURNAL_WRITE);
}

static const char hash[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static unsigned add_bot(struct ledger *ledger, const char *name, const char *user)
{
    struct ledger_bot bot = {.user = user,
                             .command = "./bot.py",
                             .build = "make",
                             .is_upload = true,
                             .folder = "bots/x/1",
                             .memory_mb = 300};

    strcpy(bot.name, name);
    return ledger_add_bot(ledger, &bot);
}

static void end_job(struct ledger *ledger, unsigned number, enum job_state state,
                    const char *message_of, const struct ledger_score *scores)
{
    ledger_end_job(ledger, number,
                   &(struct job_end){.state = state, .message = message_of, .scores = scores});
}

static unsigned add_job(struct ledger *ledger, const char *user, unsigned one, unsigned other)
{
    struct job_bot bots[] = {{.place = one, .name = "a"}, {.place = other, .name = "b"}};
    struct job job = {.user = user,
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

Test(ledger, a_bot_without_a_version_is_the_newest_that_said_hello)
{
    struct ledger *ledger = open_ledger();

    for (unsigned i = 0; i < 3; i++)
        add_bot(ledger, "anna", "u");
    cr_expect_eq(ledger_choose_bot(ledger, "anna"), 2);
    ledger_end_trial(ledger, 0, TRIAL_OK, TRIAL_OK);
    ledger_end_trial(ledger, 1, TRIAL_FAILED, TRIAL_NONE);
    cr_expect_eq(ledger_choose_bot(ledger, "Anna"), 0);
    cr_expect_eq(ledger_choose_bot(ledger, "anna@2"), 1);
    cr_expect_eq(ledger_choose_bot(ledger, "anna@4"), -1);
    ledger_end_trial(ledger, 2, TRIAL_UNKNOWN, TRIAL_UNKNOWN);
    cr_expect_eq(ledger_choose_bot(ledger, "anna"), 2);
    ledger_free(ledger);
}

Test(ledger, what_came_of_a_trial_is_read_again)
{
    struct ledger *ledger = open_ledger();

    for (unsigned i = 0; i < 4; i++)
        add_bot(ledger, "anna", "u");
    ledger_set_source(ledger, 0, hash);
    ledger_set_build_bytes(ledger, 0, 4711);
    ledger_end_trial(ledger, 0, TRIAL_OK, TRIAL_OK);
    ledger_end_check(ledger, 0, TRIAL_FAILED);
    ledger_end_trial(ledger, 1, TRIAL_FAILED, TRIAL_NONE);
    ledger_end_trial(ledger, 2, TRIAL_NONE, TRIAL_OK);
    cr_expect_eq(ledger_write(ledger), 0);
    ledger_free(ledger);
    ledger = open_ledger();
    cr_expect_eq(ledger_bot(ledger, 0)->trial[TRIAL_BUILD], TRIAL_OK);
    cr_expect_eq(ledger_bot(ledger, 0)->trial[TRIAL_CHECK], TRIAL_FAILED);
    cr_expect_str_eq(ledger_bot(ledger, 0)->source_hash, hash);
    cr_expect_null(ledger_bot(ledger, 1)->source_hash);
    cr_expect_eq(ledger_bytes(ledger, "u"), 4711);
    cr_expect_eq(ledger_bot(ledger, 1)->trial[TRIAL_BUILD], TRIAL_FAILED);
    cr_expect_eq(ledger_bot(ledger, 1)->trial[TRIAL_CHECK], TRIAL_NONE);
    cr_expect_eq(ledger_bot(ledger, 2)->trial[TRIAL_HELLO], TRIAL_OK);
    cr_expect_eq(ledger_bot(ledger, 2)->trial[TRIAL_CHECK], TRIAL_WAITING);
    cr_expect_not(trial_is_over(ledger_bot(ledger, 3)));
    ledger_free(ledger);
}

static void expect_same_bot(const struct ledger_bot *one, const struct ledger_bot *other)
{
    cr_expect_str_eq(one->name, other->name);
    cr_expect_eq(one->version, other->version);
    cr_expect_str_eq(one->user, other->user);
    cr_expect_str_eq(one->command, other->command);
    cr_expect_str_eq(one->folder, other->folder);
    cr_expect_str_eq(other->build, "make");
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
    cr_expect_str_eq(job_message(one), job_message(other));
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
    end_job(ledger, 1, JOB_DONE, "", scores);
    end_job(ledger, 3, JOB_FAILED, "its bot \"x\" cannot be run", NULL);
    cr_assert_eq(ledger_write(ledger), 0);
    again = open_in_mode(JOURNAL_READ);
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
    end_job(ledger, 1, JOB_CANCELLED, "", NULL);
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
    cr_assert_eq(ledger_write(ledger), 0);
    add_job(ledger, "u", 0, 0);
    cr_assert_eq(ledger_write(ledger), 0);
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

/* One job that waits, one that plays, one that is paused and one that has failed. */
static struct ledger *make_jobs(void)
{
    static const struct ledger_score scores[2] = {{.matches = 3, .wins = 1},
                                                  {.matches = 3, .wins = 2}};
    struct ledger *ledger = open_ledger();

    cr_assert_eq(ledger_begin(ledger), 0);
    add_bot(ledger, "anna", "u");
    for (int i = 0; i < 4; i++)
        add_job(ledger, "u", 0, LEDGER_NO_BOT);
    ledger_set_state(ledger, 2, JOB_PLAYING);
    ledger_set_progress(ledger, 2, 2, 5);
    end_job(ledger, 3, JOB_PAUSED, "void", scores);
    end_job(ledger, 4, JOB_FAILED, "killed", NULL);
    cr_assert_eq(ledger_write(ledger), 0);
    return ledger;
}

Test(ledger, a_cancelled_job_is_over_after_a_restart_whether_it_waited_or_played)
{
    struct ledger *ledger = make_jobs();

    cr_assert_eq(ledger_cancel_job(ledger, 1), 0);
    cr_assert_eq(ledger_cancel_job(ledger, 2), 0);
    cr_expect_eq(ledger_job(ledger, 1)->state, JOB_CANCELLED);
    cr_expect_eq(ledger_job(ledger, 2)->state, JOB_PLAYING);
    cr_expect_eq(ledger_waiting(ledger, NULL), 1);
    ledger_free(ledger);
    ledger = open_ledger();
    cr_assert_not_null(ledger, "%s", message);
    cr_expect_eq(ledger_job(ledger, 1)->state, JOB_CANCELLED);
    cr_expect_eq(ledger_job(ledger, 2)->state, JOB_CANCELLED);
    cr_expect_eq(ledger_job(ledger, 2)->decided, 2);
    cr_expect_eq(ledger_job(ledger, 2)->matches, 5);
    cr_expect_gt(ledger_job(ledger, 2)->ended_s, 0);
    cr_expect_eq(ledger_waiting(ledger, NULL), 0);
    ledger_free(ledger);
}

Test(ledger, a_job_that_was_cancelled_while_it_played_has_the_end_that_came_later)
{
    static const struct ledger_score scores[2] = {{.matches = 4}, {.matches = 4}};
    struct ledger *ledger = make_jobs();

    cr_assert_eq(ledger_cancel_job(ledger, 2), 0);
    ledger_set_progress(ledger, 2, 4, 5);
    end_job(ledger, 2, JOB_CANCELLED, "", scores);
    cr_assert_eq(ledger_write(ledger), 0);
    ledger_free(ledger);
    ledger = open_ledger();
    cr_assert_not_null(ledger, "%s", message);
    cr_expect_eq(ledger_job(ledger, 2)->state, JOB_CANCELLED);
    cr_expect_eq(ledger_job(ledger, 2)->decided, 4);
    cr_expect_eq(ledger_bot(ledger, 0)->matches, 4);
    ledger_free(ledger);
}

Test(ledger, a_resumed_job_waits_again_with_its_config_and_counts_once)
{
    static const struct ledger_score scores[2] = {{.matches = 5, .wins = 2}, {.matches = 5}};
    struct ledger *ledger = make_jobs();
    char *config;

    cr_expect_eq(ledger_bot(ledger, 0)->matches, 0, "a paused job counts when it is done");
    for (unsigned number = 3; number <= 4; number++)
        cr_assert_eq(ledger_resume_job(ledger, number), 0);
    for (int restarts = 0; restarts < 2; restarts++) {
        for (unsigned number = 3; number <= 4; number++) {
            const struct job *job = ledger_job(ledger, number);

            cr_expect_eq(job->state, JOB_QUEUED);
            cr_expect_str_empty(job_message(job));
            config = ledger_read_config(ledger, job);
            cr_assert_not_null(config);
            cr_expect_str_eq(config, "{\"name\": 1}");
            free(config);
        }
        ledger_free(ledger);
        ledger = open_ledger();
        cr_assert_not_null(ledger, "%s", message);
    }
    end_job(ledger, 3, JOB_DONE, "", scores);
    cr_assert_eq(ledger_write(ledger), 0);
    ledger_free(ledger);
    ledger = open_ledger();
    cr_assert_not_null(ledger, "%s", message);
    cr_expect_eq(ledger_job(ledger, 3)->state, JOB_DONE);
    cr_expect_eq(ledger_bot(ledger, 0)->matches, 5);
    ledger_free(ledger);
}

Test(ledger, a_cancel_or_resume_that_cannot_be_written_changes_nothing)
{
    struct ledger *ledger = make_jobs();
    struct rlimit limit = {200, RLIM_INFINITY};
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};

    (void)signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_neq(ledger_cancel_job(ledger, 1), 0);
    cr_expect_neq(ledger_cancel_job(ledger, 2), 0);
    cr_expect_neq(ledger_resume_job(ledger, 3), 0);
    cr_expect_eq(ledger_job(ledger, 1)->state, JOB_QUEUED);
    cr_expect_not(ledger_job(ledger, 2)->is_cancelled);
    cr_expect_eq(ledger_job(ledger, 3)->state, JOB_PAUSED);
    cr_expect_eq(ledger_waiting(ledger, NULL), 2);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    cr_expect_eq(ledger_write(ledger), 0);
    ledger_free(ledger);
    ledger = open_ledger();
    cr_assert_not_null(ledger, "%s", message);
    cr_expect_eq(ledger_job(ledger, 1)->state, JOB_QUEUED);
    cr_expect_eq(ledger_job(ledger, 2)->state, JOB_QUEUED);
    cr_expect_eq(ledger_job(ledger, 3)->state, JOB_PAUSED);
    ledger_free(ledger);
}

Test(ledger, logs_that_are_deleted_count_until_it_is_known_what_is_left)
{
    static const struct job_pruning days = {PRUNING_DAYS, 30};
    struct ledger *ledger = make_jobs();
    int64_t others = ledger_bytes(ledger, "u") - ledger_job(ledger, 3)->bytes;

    ledger_set_bytes(ledger, 3, 5000);
    cr_assert_eq(ledger_resume_job(ledger, 3), 0);
    end_job(ledger, 3, JOB_FAILED, "", NULL);
    cr_assert_eq(ledger_begin_pruning(ledger, 3, &days, "anna"), 0);
    for (int restarts = 0; restarts < 2; restarts++) {
        cr_expect_eq(ledger_next_pruning(ledger), 3);
        cr_expect_eq(ledger_job(ledger, 3)->pruning.rule, PRUNING_DAYS);
        cr_expect_eq(ledger_job(ledger, 3)->pruning.number, 30);
        cr_expect_eq(ledger_bytes(ledger, "u"), others + 5000 + 11);
        ledger_free(ledger);
        ledger = open_ledger();
        cr_assert_not_null(ledger, "%s", message);
    }
    ledger_end_pruning(ledger, 3, 700);
    cr_assert_eq(ledger_write(ledger), 0);
    for (int restarts = 0; restarts < 2; restarts++) {
        cr_expect_eq(ledger_next_pruning(ledger), 0);
        cr_expect_eq(ledger_bytes(ledger, "u"), others + 700 + 11);
        ledger_free(ledger);
        ledger = open_ledger();
        cr_assert_not_null(ledger, "%s", message);
    }
    ledger_free(ledger);
}

Test(ledger, logs_of_cancelled_jobs_can_be_deleted_although_no_record_ends_them)
{
    static const struct job_pruning all = {PRUNING_BEST, 0};
    struct ledger *ledger = make_jobs();

    for (unsigned number = 1; number <= 2; number++)
        cr_assert_eq(ledger_cancel_job(ledger, number), 0);
    ledger_free(ledger);
    ledger = open_ledger();
    for (unsigned number = 1; number <= 2; number++) {
        cr_assert(job_is_over(ledger_job(ledger, number)->state));
        cr_assert_eq(ledger_begin_pruning(ledger, number, &all, "anna"), 0);
    }
    ledger_end_pruning(ledger, 1, 700);
    cr_assert_eq(ledger_write(ledger), 0);
    ledger_free(ledger);
    ledger = open_ledger();
    cr_assert_not_null(ledger, "%s", message);
    cr_expect_eq(ledger_job(ledger, 1)->bytes, 711);
    cr_expect_eq(ledger_next_pruning(ledger), 2);
    cr_expect_eq(ledger_job(ledger, 2)->state, JOB_CANCELLED);
    ledger_free(ledger);
}

Test(ledger, a_failed_job_that_would_fail_again_cannot_be_resumed)
{
    struct ledger *ledger = open_ledger();

    add_bot(ledger, "anna", "u");
    add_job(ledger, "u", 0, 0);
    ledger_end_job(ledger, 1,
                   &(struct job_end){.state = JOB_FAILED, .message = "too long", .is_final = true});
    cr_assert_eq(ledger_write(ledger), 0);
    ledger_free(ledger);
    ledger = open_ledger();
    cr_expect_not(job_can_resume(ledger_job(ledger, 1)));
    ledger_free(ledger);
}

Test(ledger, a_blank_ledger_is_one_without_any_record)
{
    struct ledger *ledger = open_ledger();

    cr_expect(ledger_is_blank(ledger));
    cr_assert_eq(ledger_begin(ledger), 0);
    cr_expect_not(ledger_is_blank(ledger));
    ledger_free(ledger);
    ledger = open_ledger();
    cr_expect_not(ledger_is_blank(ledger));
    cr_expect_eq(ledger_bot_count(ledger) + ledger_job_count(ledger), 0);
    ledger_free(ledger);
}

/* Of a sanitizer's allocator nothing can be said. */
#ifndef __SANITIZE_ADDRESS__
Test(ledger, a_job_that_is_over_takes_less_than_400_bytes)
{
    enum { JOBS = 5000 };
    struct ledger *ledger = open_ledger();
    size_t before;

    add_bot(ledger, "a", "u");
    add_bot(ledger, "b", "u");
    cr_assert_eq(ledger_write(ledger), 0);
    before = mallinfo2().uordblks;
    for (unsigned i = 1; i <= JOBS; i++) {
        add_job(ledger, "somebody-with-a-name-of-32-bytes", 0, 1);
        end_job(ledger, i, JOB_DONE, "", NULL);
        if (i % 100 == 0)
            cr_assert_eq(ledger_write(ledger), 0);
    }
    cr_expect_lt((mallinfo2().uordblks - before) / JOBS, 400);
    ledger_free(ledger);
}
#endif

Test(ledger, marks_of_bots_and_replays_are_there_when_it_is_opened_again)
{
    struct ledger *ledger = open_ledger();
    unsigned place = add_bot(ledger, "cheat", "anna");
    unsigned other = add_bot(ledger, "other", "bert");
    unsigned number = add_job(ledger, "owner", place, other);
    unsigned newer;

    end_job(ledger, number, JOB_DONE, "", NULL);
    newer = add_bot(ledger, "other", "bert");
    cr_assert_eq(ledger_disqualify_bot(ledger, "cheat", "tutor", "a copy"), 0);
    cr_assert_eq(ledger_remove_bot(ledger, "other", "bert"), 0);
    cr_assert_eq(ledger_replay_job(ledger, number, 1, newer, "tutor"), 0);
    for (unsigned i = 0; i < 2; i++) {
        const struct job *job = ledger_job(ledger, number);

        cr_expect(ledger_bot(ledger, place)->is_disqualified);
        cr_expect_str_eq(ledger_bot(ledger, place)->why, "a copy");
        cr_expect(ledger_bot(ledger, other)->is_removed);
        cr_expect(ledger_bot(ledger, newer)->is_removed);
        cr_expect_eq(job->state, JOB_QUEUED);
        cr_expect_eq(job->bots[1].place, newer);
        cr_expect_eq(job->bots[1].replays, 1);
        cr_expect_str_eq(ledger_player(ledger, job, 1), "b");
        ledger_free(ledger);
        ledger = open_ledger();
    }
    cr_assert_eq(ledger_reinstate_bot(ledger, "cheat", "tutor"), 0);
    cr_expect_not(ledger_bot(ledger, place)->is_disqualified);
    cr_expect(ledger_bot(ledger, place)->was_disqualified);
    ledger_free(ledger);
}
