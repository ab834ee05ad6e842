/* The queue with a program that only pretends to play: it writes the feed of a tournament, when the
 * test lets it. */

#include "serve/queue/queue.h"

#include "support/patience.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Called as PROGRAM tournament --feed --workers N --builds DIR --build-seconds N --steered CONFIG.
 * What it reads from stdin goes to the file `slots` beside the configuration. The name of the
 * tournament says what it does: play a block whenever it has a slot for a moment, `some` or
 * `endless`, `wait` for a file `go` beside the configuration, `die` by a
 * signal, `leave` another process behind and die, `pause` without that file, `fail`, or play to the
 * end.
 *
 * Called as PROGRAM standings --prune RULE --feed STORE it writes the rule to the file `rules`
 * beside the store, waits until there is no file `hold`, dies if there is a file `deadly`, which it
 * removes, and says that 4 logs are gone and 1000 bytes are left. */
static const char program[] =
    "#!/bin/bash\n"
    "for config; do :; done; job=${config%/config.json}\n"
    "if [ $1 = standings ]; then\n"
    "    job=${config%/store}; echo $3 >>\"$job/rules\"\n"
    "    while [ -e \"$job/hold\" ]; do sleep 0.01; done\n"
    "    [ ! -e \"$job/deadly\" ] || { rm \"$job/deadly\"; kill -KILL $$; }\n"
    "    echo pruned 4 1000; exit\n"
    "fi\n"
    "exec 3<&0\n"
    "keep() { while read -r line; do echo \"$line\" >>\"$job/slots\"; done; }\n"
    "case $(cat \"$config\") in *'\"some\"'* | *'\"endless\"'*) ;; *) keep <&3 & ;; esac\n"
    "trap 'echo end stopped; exit 1' TERM\n"
    "trap 'exit 1' INT\n"
    "echo \"$4\" >\"$job/jobs\"\n"
    "case $(cat \"$config\") in *'\"wait\"'*) echo begin 0 100 ;; *) echo begin 0 1 ;; esac\n"
    "case $(cat \"$config\") in\n"
    "*'\"some\"'*) most=4 ;;\n"
    "*'\"endless\"'*) most=1000000 ;;\n"
    "esac\n"
    "n=0; slots=\n"
    "while [ $n -lt ${most:-0} ]; do\n"
    "    if read -r -t 0.06 word now; then\n"
    "        slots=$now; [ -n \"$slots\" ] || echo idle 0\n"
    "    elif [ -n \"$slots\" ]; then\n"
    "        n=$((n + 1)); echo block $n $n $most\n"
    "    fi\n"
    "done\n"
    "case $(cat \"$config\") in\n"
    "*'\"wait\"'*) while [ ! -e \"$job/go\" ]; do sleep 0.01; done ;;\n"
    "*'\"die\"'*) echo x >>\"$job/deaths\"; kill -KILL $$ ;;\n"
    "*'\"leave\"'*) sleep 1000 & echo x >>\"$job/deaths\"; kill -KILL $$ ;;\n"
    "*'\"pause\"'*) [ -e \"$job/go\" ] || { echo end paused; exit 1; } ;;\n"
    "*'\"fail\"'*) echo 'a first word' >&2; echo 'the last word' >&2; exit 2 ;;\n"
    "esac\n"
    "echo 'match 1.1 a 1 3.0 - b 2 9.5 late'\n"
    "echo block 1 1 1\n"
    "echo bot a 1 1 10 20\n"
    "echo bot b 1 0 5 6 late=1\n"
    "echo end finished\n";

static struct event_base *base;
static struct queue *queue;
static char heard[40000];
static bool is_idle;
static bool is_there;
static unsigned slots;
static enum sandbox_level level;
static struct settings settings;
static const struct caller owner = {.user = "owner", .is_owner = true};
static const struct caller anna = {.user = "anna", .is_owner = false};
static const struct caller bert = {.user = "bert", .is_owner = false};
static const struct caller carl = {.user = "carl", .is_owner = false};

static void hear(void *context, const char *line)
{
    size_t length = strlen(heard);

    (void)context;
    snprintf(heard + length, sizeof heard - length, "%s\n", line);
}

static void on_idle(void *context)
{
    (void)context;
    is_idle = true;
}

static bool is_connected(void *context, const char *name)
{
    (void)context;
    (void)name;
    return is_there;
}

static char refusal[600];

/* Returns false if it is refused: why is in `refusal`. */
static bool try_open(bool is_salvage)
{
    static char folder[200];
    static char path[200];
    struct text problem;
    struct queue_setup setup = {.base = base,
                                .folder = folder,
                                .is_salvage = is_salvage,
                                .program = path,
                                .slots = slots,
                                .level = level,
                                .settings = &settings,
                                .socket = "/run/x",
                                .is_connected = is_connected,
                                .on_idle = on_idle};

    snprintf(folder, sizeof folder, "%s", scratch_path("store"));
    snprintf(path, sizeof path, "%s", scratch_path("program"));
    text_start(&problem, refusal, sizeof refusal);
    queue = queue_new(&setup, &problem);
    heard[0] = '\0';
    if (queue != NULL)
        broadcast_join(queue_broadcast(queue), 0, hear, NULL);
    return queue != NULL;
}

static void open_queue(void)
{
    cr_assert(try_open(false), "%s", refusal);
}

static void begin(void)
{
    scratch_begin();
    scratch_write("program", program, sizeof program - 1);
    cr_assert_eq(chmod(scratch_path("program"), 0755), 0);
    slots = 1;
    level = SANDBOX_GUARDED;
    settings = settings_default();
    base = event_base_new();
    open_queue();
}

static void end(void)
{
    queue_free(queue);
    event_base_free(base);
    scratch_end();
}

TestSuite(queue, .init = begin, .fini = end, .timeout = PATIENCE_TEST_SECONDS);

static void run_until(const char *line)
{
    while (strstr(heard, line) == NULL)
        event_base_loop(base, EVLOOP_ONCE);
}

static int submit(const struct caller *caller, const struct new_bot *offer, const char *code)
{
    struct request_error error = {0};
    int version = queue_submit_bot(queue, caller, offer, &error);

    cr_expect_str_eq(request_error_name(error.code), code, "%s: %s", offer->name, error.message);
    return version;
}

