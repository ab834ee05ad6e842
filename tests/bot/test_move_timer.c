/* The clock of a question at made-up moments, over a real process that does nothing, and over real
 * ones that compute. */

#include "base/clock.h"
#include "bot/move_timer.h"
#include "bot/schedstat.h"
#include "sandbox/process.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG_US 1000000L
#define SHORT_US 10000L

/* At most one step of the host's counter, and a tick. */
#define SLACK_US (SCHEDSTAT_STEP_US + 10000)

static struct process process;
static struct move_timer timer;
static int64_t start_us;

static void set_up(void)
{
    pid_t sleeper = fork();

    if (sleeper == 0) {
        (void)raise(SIGSTOP);
        _exit(0);
    }
    /* Only when it has stopped for certain is it not ready to run. */
    (void)waitpid(sleeper, NULL, WUNTRACED);
    process = (struct process){.pid = sleeper, .cpu = -1};
    start_us = clock_now_us();
    move_timer_init(&timer, CLOCK_FAIR, &process, 1);
}

static void tear_down(void)
{
    (void)kill(process.pid, SIGKILL);
    (void)waitpid(process.pid, NULL, 0);
}

static enum clock_rule_verdict look_at(int64_t after_us)
{
    struct bot_time time;

    return move_timer_look(&timer, start_us + after_us, &time);
}

static struct bot_time read_at(int64_t after_us)
{
    return move_timer_read(&timer, start_us + after_us);
}

static int64_t next_look(void)
{
    return timer.next_look_us - start_us;
}

/* Looks whenever a look is due. Returns when the question was lost. */
static int64_t look_until_late(void)
{
    int64_t at_us;

    do
        at_us = next_look();
    while (look_at(at_us) == CLOCK_IN_TIME && at_us < 100 * LONG_US);
    return at_us;
}

TestSuite(move_timer, .init = set_up, .fini = tear_down);

Test(move_timer, a_quick_answer_is_charged_as_it_is_and_not_measured)
{
    move_timer_start(&timer, LONG_US, start_us);
    cr_assert_eq(read_at(200).charged_us, 200);
    cr_assert_eq(read_at(LONG_US / 4).charged_us, LONG_US / 4);
    cr_assert_not(read_at(LONG_US / 4).is_measured);
}

Test(move_timer, on_many_cores_fewer_answers_are_quick)
{
    move_timer_init(&timer, CLOCK_FAIR, &process, 64);
    move_timer_start(&timer, LONG_US, start_us);
    cr_assert_not(read_at(LONG_US / 64).is_measured);
    cr_assert(read_at(LONG_US / 60).is_measured);
}

Test(move_timer, from_its_quarter_on_a_question_is_looked_at_again_and_again)
{
    move_timer_start(&timer, LONG_US, start_us);
    cr_assert_eq(next_look(), LONG_US / 4);
    cr_assert_eq(look_at(next_look()), CLOCK_IN_TIME);
    cr_assert_gt(next_look(), LONG_US / 4);
    cr_assert_leq(next_look(), LONG_US / 3);
    cr_assert(read_at(LONG_US / 2).is_measured);
}

Test(move_timer, a_sleeper_is_late_soon_after_its_limit)
{
    move_timer_start(&timer, LONG_US, start_us);
    cr_assert_leq(look_until_late(), LONG_US + LONG_US / 8 + SLACK_US);
    move_timer_start(&timer, SHORT_US, start_us);
    cr_assert_leq(look_until_late(), SHORT_US + 2 * SLACK_US);
}

/* The loop was stopped for so long, at a moment at which the bot had used a part of its time. */
static void stop_for(int64_t at_us, int64_t pause_us)
{
    move_timer_start(&timer, LONG_US, start_us);
    while (next_look() < at_us)
        cr_assert_eq(look_at(next_look()), CLOCK_IN_TIME);
    cr_assert_eq(look_at(at_us + pause_us), CLOCK_IN_TIME, "after a pause of %ld us",
                 (long)pause_us);
    while (next_look() < at_us + pause_us + LONG_US / 4)
        cr_assert_eq(look_at(next_look()), CLOCK_IN_TIME);
}

Test(move_timer, a_pause_of_the_referee_is_never_charged)
{
    static const int64_t pauses_us[] = {100000, 800000, 8000000, 300000000};

    for (size_t i = 0; i < ARRAY_LEN(pauses_us); i++) {
        struct bot_time time;

        for (int64_t at_us = 0; at_us <= 600000; at_us += 200000)
            stop_for(at_us, pauses_us[i]);
        stop_for(400000, pauses_us[i]);
        time = read_at(400000 + pauses_us[i] + 200000);
        cr_assert_leq(time.charged_us, LONG_US);
        cr_assert_geq(time.wall_us, pauses_us[i]);
    }
}

