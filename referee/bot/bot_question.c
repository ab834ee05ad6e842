/* A question is open from bot_ask() until one of four things ends it: a line, the clock, the end of
 * the output or the end of the process. They come in any order and together; whatever has been
 * written is read before anything else is judged, and the first that ends the question is the only
 * one. What the bot writes is cut into lines, and each line is passed to the listener until one of
 * them ends the question. The end of the output is the last thing to be judged: whole lines before
 * it count, a piece of a line does not.
 *
 * A bot that is late may have answered without knowing that its answer is still in its buffer. That
 * is so if it waits for more input, nothing comes by itself for a while, and the answer comes when
 * its input is closed. A bot that slept or computed for too long does not wait for input.
 *
 * There is one timer per bot, and a lazy one: an answer does not disarm it and the next question
 * does not move it, because that would cost more than the answer. When it comes too early it is set
 * again for the question that is open by then. */

#include "bot/bot_private.h"

#include "base/clock.h"
#include "bot/loop_lag.h"
#include "sandbox/input_wait.h"

#include <poll.h>

/* How long to wait for an answer that comes by itself after all, for the proof that one was in a
 * buffer, or for the end of a process; and how often while the bot is ready to run and the machine
 * is busy with others. */
#define WAIT_US 200000
#define WAITS_MAX 10

/* What reading came to. */
enum reading {
    READING_MORE,    /* bytes came, and the question is still open */
    READING_NOTHING, /* none are there, and the question is still open */
    READING_ENDED,   /* the question has ended; another one may be open, or the bot freed */
};

static bool is_open(const struct bot *bot)
{
    return bot->phase == BOT_WRITING || bot->phase == BOT_LISTENING;
}

static void stop_reading(struct bot *bot)
{
    (void)event_del(&bot->on_output);
    bot->is_output_watched = false;
}

void bot_flush(struct bot *bot)
{
    if (bot->process.stdin_fd >= 0)
        (void)write_buffer_write(&bot->output, bot->process.stdin_fd);
}

void bot_tell(struct bot *bot, const char *bytes, size_t length)
{
    if (bot->process.stdin_fd < 0 || bot->is_overfull)
        return;
    write_buffer_add(&bot->output, bytes, length);
    if (write_buffer_length(&bot->output) > WRITE_BUFFER_FLUSH_BYTES)
        bot_flush(bot);
    if (write_buffer_length(&bot->output) > WRITE_BUFFER_MAX_BYTES) {
        write_buffer_clear(&bot->output);
        bot->is_overfull = true;
    }
}

static void start_clock(struct bot *bot, enum bot_phase phase)
{
    int64_t now_us = clock_now_us();

    bot_enter(bot, phase);
    move_timer_start(&bot->timer, bot->timer.limit_us, now_us);
    bot_arm(bot, bot->timer.next_look_us, now_us);
}

void bot_ask(struct bot *bot, int64_t limit_us, bool is_hello, const struct bot_listener *listener)
{
    bool is_full;

    bot->listener = *listener;
    bot->is_hello = is_hello;
    bot->lines = 0;
    bot->timer.limit_us = limit_us;
    if (!bot_fault_before_asking(bot))
        return;
    bot_rest_wake(bot);
    /* A broken pipe may be a bot that is just ending, and then its end says more; one that lives on
     * is found when its time is over. */
    is_full = write_buffer_write(&bot->output, bot->process.stdin_fd) == WRITE_BUFFER_FULL;
    start_clock(bot, is_full ? BOT_WRITING : BOT_LISTENING);
    if (!bot->is_output_watched && !bot->is_output_over) {
        (void)event_add(&bot->on_output, NULL);
        bot->is_output_watched = true;
    }
    /* Nothing more may come from a bot that has ended, and nothing new from one that said hello
     * early: then the loop is to look at once. */
    if (bot->process.has_ended || bot->is_output_over || line_buffer_rest(&bot->input).length > 0)
        event_active(&bot->on_output, EV_READ, 0);
}

void bot_question_on_room(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;

    (void)what;
    /* Its clock is running already: otherwise a bot that does not read could think for free. */
    if (write_buffer_write(&bot->output, fd) != WRITE_BUFFER_FULL)
        bot_enter(bot, BOT_LISTENING);
}

static void wait_once(struct bot *bot)
{
    int64_t now_us = clock_now_us();

    bot->waits++;
    bot->timer.next_look_us = now_us + WAIT_US;
    bot_arm(bot, bot->timer.next_look_us, now_us);
}

/* Waits in `phase` for something that is to come now. */
static void wait_for(struct bot *bot, enum bot_phase phase)
{
    bot_enter(bot, phase);
    bot->waits = 0;
    wait_once(bot);
}

