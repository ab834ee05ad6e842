/* The course of a match.
 *
 * A question is opened for all seats that the table asks; a seat whose bot was dismissed is
 * answered by the autopilot at once. An answer is given to the table when it comes, and the table
 * judges it; only bids are asked of several seats, and the table announces them when it has all.
 * When the last answer is in, the question is settled: faults first, then the answers, all in seat
 * order, each with its records. Then the next question is opened. Nothing that one bidder does is
 * known to another before the settling, and nothing depends on the order in which answers
 * arrive. */

#include "match/match_private.h"

#include "game/allegra.h"
#include "match/autopilot.h"

#include <string.h>

/* Seven lines of a table for six seats. */
#define TABLE_LINES_MAX 1024

/* All events of one decision: 72 cells shown and six scores at the most. */
#define EVENT_LINES_MAX 4096

/* Whether everybody may know everything that happened. */
static bool is_public(const struct allegra_events *events)
{
    for (unsigned i = 0; i < events->count; i++) {
        if (events->list[i].kind == ALLEGRA_EVENT_PLACED && events->list[i].seen_by != UINT8_MAX)
            return false;
    }
    return true;
}

/* Mostly the lines are the same for all, and then they are written once. */
void match_tell_events(struct match *match)
{
    char lines[EVENT_LINES_MAX];
    struct text text;
    bool is_shared = is_public(&match->events);

    text_start(&text, lines, sizeof lines);
    for (unsigned i = 0; is_shared && i < match->events.count; i++)
        bot_line_write_event(&text, &match->events.list[i], true);
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (match_is_playing(match, seat) && is_shared)
            seat_stream_event_lines(match->seats[seat].stream, (struct span){lines, text.length});
        else if (match_is_playing(match, seat))
            seat_stream_events(match->seats[seat].stream, &match->events);
    }
    if (match->ports.observer.on_events != NULL)
        match->ports.observer.on_events(match->ports.observer.context, match, &match->events);
}

int64_t match_limit_us(const struct match *match, unsigned seat)
{
    return match->setup.move_ms * 1000 + match->seats[seat].bank_us;
}

static void let_autopilot_answer(struct match *match, unsigned seat)
{
    struct match_seat *place = &match->seats[seat];
    struct allegra_view view = allegra_view_of(&match->table, seat);
    struct allegra_legal legal;

    allegra_legal_list(&match->table, seat, &legal);
    place->reply.answer = autopilot_choose(match->setup.autopilot, &view, &legal);
    place->reply.say_count = 0;
    place->is_autopilot = true;
    place->is_given = false;
    place->time = (struct bot_time){0};
}

/* A match that branches off another one begins with that one's answers. */
static void take_given(struct match *match, unsigned seat)
{
    struct match_seat *place = &match->seats[seat];

    if (match->setup.given != NULL)
        match->setup.given(match->setup.given_context, seat, &place->reply.answer);
    else
        match->waiting |= 1U << seat;
    place->reply.say_count = 0;
    place->is_autopilot = false;
    place->is_given = true;
    place->time = (struct bot_time){0};
}

static void ask_seat(struct match *match, unsigned seat, const struct allegra_view *view,
                     struct span table_lines)
{
    struct match_seat *place = &match->seats[seat];
    int64_t limit_us = match_limit_us(match, seat);
    struct allegra_legal legal;
    struct span question;

    if (place->hello.options.has_legal)
        allegra_legal_list(&match->table, seat, &legal);
    place->reply.say_count = 0;
    place->is_autopilot = false;
    place->is_given = false;
    match->waiting |= 1U << seat;
    question = seat_stream_ask(place->stream, view, &legal, table_lines, (long)(limit_us / 1000));
    match->ports.ask(match->ports.context, seat, question, limit_us);
}

/* Only bids are asked of several seats, which then all see the same. So one view and one table
 * serve all. */
static void ask_seats(struct match *match, unsigned asked)
{
    char lines[TABLE_LINES_MAX];
    struct text text;
    struct allegra_view view = allegra_view_of(&match->table, (unsigned)__builtin_ctz(asked));

    text_start(&text, lines, sizeof lines);
    bot_line_write_table(&text, &view);
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (asked >> seat & 1) {
            view.me = (uint8_t)seat;
            ask_seat(match, seat, &view, (struct span){text.buffer, text.length});
        }
    }
}

static void open_question(struct match *match)
{
    unsigned to_ask = 0;

    match->asked_table = match->table;
    match->question = allegra_table_question(&match->table);
    match->asked = allegra_table_asked(&match->table);
    match->applied = 0;
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (!(match->asked >> seat & 1))
            continue;
        if (match->decisions < match->setup.branch_at)
            take_given(match, seat);
        else if (match_is_playing(match, seat))
            to_ask |= 1U << seat;
        else
            let_autopilot_answer(match, seat);
    }
    if (to_ask != 0)
        ask_seats(match, to_ask);
}

static struct log_record_answer record_of(const struct match *match, unsigned seat)
{
    const struct match_seat *place = &match->seats[seat];
    struct log_record_answer record = {
        .seat = seat,
        .answer = place->reply.answer,
        .is_autopilot = place->is_autopilot,
        .is_given = place->is_given,
        .time = match_time_record(&place->time),
        .say_count = place->reply.say_count,
    };

