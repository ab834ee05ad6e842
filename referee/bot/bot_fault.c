/* How a question ends in a fault, and the message about it for the author of the bot. A fault of
 * the hello is one of two: the bot did not start, or its line is not a hello. Line and message are
 * lent to the listener from buffers of this file, because only one question ends at a time. */

#include "bot/bot_private.h"

#include "base/escape.h"

#include <string.h>

#define MESSAGE_BYTES 640
#define LINE_SHOWN_BYTES (LINE_BUFFER_LINE_MAX * ESCAPE_MAX)
#define STDERR_LAST_BYTES ((size_t)256 * 1024)
#define STDERR_TAIL_BYTES 600

static const struct {
    const char *name;
    enum bot_outcome in_hello; /* what it is called when it happens instead of a hello */
    const char *message;       /* NULL: it depends on what happened */
} outcomes[BOT_OUTCOME_COUNT] = {
    [BOT_ANSWERED] = {"answered", BOT_ANSWERED, ""},
    [BOT_LATE] = {"late", BOT_NO_START, NULL},
    [BOT_ILLEGAL] = {"illegal", BOT_ILLEGAL, "the rules do not allow its answer"},
    [BOT_UNREADABLE] = {"unreadable", BOT_BAD_HELLO, NULL},
    [BOT_TOO_LONG] = {"too_long", BOT_BAD_HELLO, "its line is longer than 256 bytes"},
    [BOT_FLOOD] = {"flood", BOT_BAD_HELLO, "it wrote far more lines than it was asked for"},
    [BOT_UNASKED] = {"unasked", BOT_BAD_HELLO, "it wrote this before it was asked"},
    [BOT_GONE] = {"gone", BOT_NO_START, NULL},
    [BOT_DEAF] = {"deaf", BOT_NO_START, NULL},
    [BOT_NO_START] = {"no_start", BOT_NO_START, "it did not start"},
    [BOT_BAD_HELLO] = {"bad_hello", BOT_BAD_HELLO, "its first line is not a hello"},
};

_Static_assert(LINE_BUFFER_LINE_MAX == 256, "the message for BOT_TOO_LONG names the limit");

const char *bot_outcome_name(enum bot_outcome outcome)
{
    return outcomes[outcome].name;
}

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

static void add_late(struct text *text, const struct bot *bot, const struct bot_fault *fault)
{
    if (fault->is_starved) {
        add_starved(text, bot, fault);
        return;
    }
    if (fault->line.length > 0)
        text_printf(text, "its answer came after %ld ms; the limit is ",
                    ms_of(fault->time.charged_us));
    else
        text_add(text,
                 bot->is_hello ? "it did not say hello within " : "it did not answer within ");
    text_printf(text, "%ld ms", ms_of(bot->timer.limit_us));
    if (fault->was_in_buffer)
        text_add(text, ": your answer was in your buffer: flush your output after each line");
}

static void add_gone(struct text *text, const struct bot *bot, const struct bot_fault *fault)
{
    const struct process *process = &bot->process;
    bool is_signal = strncmp(process->ending, "signal", strlen("signal")) == 0;

    if (process->stop_reason[0] != '\0')
        text_add(text, process->stop_reason);
    else if (!process->has_ended)
        text_add(text, "it closed its output");
    else
        text_printf(text, "%s%s", is_signal ? "it was killed by " : "it ended with ",
                    process->ending);
    if (fault->line.length > 0)
        text_add(text, "; its last line has no line end");
    else if (bot->is_hello)
        text_add(text, " before it said hello");
}

static void add_deaf(struct text *text, const struct bot *bot)
{
    if (bot->is_overfull)
        text_add(text, "it did not read its input: more than 1 MiB was waiting for it");
    else if (write_buffer_length(&bot->output) == 0)
        text_add(text, "it closed its input");
    else
        text_printf(text,
                    "it did not read its input: the question could not be written within %ld ms",
                    ms_of(bot->timer.limit_us));
}

static void add_message(struct text *text, const struct bot *bot, const struct bot_fault *fault)
{
    switch (fault->outcome) {
    case BOT_LATE:
        add_late(text, bot, fault);
        break;
    case BOT_GONE:
        add_gone(text, bot, fault);
        break;
    case BOT_DEAF:
        add_deaf(text, bot);
        break;
    case BOT_UNREADABLE:
        text_add(text, fault->line.length == 0 ? "its line is empty"
                                               : "its line has bytes that are not printable ASCII");
        break;
    case BOT_NO_START:
        text_add(text, bot->start_problem != NULL ? bot->start_problem : "it did not start");
        break;
    default:
        text_add(text, outcomes[fault->outcome].message);
        break;
    }
}

void bot_fault_end(struct bot *bot, const struct bot_fault *fault)
{
    static char line[LINE_SHOWN_BYTES + sizeof "..."];
    static char message[MESSAGE_BYTES];
    struct bot_failure failure = {
        .outcome = bot->is_hello ? outcomes[fault->outcome].in_hello : fault->outcome,
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
    if (fault->message != NULL)
        text_add(&text, fault->message);
    else
        add_message(&text, bot, fault);
    /* Its last complaint may explain everything. */
    (void)process_read_stderr(&bot->process, STDERR_LAST_BYTES);
    failure.stderr_tail = bot_stderr_tail(bot, STDERR_TAIL_BYTES);
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