static void end_late(struct bot *bot, bool was_in_buffer)
{
    struct bot_fault fault = {
        .outcome = bot->outcome, .time = bot->time, .was_in_buffer = was_in_buffer};

    bot_fault_end(bot, &fault);
}

/* Whether the time for the question is over: then nothing that comes counts, not even its end. */
static bool is_over(const struct bot *bot, const struct bot_time *time)
{
    return time->charged_us > bot->timer.limit_us;
}

static void end_gone(struct bot *bot)
{
    struct bot_fault fault = {
        .outcome = BOT_GONE, .time = bot->time, .line = line_buffer_rest(&bot->input)};

    if (is_over(bot, &bot->time) && bot->process.stop_reason[0] == '\0') {
        bot->outcome = BOT_LATE;
        end_late(bot, false);
    } else {
        bot_fault_end(bot, &fault);
    }
}

/* What is wrong with a line as such; BOT_ANSWERED if nothing is. */
static enum bot_outcome fault_of(struct bot *bot, struct span line, const struct bot_time *time)
{
    if (is_over(bot, time))
        return BOT_LATE;
    if (++bot->lines > BOT_QUESTION_LINES_MAX)
        return BOT_FLOOD;
    if (line.length > LINE_BUFFER_LINE_MAX)
        return BOT_TOO_LONG;
    return line_buffer_is_plain(line) ? BOT_ANSWERED : BOT_UNREADABLE;
}

/* Passes one line on. The bot is idle meanwhile, because the listener may ask the next question.
 * Returns whether the question is still open. */
static bool take_line(struct bot *bot, struct span line, const struct bot_time *time)
{
    struct bot_fault fault = {.time = *time, .line = line, .outcome = fault_of(bot, line, time)};
    enum bot_phase phase = bot->phase;
    struct bot_refusal refusal;

    if (fault.outcome == BOT_ANSWERED) {
        bot_enter(bot, BOT_IDLE);
        switch (bot->listener.on_line(bot->listener.context, line, time, &refusal)) {
        case BOT_MORE_TO_COME:
            bot_enter(bot, phase);
            return true;
        case BOT_ACCEPT:
            return false;
        case BOT_REFUSE:
            fault.outcome = refusal.outcome;
            fault.message = refusal.message;
            break;
        }
    }
    bot_fault_end(bot, &fault);
    return false;
}

/* Passes on the whole lines that are there. Returns whether the question is still open. */
static bool take_lines(struct bot *bot)
{
    struct bot_fault too_long = {.outcome = BOT_TOO_LONG};
    struct bot_time time = {0};
    struct span line;

    for (bool is_first = true; line_buffer_cut_line(&bot->input, &line); is_first = false) {
        if (is_first)
            time = move_timer_read(&bot->timer, clock_now_us());
        if (!take_line(bot, line, &time))
            return false;
    }
    if (!line_buffer_is_too_long(&bot->input))
        return true;
    too_long.line = line_buffer_rest(&bot->input);
    too_long.time = move_timer_read(&bot->timer, clock_now_us());
    if (is_over(bot, &too_long.time))
        too_long.outcome = BOT_LATE;
    stop_reading(bot);
    bot_fault_end(bot, &too_long);
    return false;
}

/* Its output has ended: nothing can come any more, but its process may still say why. */
static void end_output(struct bot *bot)
{
    stop_reading(bot);
    bot->is_output_over = true;
    if (!is_open(bot))
        return;
    bot->time = move_timer_read(&bot->timer, clock_now_us());
    if (bot->process.has_ended)
        end_gone(bot);
    else
        wait_for(bot, BOT_ENDING);
}

/* Reads once and passes on the lines that there are. */
static enum reading read_once(struct bot *bot)
{
    ssize_t length = line_buffer_read(&bot->input, bot->process.stdout_fd);

    if (!take_lines(bot))
        return READING_ENDED;
    if (length != 0)
        return length > 0 ? READING_MORE : READING_NOTHING;
    end_output(bot);
    return READING_ENDED;
}

/* Reads all that there is. It ends, because a question that is open takes only so many bytes. */
static enum reading read_all(struct bot *bot)
{
    enum reading reading;

    do
        reading = read_once(bot);
    while (reading == READING_MORE);
    return reading;
}

/* The process has ended. Others that it started may hold its output open; they are not awaited. */
static void read_last(struct bot *bot)
{
    if (read_all(bot) == READING_ENDED)
        return;
    bot->time = move_timer_read(&bot->timer, clock_now_us());
    end_gone(bot);
}

/* Looks for a line of a bot that is late: it comes by itself, or because its input was closed.
 * Returns whether the question is still open. */
