/* Verifying by doing it again. The match writes its records through a port; here the port compares each
 * with the next line of the log. So there is no second implementation of what a log means that could
 * be wrong in its own way, and a line that says anything else than the rules make of the answers is
 * found where it stands.
 *
 * A log is first looked at as a whole (its lines, the hash in the last one, header and result), because
 * the seed is known only at its end. */

#include "match/replay.h"

#include "base/memory.h"
#include "wire/record_read.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file larger than this is no log of ours. */
#define FILE_MAX_BYTES (256L << 20)

/* At most one line for each seat's fault, and the decision itself. */
#define AHEAD_MAX (RULES_SEATS_MAX + 1)

struct replay {
    char *file; /* NULL if the bytes are lent */
    const char *bytes;
    size_t length;
    struct span *lines;
    unsigned long line_count;

    struct json_document *header_document;
    struct json_document *result_document;
    struct record_header header;
    struct rules rules;
    struct match_setup setup;
    unsigned long decisions;
    char hash[RECORD_HASH_HEX];

    replay_tap_fn *tap;
    void *context;
    struct match *match;
    unsigned long line; /* the next one that the match has to come to */
    struct events events;
    bool is_wrong;
    char problem[1200];

    /* The decision that comes next. */
    struct json_document *ahead[AHEAD_MAX];
    struct record_fault faults[RULES_SEATS_MAX];
    unsigned fault_count;
    struct record_answer answers[RULES_SEATS_MAX];
    unsigned answer_count;
};

/* The first thing that is wrong counts. */
static void set_problem(struct replay *replay, unsigned long line, const char *what,
                        const char *more)
{
    if (replay->is_wrong)
        return;
    replay->is_wrong = true;
    snprintf(replay->problem, sizeof replay->problem, "line %lu: %s%s", line + 1, what, more);
}

/* The file and its lines. */

static int read_file(struct replay *replay, const char *path, struct text *problem)
{
    FILE *file = fopen(path, "re");
    long size = -1;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0 || size > FILE_MAX_BYTES) {
        text_add(problem, size < 0 ? strerror(errno) : "it is far too large to be a log");
        if (file != NULL)
            fclose(file);
        return -1;
    }
    rewind(file);
    replay->file = xcalloc((size_t)size + 1, 1);
    replay->length = fread(replay->file, 1, (size_t)size, file);
    replay->bytes = replay->file;
    fclose(file);
    return 0;
}

static int split_lines(struct replay *replay, struct text *problem)
{
    struct span rest = {replay->bytes, replay->length};
    unsigned long count = 0;

    if (replay->length == 0) {
        text_add(problem, "it is empty");
        return -1;
    }
    for (size_t i = 0; i < replay->length; i++)
        count += replay->bytes[i] == '\n';
    replay->lines = xcalloc(count + 1, sizeof *replay->lines);
    replay->line_count = count;
    for (unsigned long i = 0; i < count; i++)
        replay->lines[i] = span_cut(&rest, '\n');
    if (rest.start != NULL && rest.length > 0) {
        text_add(problem, "line ");
        text_add_number(problem, (long)count + 1);
        text_add(problem, ": it has no line end: the log is cut off in the middle");
        return -1;
    }
    return 0;
}

static const struct json_node *read_line(struct replay *replay, struct json_document *document,
                                         unsigned long line)
{
    char words[100];
    struct text problem;
    const struct json_node *record;

    text_start(&problem, words, sizeof words);
    record = json_read(document, replay->lines[line].start, replay->lines[line].length, &problem);
    if (record == NULL)
        set_problem(replay, line, words, "");
    return record;
}

static void check_hash(struct replay *replay)
{
    unsigned long last = replay->line_count - 1;
    size_t length = (size_t)(replay->lines[last].start - replay->bytes);
    const struct json_node *record = read_line(replay, replay->ahead[0], last);
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, (const unsigned char *)replay->bytes, length);
    sodium_bin2hex(replay->hash, sizeof replay->hash, hash, sizeof hash);
    if (record == NULL || record_kind_of(record) != RECORD_END)
        set_problem(replay, last,
                    "this should be the last line with the hash, so the end is missing", "");
    else if (strcmp(json_member_text(record, "sha256", ""), replay->hash) != 0)
        set_problem(
            replay, last,
            "the hash is not that of the lines before it: the log was changed; it would be ",
            replay->hash);
}

/* Header and result. */

