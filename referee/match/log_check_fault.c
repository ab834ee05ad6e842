/* A fault is judged again. The log has the line of the bot, or that there was none, what the
 * question cost, and the sentence about it. Every way in which a question can end in that fault is
 * tried: one of them must lead to the same code and the same sentence. So a bot whose line is fine,
 * or whose time was not over, cannot be made a bot at fault.
 *
 * What remains is what only the machine knew: whether a process ended, read and wrote as the log
 * says, and why a program could not be started. */

#include "match/log_check.h"

#include "base/escape.h"
#include "bot/fault_text.h"
#include "bot/write_buffer.h"
#include "sandbox/process_end.h"
#include "sandbox/sandbox.h"

#include <stdio.h>
#include <string.h>

#define CUT "..."
#define HUMAN "human" /* in place of the command of a bot */
#define STOP_REASON_BYTES 100

/* A fault that is being judged. */
struct judged {
    const struct match *match;
    const struct log_record_fault *logged;
    enum bot_outcome outcome; /* as it is logged */
    int64_t limit_us;
    bool is_cut;                           /* the line is longer than a line may be */
    char bytes[BOT_LINE_MAX + sizeof CUT]; /* the line as the bot wrote it */
    size_t length;
};

static int complain(struct text *problem, const char *what)
{
    text_add(problem, what);
    return -1;
}

static bool is_timeless(const struct log_record_time *time)
{
    return time->charged_us == 0 && time->pondered_us == 0 && !time->is_measured;
}

static bool is_over(const struct judged *judged)
{
    return judged->logged->time.charged_us > judged->limit_us;
}

/* Whether the fault that happened has the code and the sentence that are logged. */
static bool is_logged(const struct judged *judged, const struct fault_text *happened)
{
    struct fault_text facts = *happened;
    char message[700];
    struct text text;

    facts.is_hello = judged->logged->is_hello;
    facts.has_line = judged->length > 0;
    facts.charged_us = judged->logged->time.charged_us;
    facts.limit_us = judged->limit_us;
    facts.cpu_us = judged->logged->time.cpu_us;
    facts.is_measured = judged->logged->time.is_measured;
    text_start(&text, message, sizeof message);
    fault_text_write(&text, &facts);
    return strcmp(message, judged->logged->message) == 0 &&
           judged->outcome == (facts.is_hello ? fault_text_in_hello(facts.outcome) : facts.outcome);
}

/* Whether it was silent until somebody looked, which is after its limit by the wall clock. A bot
 * that uses many cores may be late before that, with an empty line. */
static bool may_be_silent(const struct judged *judged)
{
    return !judged->logged->time.is_measured || judged->logged->time.wall_us > judged->limit_us;
}

/* Its time was over: without a line, or with one that came too late. */
static bool is_late(const struct judged *judged)
{
    struct fault_text late = {.outcome = BOT_LATE};
    struct fault_text in_buffer = {.outcome = BOT_LATE, .was_in_buffer = true};

    return is_over(judged) &&
           (is_logged(judged, &late) ||
            (judged->length == 0 && may_be_silent(judged) && is_logged(judged, &in_buffer)));
}

/* At this level the pipes of a bot stay open as long as it runs. */
static bool is_sealed(const struct judged *judged)
{
    return strcmp(match_setup_of(judged->match)->sandbox, sandbox_level_name(SANDBOX_SEALED)) == 0;
}

/* Whether so much was sent to it that more may wait for it than it is allowed. */
static bool may_be_overfull(const struct judged *judged)
{
    return is_timeless(&judged->logged->time) &&
           match_sent(judged->match, judged->logged->seat) > WRITE_BUFFER_MAX_BYTES;
}

static bool is_deaf(const struct judged *judged)
{
    struct fault_text full = {.outcome = BOT_DEAF, .deaf = FAULT_TEXT_NOT_READING};
    struct fault_text overfull = {.outcome = BOT_DEAF, .deaf = FAULT_TEXT_OVERFULL};
    struct fault_text closed = {.outcome = BOT_DEAF, .deaf = FAULT_TEXT_CLOSED};
    bool may_close = !is_sealed(judged) && (is_over(judged) || is_timeless(&judged->logged->time));

    if (judged->length > 0 || !may_be_silent(judged))
        return false;
    return (is_over(judged) && is_logged(judged, &full)) ||
           (may_be_overfull(judged) && is_logged(judged, &overfull)) ||
           (may_close && is_logged(judged, &closed));
}

/* It was stopped for using too much. */
static bool is_stopped(const struct judged *judged)
{
    const struct log_record_fault *logged = judged->logged;
    const char *enforced = match_setup_of(judged->match)->enforced;
    char reason[STOP_REASON_BYTES];
    struct fault_text gone = {.outcome = BOT_GONE, .ending = logged->ending, .stop_reason = reason};
    size_t length = process_end_find_stop(logged->message, enforced != NULL ? enforced : "");

    if (length == 0 || length >= sizeof reason || strcmp(logged->ending, PROCESS_END_STOPPED) != 0)
        return false;
    memcpy(reason, logged->message, length);
    reason[length] = '\0';
    return is_logged(judged, &gone);
}

