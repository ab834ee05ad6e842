/* The course of a match.
 *
 * A question is opened for all seats that the table asks; a seat whose bot was dismissed is answered
 * by the autopilot at once. When the last answer is in, the question is settled: faults first, then
 * the answers, all in seat order, each with its records. Then the next question is opened. Nothing
 * that one bidder does is known to another before the settling, and nothing depends on the order in
 * which answers arrive. */

#include "match/match.h"

#include "base/memory.h"
#include "game/legal.h"
#include "game/score.h"
#include "match/autopilot.h"
#include "match/scribe.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seven lines of a table for six seats. */
#define TABLE_LINES_MAX 1024

/* All events of one decision: 72 cells shown and six scores at the most. */
#define EVENT_LINES_MAX 4096

/* What a match knows about a seat. */
struct seat {
    struct scribe *scribe;
    struct line_hello hello;
    enum bot_outcome fault; /* BOT_ANSWERED while it plays */
    unsigned long fault_at; /* the decision in which it was dismissed */
    int64_t bank_us;
    int64_t charged_us;
    int64_t slowest_us;

    /* Its answer to the open question; or how it failed, until the question is settled. */
    struct match_reply *failure;
    struct answer answer;
    bool is_autopilot;
    bool is_given;
    struct bot_time time;
    unsigned say_count;
    char says[LINE_SAYS_MAX][LINE_SAY_MAX + 1];
};

struct match {
    struct match_setup setup;
    struct match_ports ports;
    struct table table;
    struct seat seats[RULES_SEATS_MAX];
    struct record_writer *records;
    struct shuffler shuffler;
    unsigned hellos_missing;
    unsigned waiting; /* mask of the seats whose answer is still to come */
    unsigned asked;   /* mask of the seats of the open question */
    unsigned long decisions;
    unsigned long answers;
    uint8_t places[RULES_SEATS_MAX];
    bool is_over;
    struct events events;
};

static void shuffle(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                    unsigned count)
{
    struct match *match = context;
    struct chance chance;
    char label[40];

    snprintf(label, sizeof label, "deal %u %u", round, reshuffle);
    chance_start(&chance, match->setup.seed, label);
    chance_shuffle(&chance, (uint8_t *)cards, count);
}

static void send_out(void *context, unsigned seat, const char *bytes, size_t length)
{
    struct match *match = context;

    match->ports.tell(match->ports.context, seat, bytes, length);
}

struct match *match_new(const struct match_setup *setup, const struct match_ports *ports)
{
    struct match *match = xcalloc(1, sizeof *match);

    match->setup = *setup;
    match->ports = *ports;
    match->records = record_writer_new();
    match->shuffler = (struct shuffler){shuffle, match};
    match->hellos_missing = setup->seats;
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        match->seats[seat].scribe = scribe_new(seat, send_out, match);
        match->seats[seat].bank_us = setup->bank_ms * 1000;
        scribe_greeting(match->seats[seat].scribe);
    }
    return match;
}

/* A copy of a failure and its texts, because a question is settled later than it fails. */
static struct match_reply *keep_failure(const struct match_reply *reply)
{
    struct match_reply *kept = xcalloc(1, sizeof *kept);

    kept->outcome = reply->outcome;
    kept->time = reply->time;
    kept->line = xstrdup(reply->line);
    kept->words = xstrdup(reply->words);
    kept->ending = xstrdup(reply->ending);
    kept->stderr_tail = xstrdup(reply->stderr_tail);
    return kept;
}

static void forget_failure(struct seat *place)
{
    struct match_reply *kept = place->failure;

    if (kept == NULL)
        return;
    free((char *)kept->line);
    free((char *)kept->words);
    free((char *)kept->ending);
    free((char *)kept->stderr_tail);
    free(kept);
    place->failure = NULL;
}

void match_free(struct match *match)
{
    if (match == NULL)
        return;
    for (unsigned seat = 0; seat < RULES_SEATS_MAX; seat++) {
        scribe_free(match->seats[seat].scribe);
        forget_failure(&match->seats[seat]);
    }
    record_writer_free(match->records);
    free(match);
}

static bool is_playing(const struct match *match, unsigned seat)
{
    return match->seats[seat].fault == BOT_ANSWERED;
}

static void write_record(struct match *match, const char *record, size_t length)
{
    match->ports.log(match->ports.context, record, length);
}

static void write_fault(struct match *match, unsigned seat, bool is_hello)
{
    const struct match_reply *failure = match->seats[seat].failure;
    struct record_fault fault = {
        .seat = seat,
        .code = bot_outcome_name(failure->outcome),
        .question = table_question(&match->table),
        .is_hello = is_hello,
        .line = failure->line,
        .words = failure->words,
        .ending = failure->ending,
        .stderr_tail = failure->stderr_tail,
        .charged_us = failure->time.charged_us,
    };
    size_t length;
    const char *record =
        record_fault(match->records, is_hello ? 0 : match->decisions + 1, &fault, &length);

    write_record(match, record, length);
}

