/* From bytes to verdicts: what a bot writes while a question is open is cut into lines, each line is
 * looked at and handed to the listener, until one of them ends the question. The end of the output is
 * the last thing to be judged: whole lines before it count, a piece of a line does not. */

#include "bot/bot_private.h"

#include "base/clock.h"

/* What is wrong with a line as such; BOT_ANSWERED if nothing is. */
static enum bot_outcome fault_of(struct bot *bot, struct span line)
{
    if (++bot->lines > BOT_QUESTION_LINES_MAX)
        return BOT_FLOOD;
    if (line.length > LINE_BUFFER_LINE_MAX)
        return BOT_TOO_LONG;
    if (!line_buffer_is_plain(line))
        return BOT_UNREADABLE;
    return BOT_ANSWERED;
}

/* Passes one line on. Returns whether the question is still open. */
static bool take_line(struct bot *bot, struct span line, const struct bot_time *time)
{
    struct bot_fault verdict = {.time = *time, .line = line};
    enum bot_verdict said;

    verdict.outcome = time->charged_us > bot->timer.limit_us ? BOT_LATE : fault_of(bot, line);
    if (verdict.outcome != BOT_ANSWERED) {
        bot_fault_found(bot, &verdict);
        return false;
    }
    said = bot->listener.on_line(bot->listener.context, line.start, line.length, &verdict.outcome,
                                 &verdict.words);
    if (!bot_question_is_open(bot))
        return false;
    if (said == BOT_ACCEPT)
        bot_fault_none(bot, time);
    else if (said == BOT_REFUSE)
        bot_fault_refused(bot, &verdict);
    return said == BOT_GO_ON;
}

static void end_too_long(struct bot *bot)
{
    struct bot_fault verdict = {.outcome = BOT_TOO_LONG, .line = line_buffer_rest(&bot->input)};

    verdict.time = move_timer_read(&bot->timer, clock_now_us());
    bot_question_stop_reading(bot);
    bot_fault_found(bot, &verdict);
}

/* Passes on the whole lines that are there. Returns whether the question is still open. */
static bool take_lines(struct bot *bot)
{
    struct bot_time time = {0};
    struct span line;
    bool is_first = true;

    while (line_buffer_cut_line(&bot->input, &line)) {
        if (is_first)
            time = move_timer_read(&bot->timer, clock_now_us());
        is_first = false;
        if (!take_line(bot, line, &time))
            return false;
    }
    if (!line_buffer_is_too_long(&bot->input))
        return true;
    end_too_long(bot);
    return false;
}

void bot_input_end(struct bot *bot)
{
    int64_t now_us = clock_now_us();

    bot_question_stop_reading(bot);
    bot->is_output_over = true;
    if (!bot_question_is_open(bot))
        return;
    (void)event_del(&bot->on_room);
    bot->time = move_timer_read(&bot->timer, now_us);
    if (bot->is_ended)
        bot_question_end_gone(bot);
    else
        bot_question_wait_for(bot, BOT_ENDING); /* the end of the process says more */
}

enum bot_input_state bot_input_once(struct bot *bot)
{
    ssize_t length = line_buffer_read(&bot->input, bot->stdout_fd);

    if (!take_lines(bot))
        return BOT_INPUT_ENDED;
    if (length != 0)
        return length > 0 ? BOT_INPUT_MORE : BOT_INPUT_NOTHING;
    bot_input_end(bot);
    return BOT_INPUT_ENDED;
}

enum bot_input_state bot_input_all(struct bot *bot)
{
    enum bot_input_state state;

    do
        state = bot_input_once(bot);
    while (state == BOT_INPUT_MORE);
    return state;
}
