/* How a question ends, and what its author is told. A fault that the room itself finds in a hello is
 * one of two: the bot did not start, or what it said is no hello. Line and words are lent to the
 * listener from buffers of this file, because only one question ends at a time. */

#include "bot/bot_private.h"

#include "base/clock.h"
#include "base/escape.h"

#include <stdio.h>
#include <string.h>

#define WORDS_BYTES 640
#define LINE_SHOWN_BYTES (LINE_BUFFER_LINE_MAX * ESCAPE_MAX)
#define STDERR_LAST_BYTES ((size_t)256 * 1024)

static const struct {
    const char *name;
    enum bot_outcome in_hello; /* what it is called when it happens instead of a hello */
    const char *words;
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
    [BOT_BAD_HELLO] = {"bad_hello", BOT_BAD_HELLO, "its first line is no hello"},
};

_Static_assert(LINE_BUFFER_LINE_MAX == 256, "the words for BOT_TOO_LONG name the limit");

const char *bot_outcome_name(enum bot_outcome outcome)
{
    return outcomes[outcome].name;
}

static void add_ms(struct text *words, int64_t time_us)
{
    text_add_number(words, (long)((time_us + 500) / 1000));
    text_add(words, " ms");
}

static void add_late(struct text *words, const struct bot *bot, const struct bot_fault *verdict)
{
    if (verdict->line.length > 0) {
        text_add(words, "its answer came after ");
        add_ms(words, verdict->time.charged_us);
        text_add(words, "; the limit is ");
    } else {
        text_add(words, bot->is_hello ? "it said no hello within " : "it did not answer within ");
    }
    add_ms(words, bot->timer.limit_us);
    if (verdict->was_in_buffer)
        text_add(words, ": your answer was in your buffer: flush your output after each line");
}

static void add_gone(struct text *words, const struct bot *bot, const struct bot_fault *verdict)
{
    bool is_signal = strncmp(bot->ending, "signal", strlen("signal")) == 0;

    if (bot->stop_words[0] != '\0') {
        text_add(words, bot->stop_words);
    } else if (!bot->is_ended) {
        text_add(words, "it closed its output");
    } else {
        text_add(words, is_signal ? "it was killed by " : "it ended with ");
        text_add(words, bot->ending);
    }
    if (verdict->line.length > 0)
        text_add(words, "; its last line has no line end");
    else
        text_add(words, bot->is_hello ? " before it said hello" : "");
}

static void add_deaf(struct text *words, const struct bot *bot)
{
    if (bot->is_overfull) {
        text_add(words, "it did not read its input: more than 1 MiB was waiting for it");
    } else if (write_buffer_length(&bot->output) == 0) {
        text_add(words, "it closed its input");
    } else {
        text_add(words, "it did not read its input: the question could not be written within ");
        add_ms(words, bot->timer.limit_us);
    }
}

static void add_words(struct text *words, const struct bot *bot, const struct bot_fault *verdict)
{
    switch (verdict->outcome) {
    case BOT_LATE:
        add_late(words, bot, verdict);
        break;
    case BOT_GONE:
        add_gone(words, bot, verdict);
        break;
    case BOT_DEAF:
        add_deaf(words, bot);
        break;
    case BOT_UNREADABLE:
        text_add(words, verdict->line.length == 0
                            ? "its line is empty"
                            : "its line has bytes that are not printable ASCII");
        break;
    case BOT_NO_START:
        text_add(words, bot->start_problem != NULL ? bot->start_problem : "it did not start");
        break;
    default:
        text_add(words, outcomes[verdict->outcome].words);
        break;
    }
}

static void add_line(struct text *shown, struct span line)
{
    if (line.length <= LINE_BUFFER_LINE_MAX) {
        escape_add(shown, line);
    } else {
        escape_add(shown, (struct span){line.start, LINE_BUFFER_LINE_MAX});
        text_add(shown, "...");
    }
}

/* Closes the question before the listener hears of it, who may ask the next one. */
static void tell(struct bot *bot, const struct bot_result *result)
{
    if (bot->phase == BOT_WRITING)
        (void)event_del(&bot->on_room);
    bot->phase = BOT_IDLE;
    bot->listener.on_end(bot->listener.context, result);
}

void bot_fault_none(struct bot *bot, const struct bot_time *time)
{
    struct bot_result result = {.outcome = BOT_ANSWERED, .time = *time, .line = "", .words = ""};

    tell(bot, &result);
}

static void tell_fault(struct bot *bot, const struct bot_fault *verdict, enum bot_outcome outcome)
{
    static char line[LINE_SHOWN_BYTES + sizeof "..."];
    static char words[WORDS_BYTES];
    struct bot_result result = {outcome, verdict->time, line, words, verdict->was_in_buffer};
    struct text text;

    /* Its last complaint may explain everything. */
    if (bot->stderr_fd >= 0)
        (void)stderr_capture_read(&bot->capture, bot->stderr_fd, STDERR_LAST_BYTES);
    text_start(&text, line, sizeof line);
    add_line(&text, verdict->line);
    text_start(&text, words, sizeof words);
    if (verdict->words != NULL)
        text_add(&text, verdict->words);
    else
        add_words(&text, bot, verdict);
    tell(bot, &result);
}

void bot_fault_found(struct bot *bot, const struct bot_fault *verdict)
{
    enum bot_outcome outcome = verdict->outcome;

    tell_fault(bot, verdict, bot->is_hello ? outcomes[outcome].in_hello : outcome);
}

void bot_fault_refused(struct bot *bot, const struct bot_fault *verdict)
{
    tell_fault(bot, verdict, verdict->outcome);
}

static bool is_flood(struct line_buffer *input)
{
    struct span rest = line_buffer_rest(input);
    unsigned lines = 0;

    while (rest.start != NULL) {
        (void)span_cut(&rest, '\n');
        lines++;
    }
    return lines > BOT_QUESTION_LINES_MAX || line_buffer_rest(input).length == LINE_BUFFER_BYTES;
}

/* It has written something that nobody asked for. How much it is decides the name. */
static enum bot_outcome judge_unasked(struct bot *bot)
{
    while (line_buffer_read(&bot->input, bot->stdout_fd) > 0)
        ;
    return is_flood(&bot->input) ? BOT_FLOOD : BOT_UNASKED;
}

bool bot_fault_before_asking(struct bot *bot)
{
    if (bot->start_problem != NULL)
        bot->outcome = BOT_NO_START;
    else if (!bot->is_hello && line_buffer_rest(&bot->input).length > 0)
        bot->outcome = judge_unasked(bot);
    else if (bot->is_overfull || bot->stdin_fd < 0)
        bot->outcome = BOT_DEAF;
    else
        return true;
    bot->phase = BOT_DECIDED;
    bot->timer.next_look_us = 0;
    event_active(&bot->on_time, EV_TIMEOUT, 0);
    return false;
}
