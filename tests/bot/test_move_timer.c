/* The clock of a question at made-up moments, over a real process that does nothing; and what the
 * kernel says about processes that compute. */

#include "base/clock.h"
#include "bot/move_timer.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG_US 1000000L
#define SHORT_US 10000L

static struct move_timer watch;
static int64_t start_us;
static pid_t sleeper;

static void set_up(void)
{
    sleeper = fork();
    if (sleeper == 0) {
        (void)raise(SIGSTOP);
        _exit(0);
    }
    /* Only when it has stopped for certain is it not ready to run. */
    (void)waitpid(sleeper, NULL, WUNTRACED);
    start_us = clock_now_us();
    watch = (struct move_timer){.rule = CLOCK_FAIR, .pid = sleeper};
}

static void tear_down(void)
{
    (void)kill(sleeper, SIGKILL);
    (void)waitpid(sleeper, NULL, 0);
}

static enum clock_rule_verdict look_at(int64_t after_us)
{
    struct bot_time time;

    return move_timer_look(&watch, start_us + after_us, &time);
}

static struct bot_time read_at(int64_t after_us)
{
    return move_timer_read(&watch, start_us + after_us);
}

static int64_t next_look(void)
{
    return watch.next_look_us - start_us;
}

TestSuite(move_timer, .init = set_up, .fini = tear_down);

Test(move_timer, a_quick_answer_is_charged_as_it_is_and_not_measured)
{
    move_timer_start(&watch, LONG_US, start_us);
    cr_assert_eq(read_at(200).charged_us, 200);
    cr_assert_eq(read_at(LONG_US / 4).charged_us, LONG_US / 4);
    cr_assert_not(read_at(LONG_US / 4).is_measured);
    move_timer_start(&watch, SHORT_US, start_us);
    cr_assert_eq(read_at(SHORT_US / 4).charged_us, SHORT_US / 4);
    cr_assert_not(read_at(SHORT_US / 4).is_measured);
}

Test(move_timer, a_long_question_is_measured_from_its_quarter_on)
{
    move_timer_start(&watch, LONG_US, start_us);
    cr_assert_eq(next_look(), LONG_US / 4);
    cr_assert_eq(look_at(LONG_US / 4), CLOCK_IN_TIME);
    cr_assert_eq(next_look(), LONG_US + 1);
    cr_assert(read_at(LONG_US / 2).is_measured);
    cr_assert_leq(read_at(LONG_US / 2).charged_us, LONG_US / 2);
    cr_assert_eq(read_at(LONG_US / 2).wall_us, LONG_US / 2);
}

Test(move_timer, a_sleeper_is_late_at_the_first_look_after_its_limit)
{
    move_timer_start(&watch, LONG_US, start_us);
    cr_assert_eq(look_at(LONG_US / 4), CLOCK_IN_TIME);
    cr_assert_eq(look_at(LONG_US), CLOCK_IN_TIME);
    cr_assert_eq(look_at(LONG_US + 1000), CLOCK_IS_LATE);
    move_timer_start(&watch, SHORT_US, start_us);
    cr_assert_eq(next_look(), SHORT_US + 1);
    cr_assert_eq(look_at(SHORT_US + 1), CLOCK_IS_LATE);
}

Test(move_timer, a_look_that_comes_late_does_not_excuse_a_sleeper)
{
    move_timer_start(&watch, SHORT_US, start_us);
    cr_assert_eq(look_at(3 * SHORT_US), CLOCK_IS_LATE);
    move_timer_start(&watch, LONG_US, start_us);
    cr_assert_eq(look_at(LONG_US * 9 / 10), CLOCK_IN_TIME, "its first look only begins to measure");
    cr_assert_eq(next_look(), LONG_US * 9 / 10 + LONG_US * 3 / 4 + 1);
    cr_assert_eq(look_at(2 * LONG_US), CLOCK_IS_LATE);
}

Test(move_timer, an_answer_that_the_referee_found_too_late_counts)
{
    move_timer_start(&watch, LONG_US, start_us);
    cr_assert_eq(read_at(30 * LONG_US).charged_us, LONG_US / 4, "it never came to its first look");
    cr_assert_eq(look_at(LONG_US / 4), CLOCK_IN_TIME);
    cr_assert_leq(read_at(3 * LONG_US).charged_us, LONG_US, "nor to its second");
    move_timer_start(&watch, SHORT_US, start_us);
    cr_assert_leq(read_at(3 * SHORT_US).charged_us, SHORT_US);
}