Test(move_timer, after_a_pause_a_sleeper_is_still_late)
{
    stop_for(400000, 8000000);
    cr_assert_leq(look_until_late(), 8000000 + LONG_US + LONG_US / 4);
}

Test(move_timer, the_wall_clock_knows_no_excuse)
{
    move_timer_init(&timer, CLOCK_WALL, &process, 1);
    move_timer_start(&timer, LONG_US, start_us);
    cr_assert_eq(next_look(), LONG_US + 1);
    cr_assert_eq(read_at(3 * LONG_US).charged_us, 3 * LONG_US);
    cr_assert_not(read_at(3 * LONG_US).is_measured);
    cr_assert_eq(look_at(9 * LONG_US), CLOCK_IS_LATE);
}

/* Real processes: they burn, by a clock of their own. */

static void burn_us(int64_t us)
{
    struct timespec used;

    do
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while (used.tv_sec * 1000000 + used.tv_nsec / 1000 < us);
}

/* A child that waits for a byte, uses CPU time (itself or in a child of its own) and answers. */
struct burner {
    int told_fd;
    int heard_fd;
};

static struct burner start_burner(struct process *burning, bool in_child)
{
    int told[2];
    int heard[2];
    char byte = 'x';

    cr_assert(pipe(told) == 0 && pipe(heard) == 0);
    *burning = (struct process){.pid = fork(), .cpu = -1};
    if (burning->pid == 0) {
        pid_t self = getpid();

        (void)!read(told[0], &byte, 1);
        if (!in_child || fork() == 0) {
            burn_us(50000);
            (void)!write(heard[1], &byte, 1);
        }
        if (in_child && getpid() != self)
            _exit(0);
        for (;;)
            (void)pause();
    }
    return (struct burner){told[1], heard[0]};
}

static void let_burn(const struct burner *burner)
{
    char byte = 'x';

    cr_assert_eq(write(burner->told_fd, &byte, 1), 1);
    cr_assert_eq(read(burner->heard_fd, &byte, 1), 1);
}

static void end_burner(struct process *burning)
{
    (void)kill(burning->pid, SIGKILL);
    (void)waitpid(burning->pid, NULL, 0);
}

Test(move_timer, the_cpu_time_of_a_question_is_charged_from_its_first_moment)
{
    struct process burning;
    struct burner burner = start_burner(&burning, false);
    struct bot_time time;

    move_timer_init(&timer, CLOCK_FAIR, &burning, 1);
    move_timer_start(&timer, 100000, clock_now_us());
    let_burn(&burner);
    time = move_timer_read(&timer, timer.from_us + 30000);
    cr_assert_geq(time.cpu_us, 45000, "%ld", (long)time.cpu_us);
    cr_assert_geq(time.charged_us + SCHEDSTAT_STEP_US, 45000);
    end_burner(&burning);
}

Test(move_timer, what_is_used_between_questions_is_reported_with_the_next)
{
    struct process burning;
    struct burner burner = start_burner(&burning, false);
    int64_t now_us = clock_now_us();

    move_timer_init(&timer, CLOCK_FAIR, &burning, 1);
    move_timer_start(&timer, 100000, now_us);
    cr_assert_eq(move_timer_read(&timer, now_us + 1000).pondered_us, 0);
    cr_assert_lt(move_timer_idle_cpu_us(&timer), MOVE_TIMER_CALM_US);
    let_burn(&burner);
    cr_assert_geq(move_timer_idle_cpu_us(&timer), 40000);
    move_timer_start(&timer, 100000, now_us + 1000000);
    cr_assert_geq(move_timer_read(&timer, now_us + 1001000).pondered_us, 40000);
    move_timer_start(&timer, 100000, now_us + 2000000);
    cr_assert_eq(move_timer_read(&timer, now_us + 2001000).pondered_us, 0, "but only once");
    end_burner(&burning);
}

Test(move_timer, without_a_group_only_a_single_thread_is_known_to_have_waited)
{
    struct process burning;
    struct burner burner = start_burner(&burning, true);
    struct cpu_use use;

    cpu_use_read(&burning, &use);
    cr_assert_neq(use.thread_wait_us, CPU_USE_UNKNOWN);
    let_burn(&burner);
    cpu_use_read(&burning, &use);
    cr_assert_eq(use.thread_wait_us, CPU_USE_UNKNOWN, "it has a child");
    cr_assert(burning.had_company);
    end_burner(&burning);
}

Test(move_timer, a_process_that_is_gone_has_used_nothing)
{
    struct cpu_use use;

    tear_down();
    process.has_ended = true;
    cpu_use_read(&process, &use);
    cr_assert_eq(use.cpu_us, 0);
    cr_assert_eq(use.thread_wait_us, CPU_USE_UNKNOWN);
}
