/* A log is verified by playing it again. The match writes its records through a port; here the port
 * compares each with the next line of the log. So there is no second implementation of what a log
 * means that could be wrong in its own way, and a line that differs from what the rules make of the
 * answers is found where it is. */

#include "match/replay_private.h"

#include <stdio.h>
#include <string.h>

static void tell(void *context, unsigned seat, const char *bytes, size_t length)
{
    struct replay *replay = context;

    if (replay->tap != NULL)
        replay->tap(replay->context, seat, bytes, length);
}

static void ask(void *context, unsigned seat, struct span bytes, int64_t limit_us)
{
    (void)limit_us;
    tell(context, seat, bytes.start, bytes.length);
}

static void dismiss(void *context, unsigned seat)
{
    (void)context;
    (void)seat;
}

static void keep_events(void *context, const struct match *match,
                        const struct allegra_events *events)
{
    struct replay *replay = context;

    (void)match;
    replay->events.count = events->count;
    memcpy(replay->events.list, events->list, events->count * sizeof events->list[0]);
}

/* Shows two lines that differ, from a little before the difference. */
static void complain_difference(struct replay *replay, struct span came, struct span wanted)
{
    char message[1000];
    struct text text;
    size_t at = 0;
    size_t from;

    while (at < came.length && at < wanted.length && came.start[at] == wanted.start[at])
        at++;
    from = at > 25 ? at - 25 : 0;
    text_start(&text, message, sizeof message);
    text_add(&text, "it says ");
    text_add_quoted(&text, (struct span){came.start + from, came.length - from});
    text_add(&text, " where the match makes it ");
    text_add_quoted(&text, (struct span){wanted.start + from, wanted.length - from});
    replay_complain(replay, replay->line, message, "");
}

static void compare(void *context, const char *record, size_t length)
{
    struct replay *replay = context;
    struct span wanted = {record, length};

    if (replay->is_wrong)
        return;
    if (replay->line + 1 >= replay->line_count) {
        replay_complain(replay, replay->line, "the match continues here, but the log ends", "");
    } else {
        struct span came = replay->lines[replay->line];

        if (came.length != length || memcmp(came.start, record, length) != 0)
            complain_difference(replay, came, wanted);
    }
    replay->line++;
}

static void look_ahead(struct replay *replay)
{
    long long number = (long long)match_decisions(replay->match) + 1;
    unsigned long line = replay->line;
    char message[200];
    struct text problem;

    replay->fault_count = 0;
    replay->answer_count = 0;
    text_start(&problem, message, sizeof message);
    for (unsigned i = 0; i < AHEAD_MAX && !match_is_over(replay->match); i++, line++) {
        const struct json_node *record =
            line + 1 < replay->line_count ? replay_read_line(replay, replay->ahead[i], line) : NULL;
        enum log_record_kind kind =
            record != NULL ? log_record_kind_of(record) : LOG_RECORD_UNKNOWN;
        int result = -1;

        if (kind == LOG_RECORD_FAULT && replay->fault_count < ALLEGRA_SEATS_MAX)
            result =
                log_record_read_fault(record, &replay->faults[replay->fault_count++], &problem);
        else if (kind == LOG_RECORD_DECISION)
            result =
                log_record_read_decision(record, replay->answers, &replay->answer_count, &problem);
        if (result != 0 || log_record_number_of(record) != number) {
            replay_complain(replay, line, "this should be the next decision",
                            problem.length > 0 ? ": " : "");
            strncat(replay->problem, message, sizeof replay->problem - strlen(replay->problem) - 1);
            return;
        }
        if (kind == LOG_RECORD_DECISION)
            return;
    }
}

static enum bot_outcome outcome_of(const char *code)
{
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++) {
        if (strcmp(bot_outcome_name((enum bot_outcome)i), code) == 0)
            return (enum bot_outcome)i;
    }
    return BOT_ANSWERED;
}

static void fail(struct replay *replay, unsigned seat, const struct log_record_fault *fault)
{
    struct bot_failure failure = {
        .outcome = outcome_of(fault->code),
        .time = {.charged_us = fault->charged_us},
        .line = fault->line,
        .message = fault->message,
        .ending = fault->ending,
        .stderr_tail = fault->stderr_tail,
    };

    if (failure.outcome == BOT_ANSWERED)
        replay_complain(replay, replay->line, "there is no such fault", "");
    else
        match_fail(replay->match, seat, &failure);
}

static const struct log_record_fault *find_fault(const struct replay *replay, unsigned seat)
{
    for (unsigned i = 0; i < replay->fault_count; i++) {
        if (replay->faults[i].seat == seat)
            return &replay->faults[i];
    }
    return NULL;
}

static const struct log_record_answer *find_answer(const struct replay *replay, unsigned seat)
{
    for (unsigned i = 0; i < replay->answer_count; i++) {
        if (replay->answers[i].seat == seat)
            return &replay->answers[i];
    }
    return NULL;
}