Test(move_timer, a_referee_that_was_stopped_begins_again)
{
    move_timer_start(&watch, SHORT_US, start_us);
    cr_assert_eq(look_at(2 * LONG_US), CLOCK_IN_TIME);
    cr_assert_eq(next_look(), 2 * LONG_US + SHORT_US + 1);
    cr_assert_eq(look_at(2 * LONG_US + SHORT_US + 1), CLOCK_IS_LATE);
}

Test(move_timer, the_wall_clock_knows_no_excuse)
{
    watch.rule = CLOCK_WALL;
    move_timer_start(&watch, LONG_US, start_us);
    cr_assert_eq(next_look(), LONG_US + 1);
    cr_assert_eq(read_at(3 * LONG_US).charged_us, 3 * LONG_US);
    cr_assert_not(read_at(3 * LONG_US).is_measured);
    cr_assert_eq(look_at(9 * LONG_US), CLOCK_IS_LATE);
}

static void burn_us(int64_t us)
{
    struct timespec used;

    do
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while (used.tv_sec * 1000000 + used.tv_nsec / 1000 < us);
}

/* A child with a child of its own says that it is there, burns when it is told to, says so, and
 * stays. */
static pid_t start_burning_pair(int fd)
{
    pid_t pid = fork();
    char byte = 'x';

    if (pid == 0) {
        (void)setpgid(0, 0);
        if (fork() == 0) {
            (void)!write(fd, &byte, 1);
            (void)!read(fd, &byte, 1);
            burn_us(40000);
            (void)!write(fd, &byte, 1);
        }
        for (;;)
            (void)pause();
    }
    return pid;
}

Test(move_timer, descendants_count_with_their_process)
{
    static struct schedstat before;
    static struct schedstat after;
    struct clock_rule_sample sample = {0};
    int ends[2];
    char byte;
    pid_t pid;

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    pid = start_burning_pair(ends[1]);
    cr_assert_eq(read(ends[0], &byte, 1), 1);
    schedstat_take(&before, pid);
    cr_assert_eq(write(ends[0], &byte, 1), 1);
    cr_assert_eq(read(ends[0], &byte, 1), 1);
    schedstat_take(&after, pid);
    schedstat_compare(&before, &after, &sample);
    cr_assert_eq(after.count, 2, "it and its child");
    cr_assert(after.has_waits);
    cr_assert_geq(sample.cpu_us, 20000, "its child burned 40 ms: %ld us", (long)sample.cpu_us);
    cr_assert_eq(kill(-pid, SIGKILL), 0);
    cr_assert_eq(waitpid(pid, NULL, 0), pid);
}

Test(move_timer, a_process_that_is_gone_has_no_counters)
{
    static struct schedstat probe;

    tear_down();
    schedstat_take(&probe, sleeper);
    cr_assert_eq(probe.count, 0);
    cr_assert_not(probe.is_waiting);
}

Test(move_timer, without_waits_a_bot_gets_three_times_its_limit)
{
    static struct schedstat before = {.count = 1, .threads = {{.tid = 1, .cpu_ns = 0}}};
    static struct schedstat after = {.count = 1, .threads = {{.tid = 1, .cpu_ns = 2000000}}};
    struct clock_rule_sample sample = {.wall_us = 30000};

    after.at_us = 30000;
    schedstat_compare(&before, &after, &sample);
    cr_assert_eq(clock_rule_charged_us(CLOCK_FAIR, &sample), 10000);
    cr_assert_eq(sample.cpu_us, 2000);
}

Test(move_timer, threads_that_come_and_go_never_count_against_a_bot)
{
    static struct schedstat before = {
        .count = 2, .has_waits = true, .threads = {{1, 5000000, 1000000}, {2, 90000000, 80000000}}};
    static struct schedstat after = {
        .count = 2, .has_waits = true, .threads = {{3, 4000000, 2000000}, {1, 6000000, 1500000}}};
    struct clock_rule_sample sample = {0};

    schedstat_compare(&before, &after, &sample);
    cr_assert_eq(sample.cpu_us, 5000);
    cr_assert_eq(sample.wait_us, 2500);
}