static bool read_late(struct bot *bot)
{
    ssize_t length = line_buffer_read(&bot->input, bot->process.stdout_fd);
    struct span line;

    if (line_buffer_cut_line(&bot->input, &line)) {
        end_late(bot, bot->phase == BOT_PROVING);
        return false;
    }
    if (length != 0 && !bot->process.has_ended && !line_buffer_is_too_long(&bot->input))
        return true;
    stop_reading(bot);
    end_late(bot, false);
    return false;
}

static bool is_lost(const struct bot *bot)
{
    return bot->phase == BOT_LINGERING || bot->phase == BOT_PROVING;
}

/* Unsolicited bytes stay in the buffer until the next question. */
static void read_unasked(struct bot *bot)
{
    if (line_buffer_read(&bot->input, bot->process.stdout_fd) == 0)
        end_output(bot);
    else
        stop_reading(bot);
}

void bot_question_on_output(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;

    (void)fd;
    (void)what;
    loop_lag_note(event_get_base(&bot->on_output));
    if (bot->phase == BOT_LEAVING)
        bot_leaving_output(bot);
    else if (is_lost(bot))
        (void)read_late(bot);
    else if (!is_open(bot))
        read_unasked(bot);
    else if (bot->process.has_ended)
        read_last(bot);
    else
        (void)read_once(bot);
}

void bot_question_process_ended(struct bot *bot)
{
    if (is_lost(bot))
        (void)read_late(bot);
    else if (bot->phase == BOT_ENDING)
        end_gone(bot);
    else if (is_open(bot))
        read_last(bot);
}

/* Whether it has closed its end of its input. */
static bool is_input_closed(const struct bot *bot)
{
    struct pollfd input = {.fd = bot->process.stdin_fd, .events = POLLOUT};

    return poll(&input, 1, 0) > 0 && (input.revents & POLLERR) != 0;
}

/* Whether a silent bot may believe that it has answered: if it computes or sleeps, its next line
 * does not come out of a buffer. */
static bool may_have_answered(const struct bot *bot)
{
    return input_wait_of(&bot->process) != INPUT_WAIT_NO && !cpu_use_is_busy(&bot->process);
}

static void end_time(struct bot *bot)
{
    bool is_deaf = bot->phase == BOT_WRITING || is_input_closed(bot);

    bot->outcome = is_deaf ? BOT_DEAF : BOT_LATE;
    if (is_deaf || !may_have_answered(bot)) {
        process_close_fd(&bot->process.stdin_fd);
        end_late(bot, false);
    } else {
        wait_for(bot, BOT_LINGERING);
    }
}

/* No answer came by itself. What it wrote before it waited for input is in the pipe by now. */
static void end_lingering(struct bot *bot)
{
    bool may_have = may_have_answered(bot);

    if (!read_late(bot))
        return;
    process_close_fd(&bot->process.stdin_fd);
    if (may_have)
        wait_for(bot, BOT_PROVING);
    else
        end_late(bot, false);
}

static void end_starved(struct bot *bot)
{
    struct bot_fault fault = {.outcome = BOT_LATE, .time = bot->time, .is_starved = true};

    bot_fault_end(bot, &fault);
}

/* Judges the time of an open question, after all that may have come meanwhile. Before it is lost
 * the pipe is looked at once more: the bot may have been running while it was judged. */
static void look(struct bot *bot)
{
    int64_t now_us;
    enum clock_rule_verdict verdict;

    if (read_all(bot) == READING_ENDED)
        return;
    now_us = clock_now_us();
    verdict = move_timer_look(&bot->timer, now_us, &bot->time);
    if (verdict == CLOCK_IN_TIME) {
        bot_rest_calm(bot);
        bot_arm(bot, bot->timer.next_look_us, now_us);
    } else if (read_all(bot) != READING_ENDED) {
        if (verdict == CLOCK_IS_LATE)
            end_time(bot);
        else
            end_starved(bot);
    }
}

/* On a busy machine the bot may not have run yet. Returns whether to wait once more. */
static bool wait_again(struct bot *bot)
{
    if (bot->waits >= WAITS_MAX || !cpu_use_is_busy(&bot->process))
        return false;
    wait_once(bot);
    return true;
}

static void end_decided(struct bot *bot)
{
    struct span rest = line_buffer_rest(&bot->input);
    struct bot_fault fault = {.outcome = bot->outcome, .line = span_cut(&rest, '\n')};

    bot_fault_end(bot, &fault);
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
    case BOT_LINGERING:
        end_lingering(bot);
        break;
    case BOT_PROVING:
        if (!wait_again(bot))
            end_late(bot, false);
        break;
    case BOT_ENDING:
        if (!wait_again(bot))
            end_gone(bot);
        break;
    case BOT_DECIDED:
        end_decided(bot);
        break;
    case BOT_LEAVING:
        bot_leaving_time(bot);
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
        bot_arm(bot, bot->timer.next_look_us, now_us);
    else
        act_on_time(bot);
}
