/* From bytes to verdicts: what a bot writes while a question is open is cut into lines, each line is
 * looked at and handed to the listener, until one of them ends the question. The end of the output is
 * the last thing to be judged: whole lines before it count, a piece of a line does not. */

#include "bot/bot_private.h"

#include "base/clock.h"

/* How long an end of output waits for the end of the process, which says more. */
#define ENDING_US 200000

/* What is wrong with a line as such; BOT_ANSWERED if nothing is. */
static enum bot_outcome fault_of(struct bot *bot, struct span line)
{
    if (++bot->lines > QUESTION_LINES_MAX)
        return BOT_FLOOD;
    if (line.length > INTAKE_LINE_MAX)
        return BOT_TOO_LONG;
    if (!intake_is_plain(line))
        return BOT_UNREADABLE;
    return BOT_ANSWERED;
}

/* Passes one line on. Returns whether the question is still open. */
static bool take_line(struct bot *bot, struct span line, const struct bot_time *time)
{
    struct verdict verdict = {.time = *time, .line = line};
    enum bot_verdict said;

    verdict.outcome = time->charged_us > bot->stopwatch.limit_us ? BOT_LATE : fault_of(bot, line);
    if (verdict.outcome != BOT_ANSWERED) {
        verdict_fault(bot, &verdict);
        return false;
    }
    said = bot->listener.on_line(bot->listener.context, line.start, line.length, &verdict.outcome,
                                 &verdict.words);
    if (!question_is_open(bot))
        return false;
    if (said == BOT_ACCEPT)
        verdict_answered(bot, time);
    else if (said == BOT_REFUSE)
        verdict_refused(bot, &verdict);
    return said == BOT_GO_ON;
}

static void end_too_long(struct bot *bot)
{
    struct verdict verdict = {.outcome = BOT_TOO_LONG, .line = intake_rest(&bot->intake)};

    verdict.time = stopwatch_read(&bot->stopwatch, clock_now_us());
    question_stop_reading(bot);
    verdict_fault(bot, &verdict);
}

/* Passes on the whole lines that are there. Returns whether the question is still open. */
static bool take_lines(struct bot *bot)
{
    struct bot_time time = {0};
    struct span line;
    bool is_first = true;

    while (intake_cut_line(&bot->intake, &line)) {
        if (is_first)
            time = stopwatch_read(&bot->stopwatch, clock_now_us());
        is_first = false;
        if (!take_line(bot, line, &time))
            return false;
    }
    if (!intake_is_too_long(&bot->intake))
        return true;
    end_too_long(bot);
    return false;
}

void listen_end(struct bot *bot)
{
    int64_t now_us = clock_now_us();

    question_stop_reading(bot);
    bot->is_output_over = true;
    if (!question_is_open(bot))
        return;
    (void)event_del(&bot->on_room);
    bot->time = stopwatch_read(&bot->stopwatch, now_us);
    if (bot->is_ended)
        question_end_gone(bot);
    else
        question_wait_for(bot, PHASE_ENDING, ENDING_US);
}

enum listen_state listen_once(struct bot *bot)
{
    ssize_t length = intake_read(&bot->intake, bot->stdout_fd);

    if (!take_lines(bot))
        return LISTEN_ENDED;
    if (length != 0)
        return length > 0 ? LISTEN_MORE : LISTEN_NOTHING;
    listen_end(bot);
    return LISTEN_ENDED;
}

enum listen_state listen_all(struct bot *bot)
{
    enum listen_state state;

    do
        state = listen_once(bot);
    while (state == LISTEN_MORE);
    return state;
}