static int upload(const struct caller *caller, const char *name)
{
    struct new_bot offer = {.name = name, .file = "bot.sh", .bytes = "#!/bin/sh\n", .length = 10};

    return submit(caller, &offer, "none");
}

static int play(const struct caller *caller, const char *name, const char *more, const char *code)
{
    char file[600];
    struct request_error error = {0};
    int number;

    snprintf(file, sizeof file,
             "{\"name\": \"%s\", \"bots\": [{\"bot\": \"a\"}, {\"bot\": \"b\"}], \"seats\": 2, "
             "\"deals\": 1, \"seatings\": \"single\" %s}",
             name, more);
    number = queue_submit_job(queue, caller, span_of(file), true, &error);
    cr_expect_str_eq(request_error_name(error.code), code, "%s", error.message);
    return number;
}

static void let_go(unsigned number)
{
    char name[60];

    snprintf(name, sizeof name, "store/jobs/%u/go", number);
    scratch_write(name, "", 0);
}

static void give_bots(void)
{
    upload(&anna, "a");
    upload(&bert, "b");
    heard[0] = '\0';
}

static enum job_state state_of(int number)
{
    return ledger_job(queue_ledger(queue), (unsigned)number)->state;
}

/* Bots. */

Test(queue, an_upload_is_kept_by_version_and_can_be_run)
{
    size_t length;
    char *file;
    struct stat status;

    cr_expect_eq(upload(&anna, "a"), 1);
    cr_expect_eq(upload(&anna, "a"), 2);
    file = scratch_read("store/bots/a/2/bot.sh", &length);
    cr_expect_str_eq(file, "#!/bin/sh\n");
    free(file);
    cr_assert_eq(stat(scratch_path("store/bots/a/1/bot.sh"), &status), 0);
    cr_expect_eq(status.st_mode & 0777, 0755);
    cr_expect_str_eq(heard, "0 bot a 1 anna\n0 bot a 2 anna\n");
}

Test(queue, a_folder_that_the_ledger_does_not_know_is_set_aside)
{
    size_t length;
    char *file;

    scratch_write("store/bots/a/1/bot.sh", "half", 4);
    scratch_write("store/bots/a/1/other", "", 0);
    cr_expect_eq(upload(&anna, "a"), 1);
    file = scratch_read("store/bots/a/1/bot.sh", &length);
    cr_expect_str_eq(file, "#!/bin/sh\n");
    free(file);
    cr_expect_neq(access(scratch_path("store/bots/a/1/other"), F_OK), 0);
    cr_expect_eq(access(scratch_path("store/salvaged/bots/a/1/other"), F_OK), 0);
    scratch_write("store/bots/a/2/bot.sh", "half", 4);
    scratch_write("store/salvaged/bots/a/2/bot.sh", "older", 5);
    cr_expect_eq(upload(&anna, "a"), 2);
    cr_expect_eq(access(scratch_path("store/salvaged/bots/a/2.2/bot.sh"), F_OK), 0);
}

Test(queue, each_mistake_in_a_bot_has_its_error_code)
{
    static const struct {
        struct new_bot offer;
        const struct caller *caller;
        const char *code;
    } cases[] = {
        {{.name = "../x", .file = "f", .bytes = "", .length = 0}, &anna, "value"},
        {{.name = "", .file = "f", .bytes = "", .length = 0}, &anna, "value"},
        {{.name = "x", .file = "../f", .bytes = "", .length = 0}, &anna, "value"},
        {{.name = "x", .file = ".f", .bytes = "", .length = 0}, &anna, "value"},
        {{.name = "x", .file = "f", .folder = "/", .bytes = "", .length = 0}, &owner, "value"},
        {{.name = "x"}, &anna, "value"},
        {{.name = "x", .command = "/bin/true"}, &anna, "forbidden"},
        {{.name = "x", .command = "/no/such/program"}, &owner, "cannot_run"},
        {{.name = "x", .command = "bin/true"}, &owner, "value"},
        {{.name = "x", .command = "./true", .folder = "bin"}, &owner, "value"},
        {{.name = "z", .command = "./true", .folder = "/bin"}, &owner, "none"},
        {{.name = "z", .command = "sh -c /bin/true"}, &owner, "none"},
        {{.name = "x", .file = "f", .command = "./g", .bytes = "", .length = 0},
         &anna,
         "cannot_run"},
        {{.name = "x", .command = "./x", .build = "make"}, &owner, "value"},
        {{.name = "x", .is_remote = true, .command = "x"}, &anna, "value"},
        {{.name = "a", .file = "f", .bytes = "", .length = 0}, &bert, "name_taken"},
        {{.name = "A", .file = "f", .bytes = "", .length = 0}, &anna, "name_taken"},
        {{.name = "x", .command = "/bin/true"}, &owner, "none"},
        {{.name = "y", .is_remote = true}, &anna, "none"},
        {{.name = "a", .command = "/bin/true"}, &owner, "none"},
    };

    upload(&anna, "a");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        submit(cases[i].caller, &cases[i].offer, cases[i].code);
    cr_expect_neq(access(scratch_path("store/bots/x"), F_OK) == 0 &&
                      access(scratch_path("store/bots/x/1"), F_OK) == 0,
                  1);
}

/* Jobs. */

Test(queue, the_events_of_a_job_go_from_the_queue_to_its_end)
{
    const struct ledger *ledger = queue_ledger(queue);
    int number;

    give_bots();
    number = play(&anna, "cup", "", "none");
    run_until("over done");
    cr_expect_str_eq(heard, "1 queued anna cup\n1 playing\n1 begin 0 1\n"
                            "1 match 1.1 a 1 3.0 - b 2 9.5 late\n1 block 1 1 1\n1 over done\n");
    cr_expect_eq(state_of(number), JOB_DONE);
    cr_expect_eq(ledger_job(ledger, 1)->decided, 1);
    cr_expect_eq(ledger_bot(ledger, 0)->wins, 1);
    cr_expect_eq(ledger_bot(ledger, 0)->p99_us, 20);
}

