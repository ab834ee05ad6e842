/* How a question ends in a fault. Line and message are lent to the listener from buffers of this
 * file, because only one question ends at a time. */

#include "bot/bot_private.h"

#include "base/escape.h"
#include "bot/fault_text.h"

#define MESSAGE_BYTES 640
#define LINE_SHOWN_BYTES (LINE_BUFFER_LINE_MAX * ESCAPE_MAX)

/* In whole milliseconds. */
static long ms_of(int64_t time_us)
{
    return (long)((time_us + 500) / 1000);
}

static void add_starved(struct text *text, const struct bot *bot, const struct bot_fault *fault)
{
    text_printf(text, "in %ld ms the machine gave %s only %ld of its %ld ms",
                ms_of(fault->time.wall_us), bot->label, ms_of(fault->time.charged_us),
                ms_of(bot->timer.limit_us));
    bot_rest_describe(text);
}

static enum fault_text_deaf deafness_of(const struct bot *bot)
{
    if (bot->is_overfull)
        return FAULT_TEXT_OVERFULL;
    return write_buffer_length(&bot->output) == 0 ? FAULT_TEXT_CLOSED : FAULT_TEXT_NOT_READING;
}

static void add_message(struct text *text, const struct bot *bot, const struct bot_fault *fault)
{
    struct fault_text facts = {
        .outcome = fault->outcome,
        .is_hello = bot->is_hello,
        .has_line = fault->line.length > 0,
        .charged_us = fault->time.charged_us,
        .limit_us = bot->timer.limit_us,
        .cpu_us = fault->time.cpu_us,
        .is_measured = fault->time.is_measured,
        .was_in_buffer = fault->was_in_buffer,
        .deaf = deafness_of(bot),
        .ending = bot->process.ending,
        .stop_reason = bot->process.stop_reason,
        .start_problem = bot->start_problem,
    };

    if (fault->message != NULL)
        text_add(text, fault->message);
    else if (fault->is_starved)
        add_starved(text, bot, fault);
    else
        fault_text_write(text, &facts);
}

void bot_fault_end(struct bot *bot, const struct bot_fault *fault)
{
    static char line[LINE_SHOWN_BYTES + sizeof "..."];
    static char message[MESSAGE_BYTES];
    struct bot_failure failure = {
        .outcome = bot->is_hello ? fault_text_in_hello(fault->outcome) : fault->outcome,
        .time = fault->time,
        .line = line,
        .message = message,
        .ending = bot->process.ending,
        .was_in_buffer = fault->was_in_buffer,
        .is_starved = fault->is_starved,
    };
    bool is_cut = fault->line.length > LINE_BUFFER_LINE_MAX;
    struct text text;

    text_start(&text, line, sizeof line);
    escape_add(&text, (struct span){fault->line.start,
                                    is_cut ? LINE_BUFFER_LINE_MAX : fault->line.length});
    text_add(&text, is_cut ? "..." : "");
    text_start(&text, message, sizeof message);
    add_message(&text, bot, fault);
    /* Its last complaint may explain everything. */
    failure.stderr_tail = bot_stderr_tail(bot, BOT_STDERR_TAIL_BYTES);
    bot_enter(bot, BOT_IDLE);
    bot->listener.on_failure(bot->listener.context, &failure);
}

/* Unsolicited lines: how many there are decides what they are called. */
static enum bot_outcome judge_unasked(struct bot *bot)
{
    struct span rest;
    unsigned lines = 0;

    while (line_buffer_read(&bot->input, bot->process.stdout_fd) > 0)
        ;
    rest = line_buffer_rest(&bot->input);
    if (rest.length == LINE_BUFFER_BYTES)
        return BOT_FLOOD;
    for (; rest.start != NULL; lines++)
        (void)span_cut(&rest, '\n');
    return lines > BOT_QUESTION_LINES_MAX ? BOT_FLOOD : BOT_UNASKED;
}

bool bot_fault_before_asking(struct bot *bot)
{
    if (bot->start_problem != NULL)
        bot->outcome = BOT_NO_START;
    else if (!bot->is_hello && line_buffer_rest(&bot->input).length > 0)
        bot->outcome = judge_unasked(bot);
    else if (bot->is_overfull || bot->process.stdin_fd < 0)
        bot->outcome = BOT_DEAF;
    else
        return true;
    bot_enter(bot, BOT_DECIDED);
    bot->timer.next_look_us = 0;
    event_active(&bot->on_time, EV_TIMEOUT, 0);
    return false;
}