/* The bot of a seat is out of the match. */
static void dismiss(struct match *match, unsigned seat, bool is_hello)
{
    struct seat *place = &match->seats[seat];

    place->fault = place->failure->outcome;
    place->fault_at = is_hello ? 0 : match->decisions + 1;
    write_fault(match, seat, is_hello);
    match->ports.dismiss(match->ports.context, seat);
    if (match->ports.show_fault != NULL)
        match->ports.show_fault(match->ports.context, match, seat, place->failure);
    forget_failure(place);
}

static void tell_dismissed(struct match *match, unsigned out)
{
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (is_playing(match, seat))
            scribe_dismissed(match->seats[seat].scribe, out,
                             bot_outcome_name(match->seats[out].fault));
    }
}

/* Whether everybody may know everything that happened. */
static bool is_public(const struct events *events)
{
    for (unsigned i = 0; i < events->count; i++) {
        if (events->list[i].kind == EVENT_PLACED && events->list[i].seen_by != UINT8_MAX)
            return false;
    }
    return true;
}

/* Mostly the lines are the same for all, and then they are written once. */
static void tell_events(struct match *match)
{
    char lines[EVENT_LINES_MAX];
    struct text text;
    bool is_shared = is_public(&match->events);

    text_start(&text, lines, sizeof lines);
    for (unsigned i = 0; is_shared && i < match->events.count; i++)
        line_write_event(&text, &match->events.list[i], true);
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (is_playing(match, seat) && is_shared)
            scribe_event_lines(match->seats[seat].scribe, (struct span){lines, text.length});
        else if (is_playing(match, seat))
            scribe_events(match->seats[seat].scribe, &match->events);
    }
    if (match->ports.show != NULL)
        match->ports.show(match->ports.context, match, &match->events);
}

/* The beginning. */

static void write_header(struct match *match)
{
    const struct match_setup *setup = &match->setup;
    unsigned char hash[crypto_hash_sha256_BYTES];
    char commitment[RECORD_HASH_HEX];
    struct record_header header = {
        .rules = &setup->rules,
        .seats = setup->seats,
        .dealer = setup->dealer,
        .commitment = commitment,
        .is_guessable = setup->is_guessable,
        .contain = setup->contain,
        .clock = clock_rule_name(setup->clock),
        .start_ms = setup->start_ms,
        .move_ms = setup->move_ms,
        .bank_ms = setup->bank_ms,
        .autopilot = AUTOPILOT_VERSION,
        .branch_of = setup->branch_of,
        .branch_at = setup->branch_at,
    };
    size_t length;
    const char *record;

    crypto_hash_sha256(hash, setup->seed, sizeof setup->seed);
    sodium_bin2hex(commitment, sizeof commitment, hash, sizeof hash);
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        header.bots[seat] = (struct record_bot){
            .name = setup->names[seat],
            .command = setup->commands[seat],
            .hash = setup->hashes[seat],
            .hello = match->seats[seat].hello.name,
            .wishes = match->seats[seat].hello.wishes,
        };
    }
    record = record_header(match->records, &header, &length);
    write_record(match, record, length);
}

/* The number that a randomised bot may use: from the seed, but of no use to know the deal. */
static uint64_t rng_of(const struct match *match, unsigned seat)
{
    struct chance chance;
    char label[20];
    uint64_t high;

    snprintf(label, sizeof label, "rng %u", seat);
    chance_start(&chance, match->setup.seed, label);
    high = chance_next(&chance);
    return high << 32 | chance_next(&chance);
}

static void tell_match(struct match *match, unsigned seat)
{
    struct line_match line = {
        .rules = &match->setup.rules,
        .seats = match->setup.seats,
        .seat = seat,
        .move_ms = match->setup.move_ms,
        .bank_ms = match->setup.bank_ms,
        .clock = clock_rule_name(match->setup.clock),
        .rng = rng_of(match, seat),
    };

    for (unsigned other = 0; other < match->setup.seats; other++)
        line.names[other] = match->setup.names[other];
    scribe_set_wishes(match->seats[seat].scribe, match->seats[seat].hello.wishes);
    scribe_match(match->seats[seat].scribe, &line);
}

static void go_on(struct match *match);

static void begin(struct match *match)
{
    const char *record;
    size_t length;

    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (is_playing(match, seat))
            tell_match(match, seat);
    }
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (!is_playing(match, seat))
            tell_dismissed(match, seat);
    }
    match->events.count = 0;
    table_start(&match->table, &match->setup.rules, match->setup.seats, match->setup.dealer,
                &match->shuffler, &match->events);
    record = record_start(match->records, &match->events, &length);
    write_record(match, record, length);
    tell_events(match);
    go_on(match);
}