/* The program says that bot `b`, which is bert's, was late. */
Test(queue, only_jobs_of_its_user_and_of_the_owner_count_for_a_bot)
{
    static const struct {
        const struct caller *caller;
        unsigned long of_a, of_b; /* matches so far */
    } cases[] = {{&anna, 1, 0}, {&bert, 1, 1}, {&owner, 2, 2}, {&carl, 2, 2}};
    const struct ledger *ledger;
    char line[40];

    give_bots();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        play(cases[i].caller, "cup", ", \"start_ms\": 1", "none");
        snprintf(line, sizeof line, "%zu over done", i + 1);
        run_until(line);
        for (int restarts = 0; restarts < 2; restarts++) {
            ledger = queue_ledger(queue);
            cr_expect_eq(ledger_bot(ledger, 0)->matches, cases[i].of_a, "job %zu", i + 1);
            cr_expect_eq(ledger_bot(ledger, 1)->matches, cases[i].of_b, "job %zu", i + 1);
            cr_expect_eq(ledger_bot(ledger, 1)->faults[1], cases[i].of_b, "job %zu", i + 1);
            queue_free(queue);
            open_queue();
        }
    }
}

Test(queue, each_mistake_in_a_job_has_its_error_code)
{
    static const struct {
        const char *file;
        const struct caller *caller;
        const char *code;
        const char *message;
    } cases[] = {
        {"{", &owner, "config", "line 1"},
        {"{\"bots\": [\"a\", \"c\"]}", &anna, "forbidden", "only the owner"},
        {"{\"bots\": [\"a\", {\"bot\": \"c\"}]}", &anna, "config", "no bot"},
        {"{\"bots\": [\"a\", \"b\"], \"contain\": \"none\"}", &owner, "value", "none"},
        {"{\"bots\": [\"a\", \"b\"], \"seats\": 7}", &anna, "config", "seats"},
        {"{\"bots\": [\"a\", {\"name\": \"c\", \"command\": \"/bin/true\"}]}", &anna, "forbidden",
         ""},
        {"{\"bots\": [\"a\", {\"name\": \"c\", \"bot\": \"b\", \"environment\": {\"X\": \"1\"}}]}",
         &anna, "forbidden", ""},
        {"{\"bots\": [\"a\", {\"name\": \"c\", \"command\": \"/bin/true\"}]}", &owner, "none", ""},
    };

    give_bots();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct request_error error = {0};

        (void)queue_submit_job(queue, cases[i].caller, span_of(cases[i].file), false, &error);
        cr_expect_str_eq(request_error_name(error.code), cases[i].code, "%s: %s", cases[i].file,
                         error.message);
        cr_expect_not_null(strstr(error.message, cases[i].message), "%s", error.message);
    }
}

Test(queue, users_take_turns)
{
    give_bots();
    play(&anna, "wait", "", "none");
    play(&anna, "x", "", "none");
    play(&anna, "x", "", "none");
    play(&bert, "x", "", "none");
    run_until("1 begin");
    let_go(1);
    run_until("3 over");
    cr_expect(strstr(heard, "4 playing") < strstr(heard, "2 playing"), "%s", heard);
    cr_expect(strstr(heard, "2 playing") < strstr(heard, "3 playing"), "%s", heard);
}

/* Slots. */

static void open_with_slots(unsigned count)
{
    queue_free(queue);
    slots = count;
    open_queue();
    give_bots();
}

static void play_tournament(const struct caller *caller, const char *name)
{
    struct request_error error = {0};
    char file[200];

    snprintf(file, sizeof file, "{\"name\": \"%s\", \"bots\": [\"a\", \"b\"]}", name);
    (void)queue_submit_job(queue, caller, span_of(file), false, &error);
    cr_expect_eq(error.code, REQUEST_ERROR_NONE, "%s", error.message);
}

/* What the process of a job was told about its slots, when it was told so much. */
static void expect_slots(unsigned job, const char *lines)
{
    char name[60];
    char *said = NULL;
    size_t length;

    snprintf(name, sizeof name, "store/jobs/%u/slots", job);
    while (said == NULL || strlen(said) < strlen(lines)) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        free(said);
        said = access(scratch_path(name), F_OK) == 0 ? scratch_read(name, &length) : NULL;
    }
    cr_expect_str_eq(said, lines, "job %u", job);
    free(said);
}

Test(queue, users_share_the_slots_and_so_do_the_jobs_of_one_user)
{
    open_with_slots(4);
    play_tournament(&anna, "wait");
    expect_slots(1, "slots 0 1 2 3\n");
    play_tournament(&bert, "wait");
    expect_slots(1, "slots 0 1 2 3\nslots 0 1\n");
    expect_slots(2, "slots 2 3\n");
    play_tournament(&anna, "wait");
    expect_slots(1, "slots 0 1 2 3\nslots 0 1\nslots 0\n");
    expect_slots(3, "slots 1\n");
    let_go(2);
    run_until("2 over done");
    expect_slots(3, "slots 1\nslots 1 3\n");
}

Test(queue, a_match_of_a_user_is_played_beside_a_tournament_of_the_same_user)
{
    size_t length;
    char *jobs;

    open_with_slots(3);
    play_tournament(&anna, "wait");
    play(&anna, "x", "", "none");
    run_until("2 over");
    run_until("1 begin");
    cr_expect_eq(state_of(1), JOB_PLAYING);
    jobs = scratch_read("store/jobs/1/jobs", &length);
    cr_expect_str_eq(jobs, "3\n");
    free(jobs);
    let_go(1);
    run_until("1 over");
}

/* Nothing says that it is ready there. */
Test(queue, a_job_gets_back_the_slot_on_which_its_match_may_be_held)
{
    open_with_slots(2);
    play_tournament(&anna, "wait");
    expect_slots(1, "slots 0 1\n");
    play_tournament(&bert, "wait");
    expect_slots(1, "slots 0 1\nslots 0\n");
    expect_slots(2, "slots 1\n");
    let_go(2);
    run_until("2 over done");
    expect_slots(1, "slots 0 1\nslots 0\nslots 0 1\n");
}

