/* Reading records. A log comes from anywhere, so nothing is believed: numbers are checked
 * against what they can be, texts against their limits, and what is missing is named. */

#include "wire/log_record_read.h"
#include "game/game_text.h"
#include "game/rules.h"

#include <string.h>

#define TIME_MAX_MS 86400000000LL

/* More questions than a process can ever have been asked. */
#define ASKED_MAX 1000000000000000

/* More cores than a machine has, and longer than any version of the referee. */
#define CORES_MAX 1000000
#define VERSION_MAX 32

static int complain(struct text *problem, const char *what, const char *name)
{
    text_add(problem, what);
    text_add(problem, " `");
    text_add(problem, name);
    text_add(problem, "`");
    return -1;
}

enum log_record_kind log_record_kind_of(const struct json_node *record)
{
    static const struct {
        const char *key;
        enum log_record_kind kind;
    } marks[] = {
        {"do", LOG_RECORD_DECISION},        {"bids", LOG_RECORD_DECISION},
        {"ev", LOG_RECORD_START},           {"fault", LOG_RECORD_FAULT},
        {"allegra_log", LOG_RECORD_HEADER}, {"result", LOG_RECORD_RESULT},
        {"sha256", LOG_RECORD_END},
    };

    if (record->kind != JSON_MAP)
        return LOG_RECORD_UNKNOWN;
    for (const struct json_node *value = json_first(record); value != NULL;
         value = json_next(record, value)) {
        for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
            if (strcmp(value->key, marks[i].key) == 0)
                return marks[i].kind;
        }
    }
    return LOG_RECORD_UNKNOWN;
}

long long log_record_number_of(const struct json_node *record)
{
    return json_member_number(record, "n", -1);
}

const char *log_record_has_key_twice(const struct json_node *record)
{
    for (const struct json_node *value = json_first(record); value != NULL;
         value = json_next(record, value)) {
        if (json_member(record, value->key) != value)
            return value->key;
    }
    return NULL;
}

static int take_number(const struct json_node *map, const char *name, long long least,
                       long long most, long long *number, struct text *problem)
{
    long long value = json_member_number(map, name, least - 1);

    if (value < least || value > most)
        return complain(problem, "it has no valid", name);
    *number = value;
    return 0;
}

static int read_rules(const struct json_node *record, struct allegra_rules *rules,
                      struct text *problem)
{
    const struct json_node *map = json_member(record, "rules");
    struct span edition = span_of(json_member_text(record, "edition", ""));

    if (rules_read_edition(edition, rules, problem) != 0)
        return -1;
    for (size_t i = 0; i < rules_key_count(); i++) {
        const char *name = rules_key_at(i)->name;
        const char *value = json_member_text(map, name, NULL);

        if (value == NULL)
            return complain(problem, "it has no rule", name);
        if (rules_set(rules, span_of(name), span_of(value), problem) != 0)
            return -1;
    }
    return 0;
}

static int read_bot(const struct json_node *map, struct log_record_bot *bot, struct text *problem)
{
    long long asked = 0;

    bot->name = json_member_text(map, "name", "");
    bot->command = json_member_text(map, "command", "");
    bot->hash = json_member_text(map, "hash", "");
    bot->hello = json_member_text(map, "hello", "");
    bot->options = (struct bot_line_options){
        .has_table = json_member_number(map, "table", 0) == 1,
        .has_events = json_member_number(map, "events", 0) == 1,
        .has_legal = json_member_number(map, "legal", 0) == 1,
        .has_reuse = json_member_number(map, "reuse", 0) == 1,
    };
    bot->is_kept = json_member(map, "asked_before") != NULL;
    if (bot->is_kept && take_number(map, "asked_before", 0, ASKED_MAX, &asked, problem) != 0)
        return -1;
    bot->asked_before = (uint64_t)asked;
    return 0;
}

/* Names are shown on terminals, so nothing but visible text may come of them. */
static bool is_plain_name(const char *name, size_t most)
{
    return strlen(name) <= most && bot_line_is_plain(span_of(name));
}