void match_hello(struct match *match, unsigned seat, const struct line_hello *hello,
                 const struct match_reply *reply)
{
    if (hello != NULL)
        match->seats[seat].hello = *hello;
    else
        match->seats[seat].failure = keep_failure(reply);
    if (--match->hellos_missing > 0)
        return;
    write_header(match);
    for (unsigned i = 0; i < match->setup.seats; i++) {
        if (match->seats[i].failure != NULL)
            dismiss(match, i, true);
    }
    begin(match);
}

/* Questions. */

int64_t match_limit_us(const struct match *match, unsigned seat)
{
    return match->setup.move_ms * 1000 + match->seats[seat].bank_us;
}

static void let_autopilot_answer(struct match *match, unsigned seat)
{
    struct view view = view_of(&match->table, seat);
    struct legal legal;

    legal_list(&match->table, seat, &legal);
    match->seats[seat].answer = autopilot_choose(&view, &legal);
    match->seats[seat].is_autopilot = true;
    match->seats[seat].is_given = false;
    match->seats[seat].say_count = 0;
    match->seats[seat].time = (struct bot_time){0};
}

/* A match that branches off another one begins with that one's answers. */
static void take_given(struct match *match, unsigned seat)
{
    if (!match->ports.given(match->ports.context, seat, &match->seats[seat].answer))
        match->waiting |= 1U << seat;
    match->seats[seat].is_autopilot = false;
    match->seats[seat].is_given = true;
    match->seats[seat].say_count = 0;
    match->seats[seat].time = (struct bot_time){0};
}

static void ask_seat(struct match *match, unsigned seat, const struct view *view,
                     struct span table_lines)
{
    struct legal legal;

    if (match->seats[seat].hello.wishes.has_legal)
        legal_list(&match->table, seat, &legal);
    match->seats[seat].is_autopilot = false;
    match->seats[seat].is_given = false;
    match->waiting |= 1U << seat;
    scribe_ask(match->seats[seat].scribe, view, &legal, table_lines,
               (long)(match_limit_us(match, seat) / 1000));
    match->ports.ask(match->ports.context, seat, match_limit_us(match, seat));
}

/* Only bids are asked of several, and then nobody sees more than the others. So one view and one
 * table serve all. */
static void ask_seats(struct match *match, unsigned asked)
{
    char lines[TABLE_LINES_MAX];
    struct text text;
    struct view view = view_of(&match->table, (unsigned)__builtin_ctz(asked));

    text_start(&text, lines, sizeof lines);
    line_write_table(&text, &view);
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

    match->asked = table_asked(&match->table);
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (!(match->asked >> seat & 1))
            continue;
        if (match->decisions < match->setup.branch_at)
            take_given(match, seat);
        else if (is_playing(match, seat))
            to_ask |= 1U << seat;
        else
            let_autopilot_answer(match, seat);
    }
    if (to_ask != 0)
        ask_seats(match, to_ask);
}

static struct record_answer record_of(const struct match *match, unsigned seat)
{
    const struct seat *place = &match->seats[seat];
    struct record_answer record = {
        .seat = seat,
        .answer = place->answer,
        .is_autopilot = place->is_autopilot,
        .is_given = place->is_given,
        .charged_us = place->time.charged_us,
        .is_measured = place->time.is_measured,
        .wall_us = place->time.wall_us,
        .cpu_us = place->time.cpu_us,
        .wait_us = place->time.wait_us,
        .say_count = place->say_count,
    };

    for (unsigned i = 0; i < place->say_count; i++)
        record.says[i] = place->says[i];
    return record;
}

static void tell_said(struct match *match, unsigned from)
{
    for (unsigned i = 0; i < match->seats[from].say_count; i++) {
        for (unsigned seat = 0; seat < match->setup.seats; seat++) {
            if (is_playing(match, seat))
                scribe_said(match->seats[seat].scribe, from, match->seats[from].says[i]);
        }
    }
}

/* Who failed is out, before anything that the others answered happens. */
static void settle_faults(struct match *match)
{
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (match->seats[seat].failure == NULL)
            continue;
        dismiss(match, seat, false);
        tell_dismissed(match, seat);
        let_autopilot_answer(match, seat);
    }
}

/* All answers are there: they count, in seat order. */
static void settle(struct match *match)
{
    struct record_answer answers[RULES_SEATS_MAX];
    enum question question = table_question(&match->table);
    unsigned count = 0;
    const char *record;
    size_t length;

    settle_faults(match);
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (!(match->asked >> seat & 1))
            continue;
        answers[count++] = record_of(match, seat);
        tell_said(match, seat);
        table_apply(&match->table, seat, match->seats[seat].answer, &match->shuffler,
                    &match->events);
    }
    match->decisions++;
    match->answers += count;
    record = record_decision(match->records, match->decisions, question, answers, count,
                             &match->events, &length);
    write_record(match, record, length);
    tell_events(match);
}

