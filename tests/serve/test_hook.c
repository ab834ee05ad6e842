/* The command on_result: jobs that are over are only reported here, none is played. What the hook
 * says goes to stderr, which is a file. */

#include "serve/hook.h"

#include "support/patience.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct event_base *base;
static struct queue *queue;
static struct hook *hook;
static struct settings settings;
static const struct caller owner = {.user = "owner", .is_owner = true};

static void submit(const char *file)
{
    struct request_error error = {.message = ""};

    cr_assert_geq(queue_submit_job(queue, &owner, span_of(file), true, &error), 1, "%s",
                  error.message);
}

static void begin(void)
{
    static char folder[200];
    char message[300];
    struct text problem;
    struct queue_setup setup = {.folder = folder,
                                .program = "/bin/false",
                                .slots = 1,
                                .level = SANDBOX_GUARDED,
                                .settings = &settings};

    scratch_begin();
    snprintf(folder, sizeof folder, "%s", scratch_path("store"));
    cr_assert_not_null(freopen(scratch_path("said"), "w", stderr));
    settings = settings_default();
    setup.base = base = event_base_new();
    text_start(&problem, message, sizeof message);
    queue = queue_new(&setup, &problem);
    cr_assert_not_null(queue, "%s", message);
    hook = hook_new(base, queue);
    for (unsigned i = 0; i < 3; i++)
        submit("{\"bots\": [{\"name\": \"a\", \"command\": \"/bin/true\"}, "
               "{\"name\": \"b\", \"command\": \"/bin/true\"}]}");
    /* None begins, so none ends but in what is reported here. */
    queue_drain(queue, true);
}

static void end(void)
{
    hook_free(hook);
    queue_free(queue);
    event_base_free(base);
    scratch_end();
}

TestSuite(hook, .init = begin, .fini = end, .timeout = PATIENCE_TEST_SECONDS);

static void report_end(long job)
{
    broadcast_send(queue_broadcast(queue), &(struct feed_line){.kind = FEED_LINE_OVER,
                                                               .job = job,
                                                               .state = span_of("done"),
                                                               .text = span_of("")});
}

static unsigned count_said(const char *words)
{
    size_t length;
    char *said;
    unsigned count = 0;

    (void)fflush(stderr);
    said = scratch_read("said", &length);
    for (const char *at = said; (at = strstr(at, words)) != NULL; at++)
        count++;
    free(said);
    return count;
}

static void set_command(const char *command)
{
    cr_assert_lt((size_t)snprintf(settings.on_result, sizeof settings.on_result,
                                  "cd '%s' || exit; %s", scratch_path(""), command),
                 sizeof settings.on_result);
}

Test(hook, a_command_that_takes_too_long_is_killed_and_the_next_one_runs)
{
    settings.on_result_ms = 50;
    set_command("read -r event\n"
                "case $event in *'\"number\":3,'*) echo x >third ;; *) exec sleep 1000 ;; esac");
    report_end(1);
    report_end(2);
    while (count_said("it was killed after 50 ms") < 2)
        event_base_loop(base, EVLOOP_ONCE);
    settings.on_result_ms = 60000;
    report_end(3);
    while (access(scratch_path("third"), F_OK) != 0)
        event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    cr_expect_eq(count_said("on_result for job 1: it was killed after 50 ms"), 1);
    cr_expect_eq(count_said("on_result for job 2: it was killed after 50 ms"), 1);
}

Test(hook, two_run_at_a_time)
{
    set_command("echo x >>begun; while [ ! -e go ]; do sleep 0.01; done; echo x >>ended");
    for (long job = 1; job <= 3; job++)
        report_end(job);
    for (size_t length = 0; length < 4;) {
        event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
        if (access(scratch_path("begun"), F_OK) == 0)
            free(scratch_read("begun", &length));
        cr_assert_leq(length, 4);
    }
    for (unsigned i = 0; i < 100; i++)
        event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    cr_expect_neq(access(scratch_path("ended"), F_OK), 0);
    scratch_write("go", "", 0);
    for (size_t length = 0; length < 6;) {
        event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
        if (access(scratch_path("ended"), F_OK) == 0)
            free(scratch_read("ended", &length));
    }
    /* Each of those that run at a time has a file of its own. */
    cr_expect_eq(access(scratch_path("store/on_result.2.messages"), F_OK), 0);
    cr_expect_neq(access(scratch_path("store/on_result.3.messages"), F_OK), 0);
}

Test(hook, so_many_wait_and_further_ones_are_dropped)
{
    set_command("exit 0");
    for (unsigned i = 0; i < HOOK_WAITING_MAX + 5; i++)
        report_end(1);
    cr_expect_eq(count_said("1000 events wait already, so this one is dropped"), 5);
}