/* How many of the jobs up to that one have a process. */
static unsigned count_playing(unsigned last)
{
    unsigned count = 0;

    for (unsigned i = 1; i <= last; i++)
        count += state_of((int)i) == JOB_PLAYING;
    return count;
}

/* Waits until each job of a list of numbers has decided another block, twice. */
static void play_on(const unsigned *jobs, size_t count)
{
    for (size_t i = 0; i < 2 * count; i++) {
        char line[30];

        snprintf(line, sizeof line, "%u block ", jobs[i % count]);
        heard[0] = '\0';
        run_until(line);
    }
}

Test(queue, only_so_many_jobs_are_played_or_held_at_once)
{
    static const struct caller more[] = {{.user = "dora"}, {.user = "emil"}};
    struct request_error error;

    settings.jobs_at_once = 4;
    open_with_slots(1);
    for (unsigned i = 0; i < 3; i++)
        play_tournament(&anna, "endless");
    play_on((const unsigned[]){1, 2}, 2);
    cr_expect_eq(count_playing(3), 2, "one more than slots, of one user");
    play_tournament(&bert, "endless");
    play_tournament(&bert, "endless");
    play_on((const unsigned[]){1, 2, 4}, 3);
    cr_expect_eq(state_of(5), JOB_QUEUED, "half of them are for users who have none");
    play_tournament(&carl, "endless");
    for (unsigned i = 0; i < ARRAY_LEN(more); i++)
        play_tournament(&more[i], "endless");
    play_on((const unsigned[]){1, 2, 4, 6}, 4);
    cr_expect_eq(count_playing(8), 4, "of all users: %u", count_playing(8));
    cr_expect_eq(queue_cancel(queue, &carl, 6, &error), 0);
    play_on((const unsigned[]){1, 4, 7}, 3);
    cr_expect_eq(state_of(8), JOB_QUEUED);
}

Test(queue, where_many_matches_may_be_held_a_job_has_fewer_slots)
{
    settings.jobs_at_once = 3;
    open_with_slots(4);
    play_tournament(&anna, "wait");
    expect_slots(1, "slots 0 1 2\n");
    play_tournament(&bert, "wait");
    expect_slots(2, "slots 3\n");
}

Test(queue, a_tournament_without_end_does_not_hold_back_a_short_one)
{
    open_with_slots(1);
    play_tournament(&anna, "endless");
    run_until("1 block 1 ");
    play_tournament(&bert, "some");
    play_tournament(&anna, "some");
    run_until("2 over done");
    run_until("3 over done");
    heard[0] = '\0';
    run_until("1 block ");
    cr_expect_eq(state_of(1), JOB_PLAYING);
}

Test(queue, a_job_whose_program_fails_has_its_last_message)
{
    give_bots();
    play(&anna, "fail", "", "none");
    run_until("over failed");
    cr_expect_str_eq(job_message(ledger_job(queue_ledger(queue), 1)), "the last word");
}

Test(queue, a_job_whose_process_dies_is_tried_three_times)
{
    size_t length;
    char *deaths;

    give_bots();
    play(&anna, "die", "", "none");
    run_until("over failed");
    deaths = scratch_read("store/jobs/1/deaths", &length);
    cr_expect_str_eq(deaths, "x\nx\nx\n");
    free(deaths);
}

Test(queue, a_cancelled_job_is_over_whether_it_waits_or_plays)
{
    struct request_error error = {0};

    give_bots();
    play(&anna, "wait", "", "none");
    play(&anna, "x", "", "none");
    run_until("1 begin");
    cr_expect_eq(queue_cancel(queue, &bert, 1, &error), -1);
    cr_expect_eq(error.code, REQUEST_ERROR_FORBIDDEN);
    cr_expect_eq(queue_cancel(queue, &anna, 3, &error), -1);
    cr_expect_eq(error.code, REQUEST_ERROR_NO_JOB);
    cr_expect_eq(queue_cancel(queue, &anna, 2, &error), 0);
    cr_expect_eq(state_of(2), JOB_CANCELLED);
    cr_expect_eq(queue_cancel(queue, &anna, 2, &error), -1);
    cr_expect_eq(error.code, REQUEST_ERROR_TOO_LATE);
    cr_expect_eq(queue_cancel(queue, &owner, 1, &error), 0);
    run_until("1 over cancelled");
}

Test(queue, jobs_that_are_not_over_resume_after_a_restart)
{
    give_bots();
    play(&anna, "wait", "", "none");
    play(&anna, "x", "", "none");
    run_until("1 begin");
    queue_free(queue);
    open_queue();
    cr_expect_eq(state_of(1), JOB_QUEUED);
    run_until("1 begin");
    let_go(1);
    run_until("2 over done");
    cr_expect_eq(state_of(1), JOB_DONE);
    cr_expect_eq(ledger_job_count(queue_ledger(queue)), 2);
}

Test(queue, a_drained_queue_accepts_nothing_and_keeps_the_rest)
{
    struct request_error error = {0};

    give_bots();
    play(&anna, "wait", "", "none");
    play(&anna, "x", "", "none");
    run_until("1 begin");
    queue_drain(queue, false);
    play(&anna, "x", "", "ending");
    while (!is_idle)
        event_base_loop(base, EVLOOP_ONCE);
    cr_expect_eq(state_of(1), JOB_QUEUED);
    cr_expect_eq(state_of(2), JOB_QUEUED);
    cr_expect_eq(queue_cancel(queue, &anna, 2, &error), 0);
}

Test(queue, a_second_queue_in_the_same_folder_is_refused)
{
    char message[400];
    struct text problem;
    struct queue_setup setup = {
        .base = base, .folder = scratch_path("store"), .program = "x", .settings = &settings};

    text_start(&problem, message, sizeof message);
    cr_expect_null(queue_new(&setup, &problem));
    cr_expect_not_null(strstr(message, "somebody else"), "%s", message);
}

Test(queue, a_job_waits_for_its_remote_bots)
{
    struct new_bot far = {.name = "b", .is_remote = true};

    upload(&anna, "a");
    submit(&bert, &far, "none");
    play(&anna, "x", "", "none");
    play(&anna, "x", ", \"seatings\": \"all\"", "config");
    event_base_loop(base, EVLOOP_NONBLOCK);
    event_base_loop(base, EVLOOP_NONBLOCK);
    cr_expect_eq(state_of(1), JOB_QUEUED);
    is_there = true;
    queue_wake(queue);
    run_until("1 over done");
}

