/* What to do about a fault. The outcome says something; the special treatment in the scenario
 * says more, if the bot was fine without it. */

#include "cli/check/finding.h"

#include <stdlib.h>
#include <string.h>

static const char *const by_outcome[BOT_OUTCOME_COUNT] = {
    [BOT_ANSWERED] = "",
    [BOT_LATE] =
        "Answer every question within move_ms: think less, or watch the clock while you "
        "think. If the bot waits for more input instead, make it answer each `ask` line as "
        "soon as it has read it. Flush the output after each line.",
    [BOT_ILLEGAL] = "Compare the answer with the rules at that question. With `legal=on` in the "
                    "hello the referee lists every legal answer before it asks.",
    [BOT_UNREADABLE] = "Write `ID ANSWER` with the number of the question, single spaces and plain "
                       "ASCII, and nothing else to standard output: debugging goes to standard "
                       "error.",
    [BOT_TOO_LONG] = "Write short lines, each with its line end: at most 256 bytes.",
    [BOT_FLOOD] = "Write one line per `ask`, with at most two `say` lines before it.",
    [BOT_UNASKED] = "Write exactly one answer per `ask`, with the number of that question, and no "
                    "answer to any other line.",
    [BOT_GONE] = "The program ended or closed its output before it answered. The end of its "
                 "stderr may say why; let it end only at `bye` or at the end of its input.",
    [BOT_DEAF] = "Read standard input all the time, line by line, and never close it.",
    [BOT_NO_START] = "The program must start by itself and write `hello NAME` within start_ms, "
                     "flushed, before it loads anything large. Try the command in a shell first.",
    [BOT_BAD_HELLO] = "The very first line that the bot writes must be `hello NAME`, perhaps with "
                      "options such as `legal=on`: no banner, no debugging output.",
};

static const struct {
    const char *name;
    const char *advice;
} causes[FINDING_CAUSE_COUNT] = {
    [FINDING_CAUSE_UNKNOWN] = {"", ""},
    [FINDING_CAUSE_BUFFER] =
        {"buffer",
         "The bot had an answer, but kept it in its output buffer. Flush the output after "
         "each line: print(..., flush=True), fflush(stdout), System.out.flush()."},
    [FINDING_CAUSE_SECOND_MATCH] =
        {"second_match", "The bot offers `reuse=on` but fails in the second match. At a `match` "
                         "line forget everything about the match before, but keep counting "
                         "questions. Or do not offer it."},
    [FINDING_CAUSE_PIECES] = {"pieces",
                              "A line may come in several pieces. Read whole lines: collect bytes "
                              "until there is a line end, whatever one read returns."},
    [FINDING_CAUSE_PAUSE] = {"pause",
                             "There may be a long pause anywhere, even inside a line. Wait for "
                             "input as long as it takes: no timeout for reading."},
    [FINDING_CAUSE_NOTICES] = {"notices",
                               "The first word of a line was unknown to the bot. Ignore such "
                               "lines: that is how the protocol grows."},
    [FINDING_CAUSE_FIELDS] = {"fields",
                              "A known line ended with an additional key=value. Look up the keys "
                              "that you need and ignore all others."},
    [FINDING_CAUSE_CRLF] = {"crlf",
                            "The lines ended with CR LF. The referee itself never writes a CR, but "
                            "other pipes in between may: strip it with the line end."},
    [FINDING_CAUSE_DISMISSED] =
        {"dismissed", "Another bot was dismissed (`dismissed SEAT CODE`). Keep playing: the "
                      "match continues, and the referee plays that seat."},
    [FINDING_CAUSE_ROUND] = {"round",
                             "The first round went well, a later one did not. At `round R SEAT "
                             "CARD` forget the table of the round before: all cards are dealt "
                             "again, turns count from 1 and there is no trigger."},
};

void finding_clear(struct finding *finding)
{
    free(finding->lines);
    free(finding->line);
    free(finding->message);
    free(finding->ending);
    free(finding->stderr_tail);
}

const char *finding_cause_name(enum finding_cause cause)
{
    return causes[cause].name;
}

const char *finding_advice(enum finding_cause cause, enum bot_outcome outcome)
{
    return cause != FINDING_CAUSE_UNKNOWN ? causes[cause].advice : by_outcome[outcome];
}

/* How late it was is another number each time. */
static bool has_same_message(const struct finding *one, const struct finding *other)
{
    return one->outcome == BOT_LATE ? one->was_in_buffer == other->was_in_buffer
                                    : strcmp(one->message, other->message) == 0;
}

bool finding_is_same(const struct finding *one, const struct finding *other)
{
    if (one->outcome != other->outcome)
        return false;
    if (one->question == other->question)
        return true;
    return one->outcome != BOT_ILLEGAL && has_same_message(one, other) &&
           strcmp(one->stderr_tail, other->stderr_tail) == 0;
}

/* Whether the same happened before without a special treatment. */
static bool is_old(const struct finding *finding, const struct finding *before, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (before[i].cause == FINDING_CAUSE_UNKNOWN && finding_is_same(&before[i], finding))
            return true;
    }
    return false;
}

enum finding_cause finding_find_cause(const struct finding *finding, const struct finding *before,
                                      size_t count)
{
    static const struct {
        unsigned mangling;
        enum finding_cause cause;
    } treatments[] = {
        {MANGLE_CRLF, FINDING_CAUSE_CRLF},       {MANGLE_PAUSE, FINDING_CAUSE_PAUSE},
        {MANGLE_NOTICES, FINDING_CAUSE_NOTICES}, {MANGLE_PIECES, FINDING_CAUSE_PIECES},
        {MANGLE_FIELDS, FINDING_CAUSE_FIELDS},
    };

    if (finding->was_in_buffer)
        return FINDING_CAUSE_BUFFER;
    if (!finding->has_played || is_old(finding, before, count))
        return FINDING_CAUSE_UNKNOWN;
    if (finding->is_second_match)
        return FINDING_CAUSE_SECOND_MATCH;
    for (size_t i = 0; i < ARRAY_LEN(treatments); i++) {
        if (finding->scenario->mangling == treatments[i].mangling)
            return treatments[i].cause;
    }
    if (finding->is_one_dismissed)
        return FINDING_CAUSE_DISMISSED;
    return finding->round > 1 ? FINDING_CAUSE_ROUND : FINDING_CAUSE_UNKNOWN;
}
