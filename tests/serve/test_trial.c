/* Trials of versions: a script stands for the process that builds, greets and checks. It obeys the
 * name of the bot, and waits for a file where it has to. */

#include "serve/queue/queue.h"

#include "support/patience.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char program[] = "#!/bin/bash\n"
                              "folder=${*: -3:1}; name=${*: -2:1}\n"
                              "echo x >>\"$folder/started\"\n"
                              "echo what is private >\"$folder/hello\"\n"
                              "case $name in\n"
                              "wait*) while [ ! -e \"$folder/go\" ]; do sleep 0.01; done ;;\n"
                              "dies) kill -KILL $$ ;;\n"
                              "mute) echo build none; exit 0 ;;\n"
                              "unbuilt) echo build failed; exit 0 ;;\n"
                              "liar) echo source ../../jobs; echo source; echo bytes -5 ;;\n"
                              "esac\n"
                              "case \" $* \" in\n"
                              "*' --check-seconds '*) echo check failed ;;\n"
                              "*) echo build none; echo hello ok ;;\n"
                              "esac\n";

static struct event_base *base;
static struct queue *queue;
static struct settings settings;
static char heard[20000];
static unsigned tried;
static const struct caller anna = {.user = "anna"};
static const struct caller bert = {.user = "bert"};
static const struct caller owner = {.user = "owner", .is_owner = true};

static void hear(void *context, const char *line)
{
    size_t length = strlen(heard);

    (void)context;
    snprintf(heard + length, sizeof heard - length, "%s\n", line);
}

static void open_queue(void)
{
    static char folder[200], path[200];
    char message[300];
    struct text problem;
    struct queue_setup setup = {.base = base,
                                .folder = folder,
                                .program = path,
                                .slots = 1,
                                .tries_bots = true,
                                .level = SANDBOX_GUARDED,
                                .settings = &settings};

    snprintf(folder, sizeof folder, "%s", scratch_path("store"));
    snprintf(path, sizeof path, "%s", scratch_path("program"));
    text_start(&problem, message, sizeof message);
    queue = queue_new(&setup, &problem);
    cr_assert_not_null(queue, "%s", message);
    heard[0] = '\0';
    broadcast_join(queue_broadcast(queue), 0, hear, NULL);
}

static void begin(void)
{
    scratch_begin();
    scratch_write("program", program, sizeof program - 1);
    cr_assert_eq(chmod(scratch_path("program"), 0755), 0);
    settings = settings_default();
    tried = 0;
    base = event_base_new();
    open_queue();
}

static void end(void)
{
    queue_free(queue);
    event_base_free(base);
    scratch_end();
}

TestSuite(trial, .init = begin, .fini = end, .timeout = PATIENCE_TEST_SECONDS);

static void run_until(const char *line)
{
    while (strstr(heard, line) == NULL)
        event_base_loop(base, EVLOOP_ONCE);
}

/* Returns its place in the ledger. */
static unsigned submit(const struct caller *caller, const char *name)
{
    struct new_bot bot = {.name = name, .file = "bot.sh", .bytes = "#!/bin/sh\n", .length = 10};
    struct request_error error;

    cr_assert_geq(queue_submit_bot(queue, caller, &bot, &error), 1, "%s", error.message);
    return ledger_bot_count(queue_ledger(queue)) - 1;
}

static const char *file_of(const char *name, const char *file)
{
    char path[100];

    snprintf(path, sizeof path, "store/trials/%s/1/%s", name, file);
    return scratch_path(path);
}

static bool has_started(const char *name)
{
    return access(file_of(name, "started"), F_OK) == 0;
}

static void run_until_started(const char *name)
{
    struct timeval soon = {.tv_usec = 10000};

    while (!has_started(name)) {
        (void)event_base_loopexit(base, &soon);
        (void)event_base_dispatch(base);
    }
}

static void let_go(const char *name)
{
    char path[100];

    snprintf(path, sizeof path, "store/trials/%s/1/go", name);
    scratch_write(path, "", 0);
}

static void on_tried(void *context)
{
    (void)context;
    tried++;
}

Test(trial, a_version_is_greeted_and_then_checked)
{
    unsigned place = submit(&anna, "fair");

    cr_expect_not_null(queue_await_trial(queue, place, on_tried, NULL));
    run_until("0 trial fair 1 build=none hello=ok check=waiting");
    cr_expect_eq(tried, 1);
    cr_expect_null(queue_await_trial(queue, place, on_tried, NULL));
    run_until("0 trial fair 1 build=none hello=ok check=failed");
    cr_expect_eq(tried, 1);
}

Test(trial, one_that_was_not_built_is_neither_greeted_nor_checked)
{
    submit(&anna, "unbuilt");
    run_until("0 trial unbuilt 1 build=failed hello=none check=none");
    submit(&anna, "fair");
    run_until("0 trial fair 1 build=none hello=ok check=failed");
    cr_expect_null(strstr(strstr(heard, "trial unbuilt") + 1, "trial unbuilt"));
}