static int read_bots(const struct json_node *record, struct log_record_header *header,
                     struct text *problem)
{
    const struct json_node *list = json_member(record, "bots");
    unsigned count = 0;

    if (list == NULL || list->kind != JSON_LIST)
        return complain(problem, "it has no", "bots");
    for (const struct json_node *bot = json_first(list); bot != NULL; bot = json_next(list, bot)) {
        if (count == header->seats)
            return complain(problem, "it has too many", "bots");
        if (read_bot(bot, &header->bots[count], problem) != 0)
            return -1;
        if (!is_plain_name(header->bots[count].name, 2 * BOT_LINE_NAME_MAX) ||
            !is_plain_name(header->bots[count].hello, BOT_LINE_NAME_MAX))
            return complain(problem, "a name is too long or not plain text in", "bots");
        count++;
    }
    return count == header->seats ? 0 : complain(problem, "it has too few", "bots");
}

static int read_branch(const struct json_node *record, struct log_record_header *header,
                       struct text *problem)
{
    const struct json_node *branch = json_member(record, "branch");
    long long at = 0;

    if (branch == NULL)
        return 0;
    header->branch_of = json_member_text(branch, "of", "");
    if (take_number(branch, "at", 0, 10000000, &at, problem) != 0)
        return -1;
    header->branch_at = (unsigned long)at;
    return 0;
}

/* The version of this format decides whether the rest can be read; those of the program and of the
 * autopilot are only noted. */
static int read_versions(const struct json_node *record, struct log_record_header *header,
                         struct text *problem)
{
    long long version = 0;
    long long protocol = 0;

    if (take_number(record, "allegra_log", 0, INT32_MAX, &version, problem) != 0)
        return -1;
    if (version != LOG_RECORD_VERSION) {
        text_printf(problem, "it is a log of version %lld, and this referee reads version %d",
                    version, LOG_RECORD_VERSION);
        return -1;
    }
    if (take_number(record, "protocol", 1, INT32_MAX, &protocol, problem) != 0)
        return -1;
    if (protocol > BOT_LINE_VERSION) {
        text_printf(problem,
                    "its bots spoke version %lld of the protocol, and this referee knows "
                    "version %d: use a newer referee",
                    protocol, BOT_LINE_VERSION);
        return -1;
    }
    header->referee = json_member_text(record, "referee", "");
    if (!is_plain_name(header->referee, VERSION_MAX) || strchr(header->referee, ' ') != NULL ||
        header->referee[0] == '\0')
        return complain(problem, "it has no valid", "referee");
    return 0;
}

static int read_numbers(const struct json_node *record, struct log_record_header *header,
                        struct text *problem)
{
    enum { SEATS, DEALER, START_MS, MOVE_MS, BANK_MS, CORES, AUTOPILOT, COUNT };
    static const struct {
        const char *name;
        long long least, most;
    } rows[COUNT] = {
        [SEATS] = {"seats", ALLEGRA_SEATS_MIN, ALLEGRA_SEATS_MAX},
        [DEALER] = {"dealer", 0, ALLEGRA_SEATS_MAX - 1},
        [START_MS] = {"start_ms", 0, TIME_MAX_MS},
        [MOVE_MS] = {"move_ms", 0, TIME_MAX_MS},
        [BANK_MS] = {"bank_ms", 0, TIME_MAX_MS},
        [CORES] = {"cores", 1, CORES_MAX},
        [AUTOPILOT] = {"autopilot", 1, INT32_MAX},
    };
    long long numbers[COUNT];

    for (unsigned i = 0; i < COUNT; i++) {
        if (take_number(record, rows[i].name, rows[i].least, rows[i].most, &numbers[i], problem) !=
            0)
            return -1;
    }
    if (numbers[DEALER] >= numbers[SEATS])
        return complain(problem, "it has no valid", "dealer");
    header->seats = (unsigned)numbers[SEATS];
    header->dealer = (unsigned)numbers[DEALER];
    header->start_ms = (long)numbers[START_MS];
    header->move_ms = (long)numbers[MOVE_MS];
    header->bank_ms = (long)numbers[BANK_MS];
    header->cores = (unsigned)numbers[CORES];
    header->autopilot = (unsigned)numbers[AUTOPILOT];
    return 0;
}