Test(queue, artifacts_and_logs_are_found_by_number_and_only_when_published)
{
    struct request_error error = {0};
    size_t length = 0;
    int fd;

    give_bots();
    play(&anna, "x", "", "none");
    run_until("1 over done");
    cr_expect_eq(queue_open_log(queue, &owner, &(struct log_name){2, 1, 1, NULL}, &length, &error),
                 -1);
    cr_expect_eq(error.code, REQUEST_ERROR_NO_JOB);
    cr_expect_eq(queue_open_artifact(queue, 1, ARTIFACT_JSON, &length, &error), -1);
    cr_expect_eq(error.code, REQUEST_ERROR_NO_LOG);
    scratch_write("store/jobs/1/store/open/000001/01.ndjson.zst", "secret", 6);
    cr_expect_eq(queue_open_log(queue, &owner, &(struct log_name){1, 1, 1, NULL}, &length, &error),
                 -1);
    cr_expect_eq(error.code, REQUEST_ERROR_NO_LOG);
    scratch_write("store/jobs/1/store/logs/000001/01.ndjson.zst", "public", 6);
    fd = queue_open_log(queue, &owner, &(struct log_name){1, 1, 1, NULL}, &length, &error);
    cr_expect_geq(fd, 0);
    cr_expect_eq(length, 6);
    close(fd);
    cr_assert_eq(symlink("/etc/passwd", scratch_path("store/jobs/1/store/standings.json")), 0);
    cr_expect_eq(queue_open_artifact(queue, 1, ARTIFACT_JSON, &length, &error), -1);
}

/* What others than the owner may ask for. */

static void expect_refusal(const struct request_error *error, const char *code, const char *message)
{
    cr_expect_str_eq(request_error_name(error->code), code, "%s", error->message);
    cr_expect_str_eq(error->message, message);
}

Test(queue, a_job_that_asks_for_too_much_is_told_what_is_allowed)
{
    static const struct {
        const char *more;
        const char *message; /* NULL: anna may ask for that */
    } cases[] = {
        {"\"start_ms\": 501", "start_ms is 501, and this daemon allows at most 500"},
        {"\"move_ms\": 401", "move_ms is 401, and this daemon allows at most 400"},
        {"\"bank_ms\": 301", "bank_ms is 301, and this daemon allows at most 300"},
        {"\"tables\": 4", "tables is 4, and this daemon allows at most 3"},
        {"\"deals\": 11", "the number of matches is 22, and this daemon allows at most 20"},
        {"\"deals\": 100000", "the number of matches is 200000, and this daemon allows at most 20"},
        {"\"deals\": 7, \"format\": \"swiss\", \"rounds\": 2",
         "the number of matches is 28, and this daemon allows at most 20"},
        {"\"deals\": 11, \"matches\": 20", NULL},
        {"\"contain\": \"guarded\"",
         "contain is guarded, and this daemon allows nothing below sealed"},
        {"\"contain\": \"sealed\", \"tables\": 3, \"deals\": 10", NULL},
    };
    char file[300];

    queue_free(queue);
    level = SANDBOX_SEALED;
    open_queue();
    give_bots();
    settings.start_ms = 500;
    settings.move_ms = 400;
    settings.bank_ms = 300;
    settings.tables = 3;
    settings.matches = 20;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct request_error error = {0};

        snprintf(file, sizeof file,
                 "{\"bots\": [\"a\", \"b\"], \"seatings\": \"rotations\", %s%s%s}",
                 strstr(cases[i].more, "start") != NULL ? "" : "\"start_ms\": 500, ",
                 strstr(cases[i].more, "move") != NULL ? "" : "\"move_ms\": 400, ", cases[i].more);
        (void)queue_submit_job(queue, &anna, span_of(file), false, &error);
        if (cases[i].message != NULL)
            expect_refusal(&error, "value", cases[i].message);
        else
            cr_expect_eq(error.code, REQUEST_ERROR_NONE, "%s", error.message);
        error = (struct request_error){0};
        cr_expect_gt(queue_submit_job(queue, &owner, span_of(file), false, &error), 0, "%s",
                     error.message);
    }
}

Test(queue, a_job_has_only_so_many_bots)
{
    static const char file[] = "{\"bots\": [\"a\", \"b\", {\"name\": \"c\", \"bot\": \"a\"}]}";
    struct request_error error = {0};

    give_bots();
    settings.bots = 2;
    cr_expect_eq(queue_submit_job(queue, &anna, span_of(file), false, &error), -1);
    expect_refusal(&error, "value", "the number of bots is 3, and this daemon allows at most 2");
    cr_expect_eq(queue_submit_job(queue, &owner, span_of(file), false, &error), 1);
}

static int play_with_memory(const struct caller *caller, const char *bot, long memory_mb,
                            struct request_error *error)
{
    char file[200];

    snprintf(file, sizeof file,
             "{\"bots\": [\"a\", {\"name\": \"x\", \"bot\": \"%s\", \"memory_mb\": %ld}]}", bot,
             memory_mb);
    *error = (struct request_error){0};
    return queue_submit_job(queue, caller, span_of(file), false, error);
}

Test(queue, a_bot_has_only_so_much_memory)
{
    struct new_bot large = {
        .name = "large", .file = "f", .bytes = "#!/bin/sh\n", .length = 10, .memory_mb = 301};
    struct request_error error = {0};

    settings.memory_mb = 300;
    upload(&anna, "a");
    cr_expect_eq(ledger_bot(queue_ledger(queue), 0)->memory_mb, 300, "the default is 1024");
    cr_expect_eq(queue_submit_bot(queue, &anna, &large, &error), -1);
    expect_refusal(&error, "value", "memory_mb is 301, and this daemon allows at most 300");
    cr_expect_eq(queue_submit_bot(queue, &owner, &large, &error), 1);
    cr_expect_eq(play_with_memory(&anna, "a", 301, &error), -1);
    expect_refusal(&error, "value", "bot x: memory_mb is 301, and this daemon allows at most 300");
    cr_expect_eq(play_with_memory(&anna, "a", 300, &error), 1, "%s", error.message);
    cr_expect_eq(play_with_memory(&anna, "large", 301, &error), 2, "what the owner has given it");
    cr_expect_eq(play_with_memory(&anna, "large", 302, &error), -1);
    cr_expect_eq(play_with_memory(&owner, "a", 5000, &error), 3, "%s", error.message);
}

