/* One table with the names of all faults, and a function for each sentence that depends on more
 * than the name. A fault of the hello is one of two: the bot did not start, or its line is not a
 * hello. */

#include "bot/fault_text.h"

#include "bot/line_buffer.h"

#include <string.h>

static const struct {
    const char *name;
    enum bot_outcome in_hello;
    const char *message; /* NULL: it depends on what happened */
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
    [BOT_NO_START] = {"no_start", BOT_NO_START, NULL},
    [BOT_BAD_HELLO] = {"bad_hello", BOT_BAD_HELLO, "its first line is not a hello"},
};

_Static_assert(LINE_BUFFER_LINE_MAX == 256, "the message for BOT_TOO_LONG names the limit");

const char *bot_outcome_name(enum bot_outcome outcome)
{
    return outcomes[outcome].name;
}

enum bot_outcome fault_text_in_hello(enum bot_outcome outcome)
{
    return outcomes[outcome].in_hello;
}

/* In whole milliseconds. */
static long ms_of(int64_t time_us)
{
    return (long)((time_us + 500) / 1000);
}

/* What it did with its time. What was charged and not computed was slept, or waited for something
 * that is not the machine's CPU. */
static void add_use(struct text *text, const struct fault_text *fault)
{
    bool is_all_cpu = fault->cpu_us > fault->charged_us;
    int64_t cpu_us = is_all_cpu ? fault->charged_us : fault->cpu_us;
    int64_t idle_us = fault->charged_us - cpu_us;

    text_printf(text, "; it %s for %ld of %ld ms",
                idle_us > cpu_us ? "slept or waited" : "computed",
                ms_of(idle_us > cpu_us ? idle_us : cpu_us), ms_of(fault->charged_us));
}

static void write_late(struct text *text, const struct fault_text *fault)
{
    if (fault->has_line)
        text_printf(text, "its answer came after %ld ms; the limit is ", ms_of(fault->charged_us));
    else
        text_add(text,
                 fault->is_hello ? "it did not say hello within " : "it did not answer within ");
    text_printf(text, "%ld ms", ms_of(fault->limit_us));
    if (fault->was_in_buffer)
        text_add(text, ": your answer was in your buffer: flush your output after each line");
    else if (fault->is_measured)
        add_use(text, fault);
}

static void write_gone(struct text *text, const struct fault_text *fault)
{
    bool is_signal = strncmp(fault->ending, "signal", strlen("signal")) == 0;

    if (fault->stop_reason[0] != '\0')
        text_add(text, fault->stop_reason);
    else if (fault->ending[0] == '\0')
        text_add(text, "it closed its output");
    else
        text_printf(text, "%s%s", is_signal ? "it was killed by " : "it ended with ",
                    fault->ending);
    if (fault->has_line)
        text_add(text, "; its last line has no line end");
    else if (fault->is_hello)
        text_add(text, " before it said hello");
}

static void write_deaf(struct text *text, const struct fault_text *fault)
{
    switch (fault->deaf) {
    case FAULT_TEXT_OVERFULL:
        text_add(text, "it did not read its input: more than 1 MiB was waiting for it");
        break;
    case FAULT_TEXT_CLOSED:
        text_add(text, "it closed its input");
        break;
    case FAULT_TEXT_NOT_READING:
        text_printf(text,
                    "it did not read its input: the question could not be written within %ld ms",
                    ms_of(fault->limit_us));
        break;
    }
}

void fault_text_write(struct text *text, const struct fault_text *fault)
{
    switch (fault->outcome) {
    case BOT_LATE:
        write_late(text, fault);
        break;
    case BOT_GONE:
        write_gone(text, fault);
        break;
    case BOT_DEAF:
        write_deaf(text, fault);
        break;
    case BOT_UNREADABLE:
        text_add(text, fault->has_line ? "its line has bytes that are not printable ASCII"
                                       : "its line is empty");
        break;
    case BOT_NO_START:
        text_add(text, fault->start_problem != NULL ? fault->start_problem : "it did not start");
        break;
    default:
        text_add(text, outcomes[fault->outcome].message);
        break;
    }
}
