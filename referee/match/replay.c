/* A log is verified by playing it again. The match writes its records through a port; here the port
 * compares each with the next line of the log. So there is no second implementation of what a log
 * means that could be wrong in its own way, and a line that differs from what the rules make of the
 * answers is found where it is. */

#include "match/replay_private.h"

#include "match/autopilot.h"
#include "match/log_check.h"

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

/* A header may have keys at its end that this version does not know, but none of its own twice:
 * other programs would believe the second one. */
static bool is_longer_header(const struct replay *replay, struct span came, struct span wanted)
{
    size_t known = wanted.length - 1;

    return replay->line == 0 && came.length > wanted.length &&
           memcmp(came.start, wanted.start, known) == 0 && came.start[known] == ',' &&
           log_record_has_key_twice(replay->header_root) == NULL;
}

static void compare(void *context, const char *record, size_t length)
{
    struct replay *replay = context;
    struct span wanted = {record, length};

    if (replay->is_wrong)
        return;
    if (replay->line < replay->record_count) {
        struct span came = replay->lines[replay->line];

        if ((came.length != length || memcmp(came.start, record, length) != 0) &&
            !is_longer_header(replay, came, wanted))
            complain_difference(replay, came, wanted);
    } else if (!replay->is_cut) {
        replay_complain(replay, replay->line, "the match continues here, but the log ends", "");
    }
    replay->line++;
}

/* Reads the record in a line as a part of the next decision. Returns 0, or -1 with a few words. */
static int read_ahead(struct replay *replay, const struct json_node *record, struct text *problem)
{
    long long number = (long long)match_decisions(replay->match) + 1;
    int result = -1;

    switch (log_record_kind_of(record)) {
    case LOG_RECORD_FAULT:
        if (replay->fault_count < ALLEGRA_SEATS_MAX)
            result = log_record_read_fault(record, &replay->faults[replay->fault_count++], problem);
        break;
    case LOG_RECORD_DECISION:
        result = log_record_read_decision(record, replay->answers, &replay->answer_count, problem);
        break;
    default:
        break;
    }
    return log_record_number_of(record) == number ? result : -1;
}

/* Finds the next decision and the faults before it. A log that is cut off may have none. */
static void look_ahead(struct replay *replay)
{
    unsigned long line = replay->line;
    char message[200];
    struct text problem;

    replay->fault_count = 0;
    replay->answer_count = 0;
    text_start(&problem, message, sizeof message);
    for (unsigned i = 0; i < AHEAD_MAX && !match_is_over(replay->match); i++, line++) {
        const struct json_node *record = NULL;

        if (line >= replay->record_count && replay->is_cut)
            return;
        if (line < replay->record_count)
            record = replay_read_line(replay, replay->ahead[i], line);
        if (record == NULL || read_ahead(replay, record, &problem) != 0) {
            replay_complain(replay, line, "this should be the next decision",
                            problem.length > 0 ? ": " : "");
            strncat(replay->problem, message, sizeof replay->problem - strlen(replay->problem) - 1);
            return;
        }
        if (replay->answer_count > 0)
            return;
    }
}

/* The line in which something about a seat is logged: its fault, or the decision after all faults.
 * Faults of hellos come after the header. */
static unsigned long line_of(const struct replay *replay, const struct log_record_fault *fault)
{
    unsigned long first = replay->line > 0 ? replay->line : 1;

    return first + (fault != NULL ? (unsigned long)(fault - replay->faults) : replay->fault_count);
}

static struct bot_time time_of(const struct log_record_time *time)
{
    return (struct bot_time){
        .charged_us = time->charged_us,
        .wall_us = time->wall_us,
        .cpu_us = time->cpu_us,
        .wait_us = time->wait_us,
        .away_us = time->away_us,
        .stolen_us = time->stolen_us,
        .pondered_us = time->pondered_us,
        .is_measured = time->is_measured,
    };
}

/* Lets the bot of a seat fail as it is logged, if that can be. From then on the autopilot plays. */
static void fail(struct replay *replay, unsigned seat, const struct log_record_fault *fault)
{
    struct bot_failure failure = {
        .outcome = log_check_outcome(fault->code),
        .time = time_of(&fault->time),
        .line = fault->line,
        .message = fault->message,
        .ending = fault->ending,
        .stderr_tail = fault->stderr_tail,
    };
    unsigned long line = line_of(replay, fault);
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (log_check_fault(replay->match, fault, &problem) != 0) {
        replay_complain(replay, line, message, "");
    } else if (!autopilot_is_known(replay->header.autopilot)) {
        text_printf(&problem,
                    "version %u of the autopilot plays from here on, and this referee knows "
                    "versions up to %d: use a newer referee",
                    replay->header.autopilot, AUTOPILOT_VERSION);
        replay_complain(replay, line, message, "");
    } else {
        match_fail(replay->match, seat, &failure);
    }
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
    struct bot_time time = time_of(&logged->time);
    unsigned long line = line_of(replay, NULL);
    enum allegra_refusal refusal;
    struct seat_reply reply;
    char message[200];
    struct text problem;

    reply.answer = logged->answer;
    reply.say_count = logged->say_count;
    for (unsigned i = 0; i < logged->say_count; i++)
        snprintf(reply.says[i], sizeof reply.says[i], "%s", logged->says[i]);
    text_start(&problem, message, sizeof message);
    if (log_check_answer(replay->match, logged, &problem) != 0) {
        replay_complain(replay, line, message, "");
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
    struct bot_line_hello hello;
    char line[sizeof "hello " + BOT_LINE_NAME_MAX];
    char message[200];
    struct text problem;

    if (fault != NULL) {
        fail(replay, seat, fault);
        return;
    }
    snprintf(line, sizeof line, "hello %s", bot->hello);
    text_start(&problem, message, sizeof message);
    if (bot_line_read_hello(span_of(line), &hello, &problem) != 0) {
        replay_complain(replay, 0, message, "");
        return;
    }
    hello.options = bot->options;
    match_hello(replay->match, seat, &hello);
}

/* The faults right after the header are those of hellos. */
static void read_hello_faults(struct replay *replay)
{
    replay->fault_count = 0;
    for (unsigned i = 0; i < ALLEGRA_SEATS_MAX && 1 + i < replay->record_count; i++) {
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
    if (!replay->is_wrong && match_is_over(replay->match) && replay->line < replay->record_count)
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

    if (match_is_over(replay->match) || replay->answer_count == 0)
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

int replay_verify(struct replay *replay, struct text *problem)
{
    int result;

    do
        result = replay_next(replay, problem);
    while (result > 0);
    if (result == 0 && replay->is_cut) {
        text_add(problem, replay->cut);
        result = -1;
    }
    return result;
}

const char *replay_commitment(const struct replay *replay)
{
    return replay->header.commitment;
}

const char *replay_bytes(const struct replay *replay, size_t *length)
{
    struct span last = replay->lines[replay->line_count - 1];

    *length = (size_t)(last.start + last.length + 1 - replay->bytes);
    return replay->bytes;
}

void replay_measure_luck(struct replay *replay)
{
    replay->setup.measures_luck = true;
    replay_rewind(replay);
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

const char *replay_cut(const struct replay *replay)
{
    return replay->is_cut ? replay->cut : NULL;
}

bool replay_has_seed(const struct replay *replay)
{
    return replay->has_seed;
}