Test(queue, a_user_has_only_so_many_versions)
{
    struct new_bot third = {.name = "c", .file = "f", .bytes = "#!/bin/sh\n", .length = 10};
    struct request_error error = {0};

    settings.versions = 2;
    upload(&anna, "a");
    upload(&anna, "a");
    cr_expect_eq(queue_submit_bot(queue, &anna, &third, &error), -1);
    expect_refusal(&error, "too_many",
                   "anna has submitted 2 versions of bots, and this daemon allows at most 2 "
                   "(versions)");
    upload(&bert, "b");
    for (int i = 0; i < 3; i++)
        upload(&owner, "d");
}

Test(queue, a_user_has_only_so_many_jobs)
{
    struct request_error error = {0};
    static const char file[] = "{\"bots\": [\"a\", \"b\"]}";

    give_bots();
    settings.jobs = 3;
    settings.jobs_per_day = 5;
    play(&anna, "wait", "", "none");
    for (int i = 0; i < 2; i++)
        play(&anna, "x", "", "none");
    cr_expect_eq(queue_submit_job(queue, &anna, span_of(file), false, &error), -1);
    expect_refusal(&error, "too_many",
                   "anna has 3 jobs in the queue, and this daemon allows at most 3 (jobs)");
    play(&bert, "x", "", "none");
    for (int i = 0; i < 6; i++)
        play(&owner, "x", "", "none");
    settings.jobs = 200;
    play(&anna, "x", "", "none");
    play(&anna, "x", "", "none");
    cr_expect_eq(queue_submit_job(queue, &anna, span_of(file), false, &error), -1);
    expect_refusal(&error, "too_many",
                   "anna has submitted 5 jobs in 24 hours, and this daemon allows at most 5 "
                   "(jobs_per_day)");
    play(&bert, "x", "", "none");
}

/* Its time is counted from its start; a minute is the least that the file takes. */
Test(queue, a_job_that_is_played_for_too_long_is_stopped)
{
    give_bots();
    settings.job_minutes = 0;
    play(&owner, "wait", "", "none");
    run_until("1 begin");
    play(&anna, "wait", "", "none");
    let_go(1);
    run_until("2 over failed it was played for 0 minutes, and this daemon allows no more");
    cr_expect_eq(state_of(1), JOB_DONE, "the owner has no limit");
}

/* Cancelling and resuming. */

static int change(int (*way)(struct queue *, const struct caller *, unsigned,
                             struct request_error *),
                  const struct caller *caller, unsigned number, const char *code)
{
    struct request_error error = {0};
    int result = way(queue, caller, number, &error);

    cr_expect_str_eq(request_error_name(error.code), code, "job %u: %s", number, error.message);
    return result;
}

Test(queue, a_job_that_was_cancelled_does_not_come_back_however_the_daemon_ends)
{
    give_bots();
    play(&anna, "wait", "", "none");
    play(&anna, "x", "", "none");
    run_until("1 begin");
    change(queue_cancel, &anna, 1, "none");
    change(queue_cancel, &anna, 2, "none");
    change(queue_cancel, &anna, 1, "none"); /* it is not over yet */
    change(queue_resume, &anna, 1, "too_late");
    queue_free(queue); /* kills the process before it can end */
    open_queue();
    cr_expect_eq(state_of(1), JOB_CANCELLED);
    cr_expect_eq(state_of(2), JOB_CANCELLED);
}

Test(queue, what_cannot_be_written_is_neither_cancelled_nor_resumed)
{
    struct rlimit limit = {100, RLIM_INFINITY};
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};

    give_bots();
    play(&anna, "fail", "", "none");
    run_until("1 over failed");
    play(&anna, "wait", "", "none");
    play(&anna, "x", "", "none");
    run_until("2 begin");
    (void)signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    change(queue_resume, &anna, 1, "disk");
    change(queue_cancel, &anna, 2, "disk");
    change(queue_cancel, &anna, 3, "disk");
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    cr_expect_eq(state_of(1), JOB_FAILED);
    cr_expect_eq(state_of(2), JOB_PLAYING);
    cr_expect_eq(state_of(3), JOB_QUEUED);
    let_go(2);
    run_until("3 over done");
    cr_expect_eq(state_of(2), JOB_DONE);
}

Test(queue, a_paused_or_failed_job_is_resumed_by_its_user_or_the_owner)
{
    give_bots();
    play(&anna, "pause", "", "none");
    play(&anna, "die", "", "none");
    play(&anna, "x", "", "none");
    run_until("1 over paused");
    run_until("2 over failed");
    run_until("3 over done");
    change(queue_resume, &bert, 1, "forbidden");
    change(queue_resume, &anna, 3, "too_late");
    change(queue_resume, &anna, 4, "no_job");
    let_go(1);
    heard[0] = '\0';
    change(queue_resume, &anna, 1, "none");
    change(queue_resume, &anna, 1, "none"); /* it is queued already */
    run_until("1 over done");
    cr_expect_str_eq(heard, "1 queued anna pause\n1 playing\n1 begin 0 1\n"
                            "1 match 1.1 a 1 3.0 - b 2 9.5 late\n1 block 1 1 1\n1 over done\n");
    cr_expect_eq(ledger_bot(queue_ledger(queue), 0)->matches, 2);
    heard[0] = '\0';
    change(queue_resume, &owner, 2, "none");
    run_until("2 over failed");
    settings.jobs = 0;
    change(queue_resume, &anna, 2, "too_many");
    queue_drain(queue, false);
    change(queue_resume, &owner, 2, "ending");
}