Test(trial, a_user_has_one_at_a_time_and_others_do_not_wait)
{
    submit(&anna, "wait-1");
    submit(&anna, "wait-2");
    submit(&bert, "wait-3");
    run_until_started("wait-1");
    run_until_started("wait-3");
    cr_expect_not(has_started("wait-2"));
    let_go("wait-1");
    run_until_started("wait-2");
    let_go("wait-2");
    let_go("wait-3");
    run_until("trial wait-2 1 build=none hello=ok");
    run_until("trial wait-3 1 build=none hello=ok");
}

Test(trial, that_of_a_bot_that_is_removed_ends)
{
    struct request_error error;

    submit(&anna, "wait-1");
    run_until_started("wait-1");
    cr_assert_eq(queue_remove_bot(queue, &anna, "wait-1", &error), 0);
    submit(&anna, "fair");
    run_until("trial fair 1 build=none hello=ok");
}

Test(trial, builds_without_an_end_make_room_for_others)
{
    static const struct caller carl = {.user = "carl"};

    settings.submit_ms = 50;
    submit(&anna, "wait-1");
    submit(&bert, "wait-2");
    submit(&carl, "wait-3");
    submit(&anna, "wait-4");
    submit(&owner, "fair");
    run_until_started("wait-3");
    run_until("0 trial fair 1 build=none hello=ok check=failed");
    cr_expect_not(has_started("wait-4"));
}

Test(trial, a_process_that_dies_or_says_too_little_is_started_again)
{
    submit(&anna, "dies");
    run_until("0 trial dies 1 build=unknown hello=unknown check=none");
    submit(&anna, "mute");
    run_until("0 trial mute 1 build=unknown hello=unknown check=none");
    cr_expect_eq(ledger_choose_bot(queue_ledger(queue), "dies"), 0);
}

Test(trial, a_reply_waits_only_so_long)
{
    unsigned place;

    settings.submit_ms = 1;
    place = submit(&anna, "wait");
    cr_expect_not_null(queue_await_trial(queue, place, on_tried, NULL));
    while (tried == 0)
        event_base_loop(base, EVLOOP_ONCE);
    cr_expect_not(trial_is_over(ledger_bot(queue_ledger(queue), place)));
    let_go("wait");
    run_until("trial wait 1 build=none hello=ok");
    cr_expect_eq(tried, 1);
}

Test(trial, one_that_waits_for_a_trial_can_give_up)
{
    trial_wait_free(queue_await_trial(queue, submit(&anna, "fair"), on_tried, NULL));
    run_until("0 trial fair 1 build=none hello=ok");
    cr_expect_eq(tried, 0);
}

Test(trial, what_was_not_tried_is_tried_by_the_next_daemon)
{
    submit(&anna, "wait");
    run_until_started("wait");
    queue_free(queue);
    open_queue();
    let_go("wait");
    run_until("0 trial wait 1 build=none hello=ok");
    queue_free(queue);
    cr_assert_eq(unlink(file_of("wait", "started")), 0);
    settings.check_seconds = 0;
    open_queue();
    submit(&anna, "fair");
    run_until("0 trial fair 1 build=none hello=ok");
    cr_expect_not(has_started("wait"));
}

Test(trial, a_queue_that_drains_keeps_nobody_waiting)
{
    (void)queue_await_trial(queue, submit(&anna, "wait"), on_tried, NULL);
    run_until_started("wait");
    queue_drain(queue, false);
    cr_expect_eq(tried, 1);
}

Test(trial, only_the_author_and_the_owner_read_its_output)
{
    struct request_error error;
    size_t length;
    int fd;

    submit(&anna, "fair");
    cr_expect_eq(queue_open_trial(queue, &anna, "fair", TRIAL_HELLO, &length, &error), -1);
    cr_expect_eq(error.code, REQUEST_ERROR_NO_LOG);
    run_until("0 trial fair 1 build=none hello=ok");
    fd = queue_open_trial(queue, &anna, "fair@1", TRIAL_HELLO, &length, &error);
    cr_expect_geq(fd, 0);
    cr_expect_eq(length, strlen("what is private\n"));
    close(fd);
    fd = queue_open_trial(queue, &owner, "fair", TRIAL_HELLO, &length, &error);
    cr_expect_geq(fd, 0);
    close(fd);
    cr_expect_eq(queue_open_trial(queue, &bert, "fair", TRIAL_HELLO, &length, &error), -1);
    cr_expect_eq(error.code, REQUEST_ERROR_FORBIDDEN);
    cr_expect_eq(queue_open_trial(queue, &anna, "nobody", TRIAL_HELLO, &length, &error), -1);
    cr_expect_eq(error.code, REQUEST_ERROR_NO_BOT);
}

/* What names a folder is checked, although it comes from a process of ours. */
Test(trial, a_source_that_is_no_hash_is_ignored)
{
    unsigned place = submit(&anna, "liar");

    run_until("trial liar 1");
    cr_expect_null(ledger_bot(queue_ledger(queue), place)->source_hash);
    cr_expect_eq(ledger_bot(queue_ledger(queue), place)->build_bytes, 0);
}