/* The name of the rules, if they have one. */
static int read_variant(const struct json_node *record, struct log_record_header *header,
                        struct text *problem)
{
    header->variant = json_member_text(record, "variant", "");
    if (json_member(record, "variant") != NULL &&
        !span_is_name(span_of(header->variant), RULES_VARIANT_NAME_MAX))
        return complain(problem, "it has no valid", "variant");
    return 0;
}

/* The machine, if it is said. */
static int read_machine(const struct json_node *record, struct log_record_header *header,
                        struct text *problem)
{
    header->machine = json_member_text(record, "machine", "");
    header->speed = (long)json_member_number(record, "speed", 0);
    header->reference = (long)json_member_number(record, "reference", 0);
    if (json_member(record, "machine") != NULL &&
        !span_is_name(span_of(header->machine), LOG_RECORD_MACHINE_MAX))
        return complain(problem, "it has no valid", "machine");
    if (header->speed < 0 || header->speed > LOG_RECORD_SPEED_MAX || header->reference < 0 ||
        header->reference > LOG_RECORD_SPEED_MAX)
        return complain(problem, "it has no valid", "speed");
    return 0;
}

int log_record_read_header(const struct json_node *record, struct log_record_header *header,
                           struct allegra_rules *rules, struct text *problem)
{
    memset(header, 0, sizeof *header);
    if (read_versions(record, header, problem) != 0 || read_rules(record, rules, problem) != 0 ||
        read_numbers(record, header, problem) != 0)
        return -1;
    header->rules = rules;
    header->commitment = json_member_text(record, "commitment", "");
    header->is_guessable = json_member_number(record, "guessable", 0) == 1;
    header->sandbox = json_member_text(record, "contain", "");
    header->keeps_bots = json_member_number(record, "keeps_bots", 0) == 1;
    header->enforced = json_member_text(record, "enforced", "");
    header->clock = json_member_text(record, "clock", "");
    header->may_ponder = json_member_number(record, "ponder", 0) == 1;
    if (rules_check(rules, header->seats, problem) != 0 ||
        read_variant(record, header, problem) != 0 || read_branch(record, header, problem) != 0 ||
        read_machine(record, header, problem) != 0)
        return -1;
    return read_bots(record, header, problem);
}

static int read_says(const struct json_node *map, struct log_record_answer *answer,
                     struct text *problem)
{
    const struct json_node *list = json_member(map, "say");

    if (list == NULL)
        return 0;
    for (const struct json_node *said = json_first(list); said != NULL;
         said = json_next(list, said)) {
        if (said->kind != JSON_TEXT || answer->say_count == BOT_LINE_SAYS_MAX ||
            said->length == 0 || said->length > BOT_LINE_SAY_MAX ||
            !bot_line_is_plain((struct span){said->text, said->length}))
            return complain(problem, "it has an invalid", "say");
        answer->says[answer->say_count++] = said->text;
    }
    return 0;
}

/* A time, which may be missing: then it is 0. */
static int read_time(const struct json_node *map, const char *name, int64_t *time_us,
                     struct text *problem)
{
    long long number = 0;

    if (json_member(map, name) != NULL &&
        take_number(map, name, 0, INT64_C(1000) * TIME_MAX_MS, &number, problem) != 0)
        return -1;
    *time_us = number;
    return 0;
}

static int read_measured(const struct json_node *map, struct log_record_time *time,
                         struct text *problem)
{
    time->is_measured = json_member(map, "wall_us") != NULL;
    if (read_time(map, "pondered_us", &time->pondered_us, problem) != 0 ||
        read_time(map, "wall_us", &time->wall_us, problem) != 0 ||
        read_time(map, "cpu_us", &time->cpu_us, problem) != 0 ||
        read_time(map, "wait_us", &time->wait_us, problem) != 0 ||
        read_time(map, "away_us", &time->away_us, problem) != 0)
        return -1;
    return read_time(map, "stolen_us", &time->stolen_us, problem);
}