Test(queue, a_paused_job_is_tried_again_after_a_restart)
{
    give_bots();
    play(&anna, "pause", "", "none");
    run_until("1 over paused");
    let_go(1);
    queue_free(queue);
    open_queue();
    cr_expect_eq(state_of(1), JOB_QUEUED);
    run_until("1 over done");
}

/* What came of the last request to delete logs; "" while it is being done. */
static char pruned[REQUEST_ERROR_MESSAGE_MAX];

static void on_pruned(void *context, unsigned long logs, int64_t freed,
                      const struct request_error *error)
{
    (void)context;
    if (error != NULL)
        snprintf(pruned, sizeof pruned, "%s", request_error_name(error->code));
    else
        snprintf(pruned, sizeof pruned, "%lu %lld", logs, (long long)freed);
}

static void begin_pruning(const struct caller *caller, unsigned number, unsigned best,
                          const char *code)
{
    const struct job_pruning pruning = {PRUNING_BEST, best};
    const struct queue_pruned then = {on_pruned, NULL};
    struct request_error error = {0};

    pruned[0] = '\0';
    (void)queue_prune(queue, caller, number, &pruning, &then, &error);
    cr_expect_str_eq(request_error_name(error.code), code, "job %u: %s", number, error.message);
}

static void await_pruning(const char *wanted)
{
    while (pruned[0] == '\0')
        event_base_loop(base, EVLOOP_ONCE);
    cr_expect_str_eq(pruned, wanted);
}

static int64_t stored_bytes(unsigned number)
{
    const struct job *job = ledger_job(queue_ledger(queue), number);

    return job->bytes - job->config_bytes;
}

/* A job that is over and has a store. */
static void give_past(const char *name, const char *end)
{
    give_bots();
    play(&anna, name, "", "none");
    run_until(end);
    cr_assert_eq(mkdir(scratch_path("store/jobs/1/store"), 0755), 0);
}

Test(queue, logs_of_a_job_that_is_over_are_deleted_for_its_user_and_organisers)
{
    char rules[40] = "";
    FILE *file;

    give_past("x", "1 over done");
    play(&anna, "wait", "", "none");
    run_until("2 begin");
    begin_pruning(&bert, 1, 0, "forbidden");
    begin_pruning(&anna, 2, 0, "value");
    begin_pruning(&anna, 3, 0, "no_job");
    begin_pruning(&anna, 1, 2, "none");
    await_pruning("4 0");
    cr_expect_eq(stored_bytes(1), 1000);
    begin_pruning(&owner, 1, 3, "none");
    await_pruning("4 0");
    file = fopen(scratch_path("store/jobs/1/rules"), "r");
    cr_assert_not_null(file);
    cr_expect_gt(fread(rules, 1, sizeof rules - 1, file), 0);
    cr_expect_str_eq(rules, "best=2\nbest=3\n");
    fclose(file);
    queue_drain(queue, false);
    begin_pruning(&anna, 1, 0, "ending");
}

Test(queue, logs_are_not_deleted_through_a_link)
{
    give_past("x", "1 over done");
    cr_assert_eq(rmdir(scratch_path("store/jobs/1/store")), 0);
    begin_pruning(&anna, 1, 0, "no_log");
    cr_assert_eq(symlink("..", scratch_path("store/jobs/1/store")), 0);
    begin_pruning(&anna, 1, 0, "no_log");
}

Test(queue, what_a_daemon_that_was_killed_was_deleting_the_next_one_deletes)
{
    give_past("x", "1 over done");
    scratch_write("store/jobs/1/hold", "", 0);
    begin_pruning(&anna, 1, 0, "none");
    begin_pruning(&anna, 1, 0, "none"); /* the same once more: it waits for the same */
    begin_pruning(&anna, 1, 1, "value");
    queue_free(queue);
    cr_expect_str_eq(pruned, "ending");
    open_queue();
    cr_expect_eq(ledger_next_pruning(queue_ledger(queue)), 1);
    cr_expect_eq(stored_bytes(1), 0);
    cr_assert_eq(unlink(scratch_path("store/jobs/1/hold")), 0);
    while (ledger_next_pruning(queue_ledger(queue)) != 0)
        event_base_loop(base, EVLOOP_ONCE);
    cr_expect_eq(stored_bytes(1), 1000);
    queue_free(queue);
    open_queue();
    cr_expect_eq(ledger_next_pruning(queue_ledger(queue)), 0);
    cr_expect_eq(stored_bytes(1), 1000);
}

Test(queue, a_process_that_dies_while_it_deletes_logs_is_started_again)
{
    give_past("x", "1 over done");
    scratch_write("store/jobs/1/deadly", "", 0);
    begin_pruning(&anna, 1, 0, "none");
    await_pruning("4 0");
}

Test(queue, a_job_is_resumed_when_its_logs_are_deleted)
{
    give_past("pause", "1 over paused");
    scratch_write("store/jobs/1/hold", "", 0);
    begin_pruning(&anna, 1, 0, "none");
    let_go(1);
    heard[0] = '\0';
    change(queue_resume, &anna, 1, "none");
    play(&bert, "x", "", "none");
    run_until("2 over done");
    cr_expect_eq(state_of(1), JOB_QUEUED);
    begin_pruning(&anna, 1, 0, "value");
    cr_assert_eq(unlink(scratch_path("store/jobs/1/hold")), 0);
    run_until("1 over done");
    cr_expect_eq(ledger_next_pruning(queue_ledger(queue)), 0);
}

Test(queue, a_job_that_was_played_for_too_long_is_not_resumed)
{
    give_bots();
    settings.job_minutes = 0;
    play(&anna, "wait", "", "none");
    run_until("1 over failed");
    change(queue_resume, &anna, 1, "too_late");
}

/* What a process leaves behind becomes a child of ours. */
static unsigned count_children(void)
{
    char path[60];
    char list[4000] = "";
    unsigned count = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)getpid(), (int)getpid());
    file = fopen(path, "re");
    if (file == NULL || fgets(list, sizeof list, file) == NULL)
        list[0] = '\0';
    if (file != NULL)
        fclose(file);
    for (const char *at = list; *at != '\0'; at++)
        count += *at == ' ';
    return count;
}