    for (unsigned i = 0; i < place->reply.say_count; i++)
        record.says[i] = place->reply.says[i];
    return record;
}

static void tell_said(struct match *match, unsigned from)
{
    const struct seat_reply *reply = &match->seats[from].reply;
    const struct match_observer *observer = &match->ports.observer;

    for (unsigned i = 0; i < reply->say_count; i++) {
        if (observer->on_said != NULL)
            observer->on_said(observer->context, match, from, reply->says[i]);
        for (unsigned seat = 0; seat < match->setup.seats; seat++) {
            if (match_is_playing(match, seat))
                bot_line_write_said(seat_stream_text(match->seats[seat].stream), from,
                                    reply->says[i]);
        }
    }
}

/* A bot that failed is out before anything that the others answered happens. */
static void settle_faults(struct match *match)
{
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (match->seats[seat].failure == NULL)
            continue;
        match_dismiss(match, seat, false);
        match_tell_dismissed(match, seat);
        let_autopilot_answer(match, seat);
    }
}

static enum allegra_refusal apply(struct match *match, unsigned seat, struct allegra_answer answer)
{
    return allegra_table_apply(&match->table, seat, answer, &match->shuffler, &match->events);
}

/* All answers are there: they count, in seat order. The table has taken those that came; whichever
 * it takes last, the events are the same. */
static void settle(struct match *match)
{
    struct log_record_answer answers[ALLEGRA_SEATS_MAX];
    unsigned count = 0;
    const char *record;
    size_t length;

    settle_faults(match);
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (!(match->asked >> seat & 1))
            continue;
        answers[count++] = record_of(match, seat);
        tell_said(match, seat);
        if (!(match->applied >> seat & 1))
            (void)apply(match, seat, match->seats[seat].reply.answer);
    }
    match_count_answers(match);
    match->decisions++;
    match->answers += count;
    record = log_record_decision(match->records, match->decisions, match->question, answers, count,
                                 &match->events, &length);
    match_write(match, record, length);
    match_tell_events(match);
}

void match_continue(struct match *match)
{
    while (!allegra_table_is_over(&match->table)) {
        open_question(match);
        if (match->waiting != 0 || match->ports.is_stepwise)
            return;
        settle(match);
    }
    match_finish(match);
}

static void charge(struct match_seat *place, const struct match *match, int64_t charged_us)
{
    int64_t over_us = charged_us - match->setup.move_ms * 1000;

    place->charged_us += charged_us;
    histogram_add(&place->times, charged_us);
    if (charged_us > place->slowest_us)
        place->slowest_us = charged_us;
    if (over_us > 0)
        place->bank_us = over_us < place->bank_us ? place->bank_us - over_us : 0;
}

static void stop_waiting(struct match *match, unsigned seat)
{
    match->waiting &= ~(1U << seat);
    if (match->waiting != 0)
        return;
    settle(match);
    match_continue(match);
}

/* The table has taken the answer of a seat. */
static void accept(struct match *match, unsigned seat, const struct bot_time *time)
{
    match->applied |= 1U << seat;
    match->seats[seat].time = *time;
    charge(&match->seats[seat], match, time->charged_us);
    stop_waiting(match, seat);
}

enum bot_verdict match_take_line(struct match *match, unsigned seat, struct span line,
                                 const struct bot_time *time, struct bot_refusal *refusal)
{
    struct match_seat *place = &match->seats[seat];
    enum bot_verdict verdict = seat_reply_take_line(
        &place->reply, line, seat_stream_id(place->stream), match->setup.rules.talk, refusal);

    if (verdict == BOT_ACCEPT)
        verdict = seat_reply_judged(apply(match, seat, place->reply.answer), refusal);
    if (verdict == BOT_ACCEPT)
        accept(match, seat, time);
    return verdict;
}

enum allegra_refusal match_answer(struct match *match, unsigned seat,
                                  const struct seat_reply *reply, const struct bot_time *time)
{
    struct seat_reply *kept = &match->seats[seat].reply;
    enum allegra_refusal refusal = apply(match, seat, reply->answer);

    if (refusal != ALLEGRA_REFUSAL_NONE)
        return refusal;
    kept->answer = reply->answer;
    kept->say_count = reply->say_count;
    for (unsigned i = 0; i < reply->say_count; i++)
        memcpy(kept->says[i], reply->says[i], sizeof kept->says[i]);
    accept(match, seat, time);
    return ALLEGRA_REFUSAL_NONE;
}

void match_fail(struct match *match, unsigned seat, const struct bot_failure *failure)
{
    match_keep_failure(match, seat, failure);
    if (match->hellos_missing > 0)
        match_hello_came(match);
    else
        stop_waiting(match, seat);
}

bool match_can_proceed(const struct match *match)
{
    return match->ports.is_stepwise && match->waiting == 0 && match->hellos_missing == 0 &&
           !match->is_over;
}

void match_proceed(struct match *match)
{
    settle(match);
    match_continue(match);
}
