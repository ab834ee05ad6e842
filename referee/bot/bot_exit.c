/* A bot that was let go is no longer asked anything, but its process is still there: it gets the rest
 * of its notices, the end of its input and some time to go, and then a signal that it cannot refuse.
 * What it still writes is read, so that it is not held up, and dropped. Who let it go hears of its end
 * from the loop in every case, because that may have been a listener that this very bot called.
 *
 * The group is killed before the process is reaped: until then its number cannot belong to anybody
 * else. */

#include "bot/bot_private.h"

#include "base/clock.h"
#include "sandbox/jail.h"
#include "sandbox/reaper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define STDERR_LAST_BYTES ((size_t)1024 * 1024)

void bot_exit_kill(const struct bot *bot)
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

    if (is_exit && bot->jail != NULL && jail_is_bubblewrap(bot->jail) && status > BUBBLE_SIGNAL &&
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

void bot_exit_reap(struct bot *bot)
{
    siginfo_t info = {0};
    int failed;

    (void)event_del(&bot->on_exit);
    bot_exit_kill(bot);
    do
        failed = waitid(P_PIDFD, (id_t)bot->pidfd, &info, WEXITED);
    while (failed && errno == EINTR);
    describe_ending(bot, &info);
    bot->is_ended = true;
    (void)event_del(&bot->on_watch);
    bot_question_close_fd(&bot->pidfd);
    reaper_forget(bot->pid);
    if (bot->jail != NULL)
        jail_sweep(bot->jail);
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
    bot_question_close_fd(&bot->stdin_fd);
    bot_question_close_fd(&bot->stdout_fd);
    bot_question_close_fd(&bot->stderr_fd);
    stderr_capture_free(&bot->capture);
    write_buffer_clear(&bot->output);
    jail_free(bot->jail);
    free(bot->start_problem);
    free(bot);
}

void bot_exit_end(struct bot *bot)
{
    if (bot->stderr_fd >= 0)
        (void)stderr_capture_read(&bot->capture, bot->stderr_fd, STDERR_LAST_BYTES);
    bot->on_left(bot->left_context, bot);
    destroy(bot);
}

void bot_exit_on_time(struct bot *bot)
{
    if (has_process(bot))
        bot_exit_kill(bot);
    else
        bot_exit_end(bot);
}

void bot_exit_on_output(struct bot *bot)
{
    bot->input.start = bot->input.end;
    if (line_buffer_read(&bot->input, bot->stdout_fd) == 0)
        (void)event_del(&bot->on_output);
}

static void let_go(struct bot *bot, long grace_ms)
{
    int64_t now_us = clock_now_us();

    bot->timer.next_look_us = now_us + grace_ms * 1000;
    if (grace_ms <= 0) {
        bot_exit_kill(bot);
        return;
    }
    if (!bot->is_output_over)
        (void)event_add(&bot->on_output, NULL);
    bot_question_arm(bot, bot->timer.next_look_us, now_us);
}

void bot_leave(struct bot *bot, long grace_ms, bot_left_fn *on_left, void *context)
{
    bot->phase = BOT_LEAVING;
    bot->on_left = on_left;
    bot->left_context = context;
    bot_flush(bot);
    (void)event_del(&bot->on_room);
    (void)event_del(&bot->on_output);
    bot_question_close_fd(&bot->stdin_fd);
    if (has_process(bot)) {
        let_go(bot, grace_ms);
    } else {
        bot->timer.next_look_us = 0;
        event_active(&bot->on_time, EV_TIMEOUT, 0);
    }
}

void bot_free(struct bot *bot)
{
    if (bot == NULL)
        return;
    if (has_process(bot))
        bot_exit_reap(bot);
    destroy(bot);
}