Test(queue, processes_that_a_dead_one_leaves_are_killed_and_reaped)
{
    give_bots();
    play(&anna, "leave", "", "none");
    run_until("1 over failed");
    while (count_children() > 0)
        event_base_loop(base, EVLOOP_ONCE);
}

/* A tree of a stranger may take long to delete, and all others would wait. */
Test(queue, files_of_a_removed_bot_are_deleted_by_another_process)
{
    struct request_error error;

    upload(&anna, "a");
    cr_expect_eq(count_children(), 0);
    cr_assert_eq(queue_remove_bot(queue, &anna, "a", &error), 0);
    cr_expect_neq(access(scratch_path("store/bots/a/1"), F_OK), 0);
    cr_expect_eq(count_children(), 1);
    while (count_children() > 0)
        event_base_loop(base, EVLOOP_ONCE);
    cr_expect_neq(access(scratch_path("store/discarded"), F_OK), 0);
}

/* The ledger. */

static void close_queue(void)
{
    queue_free(queue);
    queue = NULL;
}

static void remove_file(const char *name)
{
    cr_assert_eq(unlink(scratch_path(name)), 0, "%s", name);
}

Test(queue, what_another_daemon_has_discarded_is_deleted)
{
    close_queue();
    scratch_write("store/discarded/1/a", "", 0);
    open_queue();
    while (access(scratch_path("store/discarded"), F_OK) == 0)
        event_base_loop(base, EVLOOP_ONCE);
}

/* A bot, a job that is done, and its log. */
static void make_past(void)
{
    give_bots();
    play(&anna, "x", "", "none");
    run_until("1 over done");
    scratch_write("store/jobs/1/store/logs/000001/01.ndjson.zst", "old", 3);
    close_queue();
}

static void expect_refused(const char *part)
{
    cr_expect_not(try_open(false));
    cr_expect_not_null(strstr(refusal, part), "%s", refusal);
    cr_expect_not_null(strstr(refusal, "--salvage"), "%s", refusal);
    cr_expect_eq(access(scratch_path("store/bots/a/1/bot.sh"), F_OK), 0);
}

Test(queue, a_folder_whose_ledger_is_lost_is_refused_until_it_is_salvaged)
{
    struct request_error error = {0};
    size_t length;

    make_past();
    remove_file("store/ledger.ndjson");
    expect_refused("ledger.ndjson is missing or empty, but there is bots/");
    cr_expect_neq(access(scratch_path("store/ledger.ndjson"), F_OK), 0, "nothing has changed");
    scratch_write("store/ledger.ndjson", "", 0);
    expect_refused("ledger.ndjson is missing or empty, but there is bots/");
    scratch_write("store/ledger.ndjson", "{\"ledg", 6);
    expect_refused("ledger.ndjson is missing or empty, but there is bots/");
    remove_file("store/ledger.ndjson");
    cr_assert(try_open(true), "%s", refusal);
    cr_expect_eq(access(scratch_path("store/salvaged/bots/a/1/bot.sh"), F_OK), 0);
    cr_expect_eq(access(scratch_path("store/salvaged/jobs/1/config.json"), F_OK), 0);
    give_bots();
    play(&anna, "x", "", "none");
    run_until("1 over done");
    cr_expect_eq(queue_open_log(queue, &owner, &(struct log_name){1, 1, 1, NULL}, &length, &error),
                 -1, "an old log is not new");
    close_queue();
    open_queue();
}

Test(queue, a_first_start_that_was_cut_off_is_not_a_lost_ledger)
{
    close_queue();
    remove_file("store/ledger.ndjson");
    open_queue();
    close_queue();
    scratch_write("store/ledger.ndjson", "", 0);
    open_queue();
    cr_expect_eq(upload(&anna, "a"), 1);
    close_queue();
    remove_file("store/referee.lock");
    open_queue();
    cr_expect_eq(ledger_bot_count(queue_ledger(queue)), 1);
}

Test(queue, a_ledger_that_is_older_than_the_jobs_is_refused_until_it_is_salvaged)
{
    struct request_error error = {0};
    size_t length, old_length;
    char *old;

    give_bots();
    old = scratch_read("store/ledger.ndjson", &old_length);
    play(&anna, "x", "", "none");
    run_until("1 over done");
    scratch_write("store/jobs/1/store/logs/000001/01.ndjson.zst", "old", 3);
    close_queue();
    scratch_write("store/ledger.ndjson", old, old_length);
    free(old);
    expect_refused("does not know jobs/1");
    cr_assert(try_open(true), "%s", refusal);
    cr_expect_eq(access(scratch_path("store/bots/a/1/bot.sh"), F_OK), 0, "it is in the ledger");
    cr_expect_eq(access(scratch_path("store/salvaged/jobs/1/config.json"), F_OK), 0);
    play(&anna, "x", "", "none");
    run_until("1 over done");
    cr_expect_eq(queue_open_log(queue, &owner, &(struct log_name){1, 1, 1, NULL}, &length, &error),
                 -1, "an old log is not new");
}

Test(queue, a_damaged_ledger_is_salvaged_up_to_the_damage)
{
    size_t length;
    char *file;

    make_past();
    open_queue();
    upload(&anna, "a");
    close_queue();
    file = scratch_read("store/ledger.ndjson", &length);
    *strstr(file, "\"job\":1") = '!';
    scratch_write("store/ledger.ndjson", file, length);
    free(file);
    expect_refused("ledger.ndjson: line 4");
    cr_assert(try_open(true), "%s", refusal);
    cr_expect_eq(ledger_bot_count(queue_ledger(queue)), 2);
    cr_expect_eq(ledger_job_count(queue_ledger(queue)), 0);
    cr_expect_eq(access(scratch_path("store/bots/a/1/bot.sh"), F_OK), 0);
    cr_expect_eq(access(scratch_path("store/salvaged/bots/a/2/bot.sh"), F_OK), 0);
    cr_expect_eq(access(scratch_path("store/salvaged/jobs/1/config.json"), F_OK), 0);
    cr_expect_eq(access(scratch_path("store/ledger.ndjson.damaged-1"), F_OK), 0);
    close_queue();
    open_queue();
}
