/* One table of what can happen, a function for each that puts it into words. */

#include "cli/client/event_text.h"

#include <stdio.h>
#include <stdlib.h>

typedef void tell_fn(struct text *words, struct span rest);

static void add_span(struct text *words, struct span span)
{
    if (span.length > 0)
        text_add_bytes(words, span.start, span.length);
}

static void add_next(struct text *words, struct span *rest)
{
    add_span(words, span_cut_word(rest));
}

/* What is left of a line, without the space before it. */
static void add_rest(struct text *words, struct span rest)
{
    while (rest.length > 0 && *rest.start == ' ')
        rest = (struct span){rest.start + 1, rest.length - 1};
    add_span(words, rest);
}

static void tell_queued(struct text *words, struct span rest)
{
    text_add(words, "queued by ");
    add_next(words, &rest);
    text_add(words, ": ");
    add_rest(words, rest);
}

static void tell_playing(struct text *words, struct span rest)
{
    (void)rest;
    text_add(words, "playing");
}

static void tell_begin(struct text *words, struct span rest)
{
    add_next(words, &rest);
    text_add(words, " of ");
    add_next(words, &rest);
    text_add(words, " matches are decided");
}

static void tell_match(struct text *words, struct span rest)
{
    struct span name;

    text_add(words, "match ");
    add_next(words, &rest);
    text_add(words, ": ");
    for (bool is_first = true; (name = span_cut_word(&rest)).length > 0; is_first = false) {
        struct span place = span_cut_word(&rest);
        struct span score = span_cut_word(&rest);
        struct span fault = span_cut_word(&rest);

        text_add(words, is_first ? "" : ", ");
        add_span(words, place);
        text_add(words, ". ");
        add_span(words, name);
        text_add(words, " ");
        add_span(words, score);
        if (!span_is(fault, "-")) {
            text_add(words, " (");
            add_span(words, fault);
            text_add(words, ")");
        }
    }
}

static void tell_block(struct text *words, struct span rest)
{
    text_add(words, "block ");
    add_next(words, &rest);
    text_add(words, " is decided, ");
    tell_begin(words, rest);
}

static void add_ms(struct text *words, struct span us)
{
    char digits[24] = "";

    snprintf(digits, sizeof digits, "%.*s", us.length < 20 ? (int)us.length : 0, us.start);
    (void)text_add_decimal(words, strtod(digits, NULL) / 1000, 1);
    text_add(words, " ms");
}

static void tell_bot(struct text *words, struct span rest)
{
    struct span fault;

    add_next(words, &rest);
    text_add(words, ": ");
    add_next(words, &rest);
    text_add(words, " matches, ");
    add_next(words, &rest);
    text_add(words, " won; half of its answers within ");
    add_ms(words, span_cut_word(&rest));
    text_add(words, ", 99 of 100 within ");
    add_ms(words, span_cut_word(&rest));
    for (bool is_first = true; (fault = span_cut_word(&rest)).length > 0; is_first = false) {
        text_add(words, is_first ? "; faults: " : ", ");
        add_span(words, fault);
    }
}

static void tell_over(struct text *words, struct span rest)
{
    text_add(words, "over: ");
    add_next(words, &rest);
    if (rest.length > 1) {
        text_add(words, ": ");
        add_rest(words, rest);
    }
}

static void tell_new_bot(struct text *words, struct span rest)
{
    text_add(words, "bot ");
    add_next(words, &rest);
    text_add(words, " has version ");
    add_next(words, &rest);
    text_add(words, ", by ");
    add_next(words, &rest);
}

static void tell_ending(struct text *words, struct span rest)
{
    (void)rest;
    text_add(words, "the daemon is about to end");
}

/* `is_daemons`: of work 0. Nothing is told of those without a function. */
static const struct {
    const char *what;
    bool is_daemons;
    tell_fn *tell;
} rows[] = {
    {"queued", false, tell_queued}, {"playing", false, tell_playing}, {"begin", false, tell_begin},
    {"match", false, tell_match},   {"block", false, tell_block},     {"standings", false, NULL},
    {"note", false, add_rest},      {"bot", false, tell_bot},         {"end", false, NULL},
    {"over", false, tell_over},     {"bot", true, tell_new_bot},      {"ending", true, tell_ending},
};

/* Cuts number and kind of an event off. */
static struct span cut_what(struct span *rest, struct span *number)
{
    *number = span_cut_word(rest);
    return span_cut_word(rest);
}

/* Before the work has begun nobody knows how long it is. */
static bool is_empty(struct span what, struct span rest)
{
    (void)span_cut_word(&rest);
    return span_is(what, "begin") && span_is(span_cut_word(&rest), "0");
}

void event_text(struct text *words, const char *event)
{
    struct span rest = span_of(event), number;
    struct span what = cut_what(&rest, &number);
    bool is_daemons = span_is(number, "0");

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (rows[i].is_daemons != is_daemons || !span_is(what, rows[i].what))
            continue;
        if (rows[i].tell == NULL || is_empty(what, rest))
            return;
        if (!is_daemons) {
            text_add(words, "work ");
            add_span(words, number);
            text_add(words, ": ");
        }
        rows[i].tell(words, rest);
        return;
    }
    text_add(words, event);
}

long event_text_job(const char *event)
{
    struct span rest = span_of(event), number;
    long job = -1;

    (void)cut_what(&rest, &number);
    (void)span_read_number(number, 0, 1L << 31, &job);
    return job;
}

enum event_text_end event_text_end(const char *event)
{
    struct span rest = span_of(event), number;

    if (!span_is(cut_what(&rest, &number), "over"))
        return EVENT_TEXT_NO_END;
    return span_is(span_cut_word(&rest), "done") ? EVENT_TEXT_DONE : EVENT_TEXT_NOT_DONE;
}

/* Of a match every fourth word, of a bot all behind the fifth. */
bool event_text_has_fault(const char *event)
{
    struct span rest = span_of(event), number, word;
    struct span what = cut_what(&rest, &number);
    bool is_match = span_is(what, "match");

    if (span_is(number, "0") || (!is_match && !span_is(what, "bot")))
        return false;
    for (unsigned i = 0; (word = span_cut_word(&rest)).length > 0; i++) {
        if (is_match ? i > 0 && i % 4 == 0 && !span_is(word, "-") : i >= 5)
            return true;
    }
    return false;
}