/* Whether one seat did better than another: who was not dismissed, then who was later, then who has
 * fewer points. */
static bool is_better(const struct match *match, unsigned one, unsigned other)
{
    const struct seat *a = &match->seats[one];
    const struct seat *b = &match->seats[other];

    if (is_playing(match, one) != is_playing(match, other))
        return is_playing(match, one);
    if (!is_playing(match, one))
        return a->fault_at > b->fault_at;
    return match->table.total_halves[one] < match->table.total_halves[other];
}

static void find_places(struct match *match)
{
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        match->places[seat] = 1;
        for (unsigned other = 0; other < match->setup.seats; other++)
            match->places[seat] += is_better(match, other, seat);
    }
}

static void write_result(struct match *match)
{
    char seed[RECORD_HASH_HEX];
    struct record_result result = {
        .seats = match->setup.seats,
        .places = match->places,
        .total_halves = match->table.total_halves,
        .rounds = match->table.round,
        .decisions = match->decisions,
        .seed = seed,
    };
    size_t length;
    const char *record;

    sodium_bin2hex(seed, sizeof seed, match->setup.seed, sizeof match->setup.seed);
    for (unsigned seat = 0; seat < match->setup.seats; seat++)
        scribe_hash(match->seats[seat].scribe, result.sent[seat]);
    record = record_result(match->records, &result, &length);
    write_record(match, record, length);
}

static void finish(struct match *match)
{
    find_places(match);
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (is_playing(match, seat))
            scribe_result(match->seats[seat].scribe, match->places, match->setup.seats);
    }
    write_result(match);
    match->is_over = true;
}

/* As long as nobody has to be waited for. */
static void go_on(struct match *match)
{
    while (!table_is_over(&match->table)) {
        open_question(match);
        if (match->waiting != 0 || match->ports.is_stepwise)
            return;
        settle(match);
    }
    finish(match);
}

static void charge(struct seat *place, const struct match *match, int64_t charged_us)
{
    int64_t over_us = charged_us - match->setup.move_ms * 1000;

    place->charged_us += charged_us;
    if (charged_us > place->slowest_us)
        place->slowest_us = charged_us;
    if (over_us > 0)
        place->bank_us = over_us < place->bank_us ? place->bank_us - over_us : 0;
}

static void take_answer(struct match *match, unsigned seat, const struct match_reply *reply)
{
    struct seat *place = &match->seats[seat];

    place->answer = reply->answer;
    place->time = reply->time;
    place->say_count = reply->say_count;
    for (unsigned i = 0; i < reply->say_count; i++)
        snprintf(place->says[i], sizeof place->says[i], "%s", reply->says[i]);
    charge(place, match, reply->time.charged_us);
}

void match_told(struct match *match, unsigned seat, const struct match_reply *reply)
{
    if (reply->outcome == BOT_ANSWERED)
        take_answer(match, seat, reply);
    else
        match->seats[seat].failure = keep_failure(reply);
    match->waiting &= ~(1U << seat);
    if (match->waiting != 0)
        return;
    settle(match);
    go_on(match);
}

bool match_can_proceed(const struct match *match)
{
    return match->ports.is_stepwise && match->waiting == 0 && match->hellos_missing == 0 &&
           !match->is_over;
}

void match_proceed(struct match *match)
{
    settle(match);
    go_on(match);
}

enum refusal match_judge(const struct match *match, unsigned seat, struct answer answer)
{
    return table_judge(&match->table, seat, answer);
}

uint64_t match_id(const struct match *match, unsigned seat)
{
    return scribe_id(match->seats[seat].scribe);
}

bool match_is_waiting(const struct match *match, unsigned seat)
{
    return match->waiting >> seat & 1;
}

bool match_is_over(const struct match *match)
{
    return match->is_over;
}

const struct table *match_table(const struct match *match)
{
    return &match->table;
}

const struct match_setup *match_setup_of(const struct match *match)
{
    return &match->setup;
}

unsigned long match_decisions(const struct match *match)
{
    return match->decisions;
}

unsigned long match_answers(const struct match *match)
{
    return match->answers;
}

const uint8_t *match_places(const struct match *match)
{
    return match->places;
}

struct line_wishes match_wishes(const struct match *match, unsigned seat)
{
    return match->seats[seat].hello.wishes;
}

enum bot_outcome match_fault(const struct match *match, unsigned seat)
{
    return match->seats[seat].fault;
}

int64_t match_charged_us(const struct match *match, unsigned seat)
{
    return match->seats[seat].charged_us;
}

int64_t match_slowest_us(const struct match *match, unsigned seat)
{
    return match->seats[seat].slowest_us;
}