/* Gives the match the logged answer, if the rules and the clock allow it. */
static void answer(struct replay *replay, unsigned seat, const struct log_record_answer *logged)
{
    struct bot_time time = {.charged_us = logged->charged_us,
                            .wall_us = logged->wall_us,
                            .cpu_us = logged->cpu_us,
                            .wait_us = logged->wait_us,
                            .pondered_us = logged->pondered_us,
                            .is_measured = logged->is_measured};
    unsigned long line = replay->line;
    enum allegra_refusal refusal;
    struct seat_reply reply;

    reply.answer = logged->answer;
    reply.say_count = logged->say_count;
    for (unsigned i = 0; i < logged->say_count; i++)
        snprintf(reply.says[i], sizeof reply.says[i], "%s", logged->says[i]);
    if (logged->charged_us > match_limit_us(replay->match, seat)) {
        replay_complain(replay, line, "the answer took longer than its time, but is no fault", "");
        return;
    }
    refusal = match_answer(replay->match, seat, &reply, &time);
    if (refusal != ALLEGRA_REFUSAL_NONE)
        replay_complain(replay, line, "the answer is not legal: ", allegra_refusal_text(refusal));
}

static void play_seat(struct replay *replay, unsigned seat)
{
    const struct log_record_fault *fault = find_fault(replay, seat);
    const struct log_record_answer *logged = find_answer(replay, seat);

    if (fault != NULL)
        fail(replay, seat, fault);
    else if (logged != NULL)
        answer(replay, seat, logged);
    else
        replay_complain(replay, replay->line, "a seat that was asked has neither answer nor fault",
                        "");
}

static void say_hello(struct replay *replay, unsigned seat)
{
    const struct log_record_bot *bot = &replay->header.bots[seat];
    const struct log_record_fault *fault = find_fault(replay, seat);
    struct bot_line_hello hello = {.options = bot->options};

    snprintf(hello.name, sizeof hello.name, "%s", bot->hello);
    if (fault != NULL)
        fail(replay, seat, fault);
    else
        match_hello(replay->match, seat, &hello);
}

/* The faults right after the header are those of hellos. */
static void read_hello_faults(struct replay *replay)
{
    replay->fault_count = 0;
    for (unsigned i = 0; i < ALLEGRA_SEATS_MAX && 1 + i < replay->line_count; i++) {
        const struct json_node *record = replay_read_line(replay, replay->ahead[i], 1 + i);
        char message[200];
        struct text problem;

        text_start(&problem, message, sizeof message);
        if (record == NULL || log_record_kind_of(record) != LOG_RECORD_FAULT ||
            log_record_number_of(record) != 0)
            return;
        if (log_record_read_fault(record, &replay->faults[replay->fault_count++], &problem) != 0)
            replay_complain(replay, 1 + i, message, "");
    }
}

void replay_begin(struct replay *replay)
{
    struct match_ports ports = {
        .tell = tell,
        .ask = ask,
        .dismiss = dismiss,
        .log = compare,
        .is_stepwise = true,
        .context = replay,
        .observer = {.on_events = keep_events, .context = replay},
    };

    match_free(replay->match);
    replay->line = 0;
    read_hello_faults(replay);
    replay->match = match_new(&replay->setup, &ports);
    for (unsigned seat = 0; seat < replay->setup.seats && !replay->is_wrong; seat++)
        say_hello(replay, seat);
    if (!replay->is_wrong)
        look_ahead(replay);
}

static int check_end(struct replay *replay, struct text *problem)
{
    if (!replay->is_wrong && match_is_over(replay->match) && replay->line + 1 < replay->line_count)
        replay_complain(replay, replay->line, "the match is over here, but the log continues", "");
    if (!replay->is_wrong)
        return 0;
    text_add(problem, replay->problem);
    return -1;
}

int replay_next(struct replay *replay, struct text *problem)
{
    unsigned asked = allegra_table_asked(match_table(replay->match));
    unsigned long before = match_decisions(replay->match);

    if (match_is_over(replay->match))
        return check_end(replay, problem);
    if (match_can_proceed(replay->match))
        match_proceed(replay->match);
    else
        for (unsigned seat = 0; seat < replay->setup.seats && !replay->is_wrong; seat++) {
            if (match_is_waiting(replay->match, seat) && asked >> seat & 1)
                play_seat(replay, seat);
        }
    if (!replay->is_wrong && match_decisions(replay->match) == before)
        replay_complain(replay, replay->line, "this does not continue the match", "");
    if (!replay->is_wrong)
        look_ahead(replay);
    return check_end(replay, problem) == 0 ? 1 : -1;
}

void replay_rewind(struct replay *replay)
{
    replay_begin(replay);
}

const struct match *replay_match(const struct replay *replay)
{
    return replay->match;
}

const struct log_record_answer *replay_answers(const struct replay *replay, unsigned *count)
{
    *count = replay->answer_count;
    return replay->answers;
}

const struct log_record_fault *replay_faults(const struct replay *replay, unsigned *count)
{
    *count = replay->fault_count;
    return replay->faults;
}

const struct allegra_events *replay_events(const struct replay *replay)
{
    return &replay->events;
}

unsigned long replay_decisions(const struct replay *replay)
{
    return replay->decisions;
}

unsigned long replay_lines(const struct replay *replay)
{
    return replay->line_count;
}

const char *replay_hash(const struct replay *replay)
{
    return replay->hash;
}