/* What an answer has in either form: the other fields of `map`. */
static int read_rest(const struct json_node *map, struct log_record_answer *answer,
                     struct text *problem)
{
    const char *by = json_member_text(map, "by", NULL);

    answer->is_autopilot = by != NULL && strcmp(by, "autopilot") == 0;
    answer->is_given = by != NULL && strcmp(by, "log") == 0;
    return read_measured(map, &answer->time, problem) == 0 ? read_says(map, answer, problem) : -1;
}

static int read_answer_text(const char *words, long long seat, long long us,
                            struct log_record_answer *answer, struct text *problem)
{
    memset(answer, 0, sizeof *answer);
    if (seat < 0 || seat >= ALLEGRA_SEATS_MAX)
        return complain(problem, "it has no valid", "seat");
    if (us < 0 || us > INT64_C(1000) * TIME_MAX_MS)
        return complain(problem, "it has no valid", "us");
    if (words == NULL || answer_read(span_of(words), &answer->answer) != 0)
        return complain(problem, "it has no valid", "do");
    answer->seat = (unsigned)seat;
    answer->time.charged_us = us;
    return 0;
}

static int read_bid(const struct json_node *list, struct log_record_answer *answer,
                    struct text *problem)
{
    const struct json_node *seat = list->kind == JSON_LIST ? json_first(list) : NULL;
    const struct json_node *words = seat != NULL ? json_next(list, seat) : NULL;
    const struct json_node *us = words != NULL ? json_next(list, words) : NULL;
    const struct json_node *rest = us != NULL ? json_next(list, us) : NULL;

    if (us == NULL || seat->kind != JSON_NUMBER || us->kind != JSON_NUMBER)
        return complain(problem, "it has an invalid", "bids");
    if (read_answer_text(words->text, seat->number, us->number, answer, problem) != 0)
        return -1;
    return rest != NULL ? read_rest(rest, answer, problem) : 0;
}

static int read_bids(const struct json_node *bids,
                     struct log_record_answer answers[ALLEGRA_SEATS_MAX], unsigned *count,
                     struct text *problem)
{
    *count = 0;
    if (bids->kind != JSON_LIST)
        return complain(problem, "it has an invalid", "bids");
    for (const struct json_node *bid = json_first(bids); bid != NULL; bid = json_next(bids, bid)) {
        if (*count == ALLEGRA_SEATS_MAX)
            return complain(problem, "there are too many", "bids");
        if (read_bid(bid, &answers[(*count)++], problem) != 0)
            return -1;
    }
    return 0;
}

int log_record_read_decision(const struct json_node *record,
                             struct log_record_answer answers[ALLEGRA_SEATS_MAX], unsigned *count,
                             struct text *problem)
{
    const struct json_node *bids = json_member(record, "bids");

    if (bids != NULL)
        return read_bids(bids, answers, count, problem);
    *count = 1;
    if (read_answer_text(json_member_text(record, "do", NULL),
                         json_member_number(record, "seat", -1),
                         json_member_number(record, "us", -1), &answers[0], problem) != 0)
        return -1;
    return read_rest(record, &answers[0], problem);
}

int log_record_read_fault(const struct json_node *record, struct log_record_fault *fault,
                          struct text *problem)
{
    long long seat = 0;
    const char *asked = json_member_text(record, "ask", "");

    memset(fault, 0, sizeof *fault);
    if (take_number(record, "seat", 0, ALLEGRA_SEATS_MAX - 1, &seat, problem) != 0)
        return -1;
    fault->seat = (unsigned)seat;
    fault->is_hello = strcmp(asked, "hello") == 0;
    if (!fault->is_hello && question_read(span_of(asked), &fault->question) != 0)
        return complain(problem, "it has no valid", "ask");
    fault->code = json_member_text(record, "fault", "");
    fault->line = json_member_text(record, "line", "");
    fault->message = json_member_text(record, "message", "");
    fault->ending = json_member_text(record, "ending", "");
    fault->stderr_tail = json_member_text(record, "stderr", "");
    if (read_time(record, "us", &fault->time.charged_us, problem) != 0)
        return -1;
    return read_measured(record, &fault->time, problem);
}