static void read_header(struct replay *replay)
{
    const struct json_node *record = read_line(replay, replay->header_document, 0);
    char words[300];
    struct text problem;

    text_start(&problem, words, sizeof words);
    if (record == NULL || record_kind_of(record) != RECORD_HEADER)
        set_problem(replay, 0, "this is not the header of a log", "");
    else if (record_read_header(record, &replay->header, &replay->rules, &problem) != 0)
        set_problem(replay, 0, words, "");
    else if (clock_rule_read(span_of(replay->header.clock), &replay->setup.clock) != 0)
        set_problem(replay, 0, "the clock is neither fair nor wall", "");
}

static void read_result(struct replay *replay)
{
    unsigned long at = replay->line_count - 2;
    const struct json_node *record = read_line(replay, replay->result_document, at);
    const char *seed = json_member_text(record, "seed", "");
    size_t length = 0;

    if (record == NULL || record_kind_of(record) != RECORD_RESULT)
        set_problem(replay, at, "this is not the result of a match", "");
    else if (sodium_hex2bin(replay->setup.seed, sizeof replay->setup.seed, seed, strlen(seed), NULL,
                            &length, NULL) != 0 ||
             length != sizeof replay->setup.seed)
        set_problem(replay, at, "the seed is not 64 hexadecimal digits", "");
    replay->decisions = (unsigned long)json_member_number(record, "decisions", 0);
}

static void fill_setup(struct replay *replay)
{
    const struct record_header *header = &replay->header;
    struct match_setup *setup = &replay->setup;

    setup->rules = replay->rules;
    setup->seats = header->seats;
    setup->dealer = header->dealer;
    setup->is_guessable = header->is_guessable;
    setup->start_ms = header->start_ms;
    setup->move_ms = header->move_ms;
    setup->bank_ms = header->bank_ms;
    setup->contain = header->contain;
    setup->branch_of = header->branch_of;
    setup->branch_at = header->branch_at;
    for (unsigned seat = 0; seat < header->seats; seat++) {
        setup->names[seat] = header->bots[seat].name;
        setup->commands[seat] = header->bots[seat].command;
        setup->hashes[seat] = header->bots[seat].hash;
    }
}

/* What the match asks for. */

static void tell(void *context, unsigned seat, const char *bytes, size_t length)
{
    struct replay *replay = context;

    if (replay->tap != NULL)
        replay->tap(replay->context, seat, bytes, length);
}

static void ask(void *context, unsigned seat, int64_t limit_us)
{
    (void)context;
    (void)seat;
    (void)limit_us;
}

static void dismiss(void *context, unsigned seat)
{
    (void)context;
    (void)seat;
}

static bool given(void *context, unsigned seat, struct answer *answer)
{
    (void)context;
    (void)seat;
    (void)answer;
    return false;
}

static void show(void *context, const struct match *match, const struct events *events)
{
    struct replay *replay = context;

    (void)match;
    replay->events.count = events->count;
    memcpy(replay->events.list, events->list, events->count * sizeof events->list[0]);
}

/* Two lines that differ, from a little before the place where they do. */
static void complain_difference(struct replay *replay, struct span came, struct span wanted)
{
    char words[1000];
    struct text text;
    size_t at = 0;
    size_t from;

    while (at < came.length && at < wanted.length && came.start[at] == wanted.start[at])
        at++;
    from = at > 25 ? at - 25 : 0;
    text_start(&text, words, sizeof words);
    text_add(&text, "it says ");
    text_add_quoted(&text, (struct span){came.start + from, came.length - from});
    text_add(&text, " where the match makes it ");
    text_add_quoted(&text, (struct span){wanted.start + from, wanted.length - from});
    set_problem(replay, replay->line, words, "");
}

static void compare(void *context, const char *record, size_t length)
{
    struct replay *replay = context;
    struct span wanted = {record, length};

    if (replay->is_wrong)
        return;
    if (replay->line + 1 >= replay->line_count) {
        set_problem(replay, replay->line, "here the match goes on, but the log ends", "");
    } else {
        struct span came = replay->lines[replay->line];

        if (came.length != length || memcmp(came.start, record, length) != 0)
            complain_difference(replay, came, wanted);
    }
    replay->line++;
}

/* Looking at the decision that comes next. */

