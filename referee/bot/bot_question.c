/* A question is open from bot_ask() until one of four things ends it: a line, the clock, the end of
 * the output or the end of the process. They come in any order and together; whatever has been written
 * is read before anything else is judged, and the first that ends the question is the only one.
 *
 * The clock is one timer a bot, and a lazy one: an answer does not disarm it and the next question
 * does not move it, because that would cost more than the answer. When it comes too early it is set
 * again for the question that is open by then. */

#include "bot/bot_private.h"

#include "base/clock.h"
#include "bot/loop_lag.h"

#include <poll.h>
#include <unistd.h>

/* How long to wait for the proof that an answer was in a buffer, or for the end of a process; and how often
 * again while the bot is ready to run and the machine is busy with others. */
#define MOMENT_US 200000
#define MOMENTS_MAX 10

void bot_question_close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void bot_question_arm(struct bot *bot, int64_t at_us, int64_t now_us)
{
    int64_t wait_us = at_us > now_us ? at_us - now_us : 0;
    struct timeval wait = {.tv_sec = wait_us / 1000000, .tv_usec = wait_us % 1000000};

    if (bot->armed_us != 0 && bot->armed_us <= at_us)
        return;
    (void)event_add(&bot->on_time, &wait);
    bot->armed_us = at_us;
}

bool bot_question_is_open(const struct bot *bot)
{
    return bot->phase == BOT_WRITING || bot->phase == BOT_LISTENING;
}

void bot_question_stop_reading(struct bot *bot)
{
    (void)event_del(&bot->on_output);
    bot->is_output_watched = false;
}

static void start_clock(struct bot *bot, enum bot_phase phase)
{
    int64_t now_us = clock_now_us();

    bot->phase = phase;
    move_timer_start(&bot->timer, bot->timer.limit_us, now_us);
    bot_question_arm(bot, bot->timer.next_look_us, now_us);
}

/* Nothing more may come from a bot that has ended, and nothing new from one that said hello early:
 * then the loop is told to look at once. */
static void watch_output(struct bot *bot)
{
    if (!bot->is_output_watched && !bot->is_output_over) {
        (void)event_add(&bot->on_output, NULL);
        bot->is_output_watched = true;
    }
    if (bot->is_ended || bot->is_output_over || line_buffer_rest(&bot->input).length > 0)
        event_active(&bot->on_output, EV_READ, 0);
}

void bot_question_open(struct bot *bot)
{
    /* A broken pipe may be a bot that is just ending, and then its end says more; one that lives on
     * is found when its time is over. */
    if (write_buffer_write(&bot->output, bot->stdin_fd) != WRITE_BUFFER_FULL) {
        start_clock(bot, BOT_LISTENING);
    } else {
        start_clock(bot, BOT_WRITING);
        (void)event_add(&bot->on_room, NULL);
    }
    watch_output(bot);
}

void bot_question_on_room(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;

    (void)what;
    if (write_buffer_write(&bot->output, fd) == WRITE_BUFFER_FULL)
        return;
    (void)event_del(&bot->on_room);
    start_clock(bot, BOT_LISTENING);
}

static void wait_moment(struct bot *bot)
{
    int64_t now_us = clock_now_us();

    bot->moments++;
    bot->timer.next_look_us = now_us + MOMENT_US;
    bot_question_arm(bot, bot->timer.next_look_us, now_us);
}

void bot_question_wait_for(struct bot *bot, enum bot_phase phase)
{
    bot->phase = phase;
    bot->moments = 0;
    wait_moment(bot);
}

void bot_question_end_gone(struct bot *bot)
{
    struct bot_fault verdict = {.outcome = BOT_GONE, .time = bot->time};

    verdict.line = line_buffer_rest(&bot->input);
    bot_fault_found(bot, &verdict);
}

/* The process has ended. Others that it started may hold its output open; they are not waited for. */
static void read_last(struct bot *bot)
{
    if (bot_input_all(bot) == BOT_INPUT_ENDED)
        return;
    bot->time = move_timer_read(&bot->timer, clock_now_us());
    bot_question_end_gone(bot);
}

static void end_late(struct bot *bot, bool was_in_buffer)
{
    struct bot_fault verdict = {
        .outcome = bot->outcome, .time = bot->time, .was_in_buffer = was_in_buffer};

    bot_fault_found(bot, &verdict);
}

/* Looks for a line of a bot that is late, now that its input is closed. */
static void read_proof(struct bot *bot)
{
    ssize_t length = line_buffer_read(&bot->input, bot->stdout_fd);
    struct span line;

    if (line_buffer_cut_line(&bot->input, &line)) {
        end_late(bot, !bot->was_busy);
    } else if (length == 0 || bot->is_ended || line_buffer_is_too_long(&bot->input)) {
        bot_question_stop_reading(bot);
        end_late(bot, false);
    }
}

