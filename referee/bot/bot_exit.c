/* A bot that was let go is no longer asked anything, but its process is still there: it gets the rest
 * of its notices, the end of its input and some time to go, and then a signal that it cannot refuse.
 * What it still writes is read, so that it is not held up, and dropped. Who let it go hears of its end
 * from the loop in every case, because that may have been a listener that this very bot called.
 *
 * The group is killed before the process is reaped: until then its number cannot belong to anybody
 * else. */

#include "bot/bot_private.h"

#include "base/clock.h"
#include "bot/cell.h"
#include "bot/sweep.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define STDERR_LAST_BYTES ((size_t)1024 * 1024)

void leave_kill(const struct bot *bot)
{
    (void)kill(-bot->pid, SIGKILL);
    (void)kill(bot->pid, SIGKILL);
}

/* A bubble says of a bot that was killed what a shell would say. */
#define BUBBLE_SIGNAL 128

static void describe_ending(struct bot *bot, const siginfo_t *info)
{
    bool is_exit = info->si_code == CLD_EXITED;
    int status = info->si_status;

    if (is_exit && bot->cell != NULL && cell_is_bubble(bot->cell) && status > BUBBLE_SIGNAL &&
        status < BUBBLE_SIGNAL + NSIG) {
        is_exit = false;
        status -= BUBBLE_SIGNAL;
    }
    if (is_exit)
        (void)snprintf(bot->ending, sizeof bot->ending, "exit status %d", status);
    else
        (void)snprintf(bot->ending, sizeof bot->ending, "signal %d (%s)", status,
                       strsignal(status));
}

void leave_reap(struct bot *bot)
{
    siginfo_t info = {0};
    int failed;

    (void)event_del(&bot->on_exit);
    leave_kill(bot);
    do
        failed = waitid(P_PIDFD, (id_t)bot->pidfd, &info, WEXITED);
    while (failed && errno == EINTR);
    describe_ending(bot, &info);
    bot->is_ended = true;
    (void)event_del(&bot->on_watch);
    question_close_fd(&bot->pidfd);
    sweep_discharge(bot->pid);
    if (bot->cell != NULL)
        cell_sweep(bot->cell);
}

static bool has_process(const struct bot *bot)
{
    return bot->pid > 0 && !bot->is_ended;
}

/* Gives back everything. The process is reaped. */
static void destroy(struct bot *bot)
{
    (void)event_del(&bot->on_output);
    (void)event_del(&bot->on_room);
    (void)event_del(&bot->on_stderr);
    (void)event_del(&bot->on_time);
    (void)event_del(&bot->on_watch);
    question_close_fd(&bot->stdin_fd);
    question_close_fd(&bot->stdout_fd);
    question_close_fd(&bot->stderr_fd);
    capture_free(&bot->capture);
    outbox_clear(&bot->outbox);
    cell_free(bot->cell);
    free(bot->start_problem);
    free(bot);
}

void leave_end(struct bot *bot)
{
    if (bot->stderr_fd >= 0)
        (void)capture_read(&bot->capture, bot->stderr_fd, STDERR_LAST_BYTES);
    bot->on_left(bot->left_context, bot);
    destroy(bot);
}

void leave_on_time(struct bot *bot)
{
    if (has_process(bot))
        leave_kill(bot);
    else
        leave_end(bot);
}

void leave_on_output(struct bot *bot)
{
    bot->intake.start = bot->intake.end;
    if (intake_read(&bot->intake, bot->stdout_fd) == 0)
        (void)event_del(&bot->on_output);
}

static void let_go(struct bot *bot, long grace_ms)
{
    int64_t now_us = clock_now_us();

    bot->stopwatch.next_look_us = now_us + grace_ms * 1000;
    if (grace_ms <= 0) {
        leave_kill(bot);
        return;
    }
    if (!bot->is_output_over)
        (void)event_add(&bot->on_output, NULL);
    question_arm(bot, bot->stopwatch.next_look_us, now_us);
}

void bot_leave(struct bot *bot, long grace_ms, bot_left_fn *on_left, void *context)
{
    bot->phase = PHASE_LEAVING;
    bot->on_left = on_left;
    bot->left_context = context;
    bot_flush(bot);
    (void)event_del(&bot->on_room);
    (void)event_del(&bot->on_output);
    question_close_fd(&bot->stdin_fd);
    if (has_process(bot)) {
        let_go(bot, grace_ms);
    } else {
        bot->stopwatch.next_look_us = 0;
        event_active(&bot->on_time, EV_TIMEOUT, 0);
    }
}

void bot_free(struct bot *bot)
{
    if (bot == NULL)
        return;
    if (has_process(bot))
        leave_reap(bot);
    destroy(bot);
}