static void look_ahead(struct replay *replay)
{
    long long number = (long long)match_decisions(replay->match) + 1;
    unsigned long line = replay->line;
    char words[200];
    struct text problem;

    replay->fault_count = 0;
    replay->answer_count = 0;
    text_start(&problem, words, sizeof words);
    for (unsigned i = 0; i < AHEAD_MAX && !match_is_over(replay->match); i++, line++) {
        const struct json_node *record =
            line + 1 < replay->line_count ? read_line(replay, replay->ahead[i], line) : NULL;
        enum record_kind kind = record != NULL ? record_kind_of(record) : RECORD_UNKNOWN;
        int result = -1;

        if (kind == RECORD_FAULT && replay->fault_count < RULES_SEATS_MAX)
            result = record_read_fault(record, &replay->faults[replay->fault_count++], &problem);
        else if (kind == RECORD_DECISION)
            result = record_read_decision(record, replay->answers, &replay->answer_count, &problem);
        if (result != 0 || record_number_of(record) != number) {
            set_problem(replay, line, "this should be the next decision",
                        problem.length > 0 ? ": " : "");
            strncat(replay->problem, words, sizeof replay->problem - strlen(replay->problem) - 1);
            return;
        }
        if (kind == RECORD_DECISION)
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

static struct match_reply reply_of_fault(struct replay *replay, const struct record_fault *fault)
{
    struct match_reply reply = {
        .outcome = outcome_of(fault->code),
        .time = {.charged_us = fault->charged_us},
        .line = fault->line,
        .words = fault->words,
        .ending = fault->ending,
        .stderr_tail = fault->stderr_tail,
    };

    if (reply.outcome == BOT_ANSWERED) {
        set_problem(replay, replay->line, "there is no such fault", "");
        reply.outcome = BOT_GONE;
    }
    return reply;
}

static struct match_reply reply_of_answer(const struct record_answer *answer)
{
    struct match_reply reply = {
        .outcome = BOT_ANSWERED,
        .answer = answer->answer,
        .say_count = answer->say_count,
        .time = {.charged_us = answer->charged_us,
                 .wall_us = answer->wall_us,
                 .cpu_us = answer->cpu_us,
                 .wait_us = answer->wait_us,
                 .is_measured = answer->is_measured},
        .line = "",
        .words = "",
        .ending = "",
        .stderr_tail = "",
    };

    for (unsigned i = 0; i < answer->say_count; i++)
        reply.says[i] = answer->says[i];
    return reply;
}

static const struct record_fault *find_fault(const struct replay *replay, unsigned seat)
{
    for (unsigned i = 0; i < replay->fault_count; i++) {
        if (replay->faults[i].seat == seat)
            return &replay->faults[i];
    }
    return NULL;
}

static const struct record_answer *find_answer(const struct replay *replay, unsigned seat)
{
    for (unsigned i = 0; i < replay->answer_count; i++) {
        if (replay->answers[i].seat == seat)
            return &replay->answers[i];
    }
    return NULL;
}

/* Whether the rules and the clock allow what is logged; the match itself only takes what is legal. */
static bool is_possible(struct replay *replay, unsigned seat, const struct record_answer *answer)
{
    enum refusal refusal;

    if (answer == NULL) {
        set_problem(replay, replay->line, "somebody who was asked has neither answer nor fault",
                    "");
        return false;
    }
    refusal = match_judge(replay->match, seat, answer->answer);
    if (refusal != REFUSAL_NONE) {
        set_problem(replay, replay->line, "the answer is not legal: ", refusal_words(refusal));
        return false;
    }
    if (answer->charged_us > match_limit_us(replay->match, seat)) {
        set_problem(replay, replay->line, "the answer took longer than its time, but is no fault",
                    "");
        return false;
    }
    return true;
}

static void play_seat(struct replay *replay, unsigned seat)
{
    const struct record_fault *fault = find_fault(replay, seat);
    const struct record_answer *answer = find_answer(replay, seat);
    struct match_reply reply;

    if (fault != NULL)
        reply = reply_of_fault(replay, fault);
    else if (is_possible(replay, seat, answer))
        reply = reply_of_answer(answer);
    else
        return;
    match_told(replay->match, seat, &reply);
}

/* The beginning. */

static void say_hello(struct replay *replay, unsigned seat)
{
    const struct record_bot *bot = &replay->header.bots[seat];
    const struct record_fault *fault = find_fault(replay, seat);
    struct line_hello hello = {.wishes = bot->wishes};
    struct match_reply reply;

    if (fault != NULL) {
        reply = reply_of_fault(replay, fault);
        match_hello(replay->match, seat, NULL, &reply);
        return;
    }
    snprintf(hello.name, sizeof hello.name, "%s", bot->hello);
    match_hello(replay->match, seat, &hello, NULL);
}

/* The faults behind the header are those of hellos. */
static void read_hello_faults(struct replay *replay)
{
    replay->fault_count = 0;
    for (unsigned i = 0; i < RULES_SEATS_MAX && 1 + i < replay->line_count; i++) {
        const struct json_node *record = read_line(replay, replay->ahead[i], 1 + i);
        char words[200];
        struct text problem;

        text_start(&problem, words, sizeof words);
        if (record == NULL || record_kind_of(record) != RECORD_FAULT ||
            record_number_of(record) != 0)
            return;
        if (record_read_fault(record, &replay->faults[replay->fault_count++], &problem) != 0)
            set_problem(replay, 1 + i, words, "");
    }
}

static void begin(struct replay *replay)
{
    struct match_ports ports = {
        .tell = tell,
        .ask = ask,
        .dismiss = dismiss,
        .given = given,
        .log = compare,
        .show = show,
        .is_stepwise = true,
        .context = replay,
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

static void prepare(struct replay *replay)
{
    replay->header_document = json_document_new();
    replay->result_document = json_document_new();
    for (unsigned i = 0; i < AHEAD_MAX; i++)
        replay->ahead[i] = json_document_new();
    if (replay->line_count < 4) {
        set_problem(replay, replay->line_count, "this is too short to be a log", "");
        read_header(replay);
        return;
    }
    read_header(replay);
    if (!replay->is_wrong)
        check_hash(replay);
    if (!replay->is_wrong)
        read_result(replay);
    if (replay->is_wrong)
        return;
    fill_setup(replay);
    begin(replay);
}

static struct replay *check(struct replay *replay, int result, struct text *problem)
{
    if (result == 0)
        result = split_lines(replay, problem);
    if (result == 0) {
        prepare(replay);
        if (replay->is_wrong)
            text_add(problem, replay->problem);
    }
    if (result == 0 && !replay->is_wrong)
        return replay;
    replay_free(replay);
    return NULL;
}

struct replay *replay_load(const char *path, replay_tap_fn *tap, void *context,
                           struct text *problem)
{
    struct replay *replay = xcalloc(1, sizeof *replay);

    replay->tap = tap;
    replay->context = context;
    return check(replay, read_file(replay, path, problem), problem);
}

struct replay *replay_read(const char *bytes, size_t length, replay_tap_fn *tap, void *context,
                           struct text *problem)
{
    struct replay *replay = xcalloc(1, sizeof *replay);

    replay->bytes = bytes;
    replay->length = length;
    replay->tap = tap;
    replay->context = context;
    return check(replay, 0, problem);
}

void replay_free(struct replay *replay)
{
    if (replay == NULL)
        return;
    match_free(replay->match);
    json_document_free(replay->header_document);
    json_document_free(replay->result_document);
    for (unsigned i = 0; i < AHEAD_MAX; i++)
        json_document_free(replay->ahead[i]);
    free(replay->lines);
    free(replay->file);
    free(replay);
}

/* The match may be over by then, and the log may not. */
static int check_end(struct replay *replay, struct text *problem)
{
    if (!replay->is_wrong && match_is_over(replay->match) && replay->line + 1 < replay->line_count)
        set_problem(replay, replay->line, "here the match is over, but the log goes on", "");
    if (!replay->is_wrong)
        return 0;
    text_add(problem, replay->problem);
    return -1;
}

int replay_next(struct replay *replay, struct text *problem)
{
    unsigned asked = table_asked(match_table(replay->match));
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
        set_problem(replay, replay->line, "the match does not go on with this", "");
    if (!replay->is_wrong)
        look_ahead(replay);
    return check_end(replay, problem) == 0 ? 1 : -1;
}

void replay_rewind(struct replay *replay)
{
    begin(replay);
}

const struct match *replay_match(const struct replay *replay)
{
    return replay->match;
}

const struct record_answer *replay_answers(const struct replay *replay, unsigned *count)
{
    *count = replay->answer_count;
    return replay->answers;
}

const struct record_fault *replay_faults(const struct replay *replay, unsigned *count)
{
    *count = replay->fault_count;
    return replay->faults;
}

const struct events *replay_events(const struct replay *replay)
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