/* Only a person gives up. */
static bool has_given_up(const struct judged *judged)
{
    const struct log_record_fault *logged = judged->logged;

    return judged->outcome == BOT_GONE && strcmp(logged->message, "it gave up") == 0 &&
           strcmp(match_setup_of(judged->match)->commands[logged->seat], HUMAN) == 0 &&
           judged->length == 0 && logged->ending[0] == '\0' && is_timeless(&logged->time);
}

/* It ended or closed its output, in its time: afterwards it is late. */
static bool has_ended(const struct judged *judged)
{
    const struct log_record_fault *logged = judged->logged;
    struct fault_text gone = {.outcome = BOT_GONE, .ending = logged->ending, .stop_reason = ""};

    return !is_over(judged) && (logged->ending[0] != '\0' || !is_sealed(judged)) &&
           is_logged(judged, &gone);
}

/* It ended, closed its output, or was stopped for using too much; a person gives up. */
static bool is_gone(const struct judged *judged)
{
    return has_ended(judged) || is_stopped(judged) || has_given_up(judged);
}

/* It could not be run: only the system's words say why. */
static bool is_not_started(const struct judged *judged)
{
    const struct log_record_fault *logged = judged->logged;

    return judged->outcome == BOT_NO_START && judged->length == 0 && logged->ending[0] == '\0' &&
           logged->message[0] != '\0' && is_timeless(&logged->time);
}

/* It wrote before it was asked. */
static bool is_unasked(const struct judged *judged)
{
    struct fault_text unasked = {.outcome = BOT_UNASKED};
    struct fault_text flood = {.outcome = BOT_FLOOD};

    return is_timeless(&judged->logged->time) && !judged->logged->is_hello &&
           (is_logged(judged, &unasked) || is_logged(judged, &flood));
}

/* What the match makes of a line that can be read, after `says` lines of talk. */
static bool is_refused(const struct judged *judged, unsigned says)
{
    const struct match_setup *setup = match_setup_of(judged->match);
    unsigned seat = judged->logged->seat;
    struct span line = {judged->bytes, judged->length};
    struct seat_reply reply = {.say_count = says};
    struct bot_refusal refusal = {0};
    struct bot_line_hello hello;
    enum bot_verdict verdict;

    if (judged->logged->is_hello) {
        verdict = seat_reply_take_hello(&hello, line, &refusal);
    } else {
        verdict = seat_reply_take_line(&reply, line, match_id(judged->match, seat),
                                       setup->rules.talk, &refusal);
        if (verdict == BOT_ACCEPT)
            verdict = seat_reply_judged(
                allegra_table_judge(match_table(judged->match), seat, reply.answer), &refusal);
    }
    return verdict == BOT_REFUSE && refusal.outcome == judged->outcome &&
           strcmp(refusal.message, judged->logged->message) == 0;
}

/* Its line is at fault. */
static bool is_bad_line(const struct judged *judged)
{
    struct fault_text too_long = {.outcome = BOT_TOO_LONG};
    struct fault_text unreadable = {.outcome = BOT_UNREADABLE};

    if (is_over(judged))
        return false;
    if (judged->is_cut)
        return is_logged(judged, &too_long);
    if (judged->length == 0 || !bot_line_is_plain((struct span){judged->bytes, judged->length}))
        return is_logged(judged, &unreadable);
    return is_refused(judged, 0) || is_refused(judged, BOT_LINE_SAYS_MAX);
}

static int read_line(struct judged *judged, struct text *problem)
{
    if (escape_read(span_of(judged->logged->line), judged->bytes, sizeof judged->bytes - 1,
                    &judged->length) != 0)
        return complain(problem, "no bot wrote a line like that");
    judged->is_cut = judged->length > BOT_LINE_MAX;
    if (judged->is_cut && (judged->length != BOT_LINE_MAX + strlen(CUT) ||
                           memcmp(judged->bytes + BOT_LINE_MAX, CUT, strlen(CUT)) != 0))
        return complain(problem, "a longer line than it can show is cut, which this one is not");
    return 0;
}

static int check_end(const struct log_record_fault *fault, struct text *problem)
{
    if (fault->ending[0] != '\0' && !process_end_is_known(fault->ending))
        return complain(problem, "no process ends like that");
    if (strlen(fault->stderr_tail) > BOT_STDERR_TAIL_BYTES)
        return complain(problem, "so much of what a bot wrote to stderr is not kept");
    return 0;
}

int log_check_fault(const struct match *match, const struct log_record_fault *fault,
                    struct text *problem)
{
    const struct match_setup *setup = match_setup_of(match);
    struct judged judged = {
        .match = match,
        .logged = fault,
        .outcome = log_check_outcome(fault->code),
        .limit_us = fault->is_hello ? setup->start_ms * 1000 : match_limit_us(match, fault->seat),
    };

    if (judged.outcome == BOT_ANSWERED)
        return complain(problem, "there is no such fault");
    if (fault->is_hello && setup->is_kept[fault->seat])
        return complain(problem, "a bot that has played before is not asked for a hello");
    if (read_line(&judged, problem) != 0 || check_end(fault, problem) != 0 ||
        log_check_time(match, &fault->time, judged.limit_us, problem) != 0)
        return -1;
    if (is_late(&judged) || is_deaf(&judged) || is_gone(&judged) || is_unasked(&judged) ||
        is_bad_line(&judged) || (fault->is_hello && is_not_started(&judged)))
        return 0;
    text_printf(problem, "line, time and message do not make the fault `%s`", fault->code);
    return -1;
}