/* What comes unasked is left where it is until the next question. */
static void read_unasked(struct bot *bot)
{
    if (line_buffer_read(&bot->input, bot->stdout_fd) == 0)
        bot_input_end(bot);
    else
        bot_question_stop_reading(bot);
}

void bot_question_on_output(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;

    (void)fd;
    (void)what;
    loop_lag_note(event_get_base(&bot->on_output));
    if (bot->phase == BOT_LEAVING)
        bot_exit_on_output(bot);
    else if (bot->phase == BOT_PROVING)
        read_proof(bot);
    else if (!bot_question_is_open(bot))
        read_unasked(bot);
    else if (bot->is_ended)
        read_last(bot);
    else
        (void)bot_input_once(bot);
}

/* Whether it has closed its end of its input. */
static bool is_input_closed(const struct bot *bot)
{
    struct pollfd input = {.fd = bot->stdin_fd, .events = POLLOUT};

    return poll(&input, 1, 0) > 0 && (input.revents & POLLERR) != 0;
}

/* Whether it still computes: then what comes next does not come out of a buffer. */
static bool is_busy(const struct bot *bot)
{
    struct schedstat probe;

    schedstat_take(&probe, bot->pid);
    return probe.is_waiting;
}

static void end_time(struct bot *bot)
{
    bool is_deaf = bot->phase == BOT_WRITING || is_input_closed(bot);

    (void)event_del(&bot->on_room);
    bot->outcome = is_deaf ? BOT_DEAF : BOT_LATE;
    bot->was_busy = is_busy(bot);
    bot_question_close_fd(&bot->stdin_fd);
    if (is_deaf)
        end_late(bot, false);
    else
        bot_question_wait_for(bot, BOT_PROVING);
}

/* Judges the time of an open question, after all that may have come meanwhile. Before it is lost the
 * pipe is looked at once more: the bot may have been running while it was judged. */
static void look(struct bot *bot)
{
    int64_t now_us;
    enum clock_verdict verdict;

    if (bot_input_all(bot) == BOT_INPUT_ENDED)
        return;
    now_us = clock_now_us();
    verdict = move_timer_look(&bot->timer, now_us, &bot->time);
    if (verdict != CLOCK_IS_LATE)
        bot_question_arm(bot, bot->timer.next_look_us, now_us);
    else if (bot_input_all(bot) != BOT_INPUT_ENDED)
        end_time(bot);
}

/* The moment is over, but on a busy machine the bot may not have run yet. Returns whether to wait again. */
static bool wait_again(struct bot *bot)
{
    if (bot->moments >= MOMENTS_MAX || !is_busy(bot))
        return false;
    wait_moment(bot);
    return true;
}

static void end_decided(struct bot *bot)
{
    struct span rest = line_buffer_rest(&bot->input);
    struct bot_fault verdict = {.outcome = bot->outcome, .line = span_cut(&rest, '\n')};

    bot_fault_found(bot, &verdict);
}

static void act_on_time(struct bot *bot)
{
    switch (bot->phase) {
    case BOT_IDLE:
        break;
    case BOT_WRITING:
    case BOT_LISTENING:
        look(bot);
        break;
    case BOT_PROVING:
        if (bot->was_busy || !wait_again(bot))
            end_late(bot, false);
        break;
    case BOT_ENDING:
        if (!wait_again(bot))
            bot_question_end_gone(bot);
        break;
    case BOT_DECIDED:
        end_decided(bot);
        break;
    case BOT_LEAVING:
        bot_exit_on_time(bot);
        break;
    }
}

void bot_question_on_time(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;
    int64_t now_us = clock_now_us();

    (void)fd;
    (void)what;
    loop_lag_note(event_get_base(&bot->on_time));
    bot->armed_us = 0;
    if (bot->phase != BOT_IDLE && now_us < bot->timer.next_look_us)
        bot_question_arm(bot, bot->timer.next_look_us, now_us);
    else
        act_on_time(bot);
}

void bot_question_on_exit(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;

    (void)fd;
    (void)what;
    bot_exit_reap(bot);
    if (bot->phase == BOT_LEAVING)
        bot_exit_end(bot);
    else if (bot->phase == BOT_PROVING)
        read_proof(bot);
    else if (bot->phase == BOT_ENDING)
        bot_question_end_gone(bot);
    else if (bot_question_is_open(bot))
        read_last(bot);
}
