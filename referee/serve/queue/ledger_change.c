/* What becomes of bots and jobs later, by the will of their users or an organiser: bots that are
 * disqualified, reinstated or removed, matches that are played again, and logs that are deleted.
 * Each change is applied by one function, when it is made and when its record is read. Records say
 * who wanted it and when: nothing else in the daemon asks for that, but people do. */

#include "base/memory.h"
#include "serve/queue/ledger_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define USER_MAX 64
#define WHY_MAX 400
#define TIME_MAX 100000000000LL
#define REPLAYS_MAX 1000000
#define BYTES_MAX (INT64_C(1) << 50)

/* Bots. */

enum mark { DISQUALIFIED, REINSTATED, REMOVED };

static const char *const keys[] = {
    [DISQUALIFIED] = "disqualify", [REINSTATED] = "reinstate", [REMOVED] = "remove"};

static void mark_bot(struct ledger_bot *bot, enum mark mark, const char *why)
{
    if (mark == REMOVED) {
        bot->is_removed = true;
        bot->bytes = bot->build_bytes = 0;
        return;
    }
    bot->was_disqualified = true;
    free(bot->why);
    bot->why = mark == DISQUALIFIED ? xstrdup(why) : NULL;
    bot->is_disqualified = mark == DISQUALIFIED;
}

static void mark_all(struct ledger *ledger, const char *name, enum mark mark, const char *why)
{
    for (unsigned i = 0; i < ledger->bot_count; i++) {
        if (strcmp(ledger->bots[i].name, name) == 0)
            mark_bot(&ledger->bots[i], mark, why);
    }
}

/* A change of a bot, as its record has it. */
struct change {
    enum mark mark;
    const char *name, *by, *why;
    int64_t at_s;
};

static bool record_change(struct ledger *ledger, const struct change *change)
{
    ledger_record_start(ledger);
    json_put_text(ledger->writer, keys[change->mark], change->name);
    json_put_text(ledger->writer, "by", change->by);
    json_put_number(ledger->writer, "at_s", change->at_s);
    if (change->mark == DISQUALIFIED)
        json_put_text(ledger->writer, "why", change->why);
    return ledger_record_finish(ledger);
}

static int change_bot(struct ledger *ledger, const char *name, enum mark mark, const char *by,
                      const char *why)
{
    size_t before = journal_mark(ledger->journal);

    (void)record_change(ledger, &(struct change){mark, name, by, why, time(NULL)});
    if (ledger_write_since(ledger, before) != 0)
        return -1;
    mark_all(ledger, name, mark, why);
    return 0;
}

int ledger_disqualify_bot(struct ledger *ledger, const char *name, const char *by, const char *why)
{
    return change_bot(ledger, name, DISQUALIFIED, by, why);
}

int ledger_reinstate_bot(struct ledger *ledger, const char *name, const char *by)
{
    return change_bot(ledger, name, REINSTATED, by, "");
}

int ledger_remove_bot(struct ledger *ledger, const char *name, const char *by)
{
    return change_bot(ledger, name, REMOVED, by, "");
}

static int take_mark(struct ledger *ledger, const struct json_node *record, enum mark mark,
                     struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    struct change change = {
        .mark = mark,
        .name = ledger_take_name(&reader, keys[mark], CONFIG_NAME_MAX),
        .by = ledger_take_name(&reader, "by", USER_MAX),
        .why = mark == DISQUALIFIED ? json_record_line(&reader, "why", WHY_MAX) : "",
        .at_s = json_record_number(&reader, "at_s", 0, TIME_MAX),
    };
    int place = ledger_find_bot(ledger, change.name);

    if (!reader.is_refused && (place < 0 || strcmp(ledger->bots[place].name, change.name) != 0))
        (void)json_record_refuse_member(&reader, keys[mark]);
    if (reader.is_refused || ledger_settle_record(&reader, record_change(ledger, &change)) != 0)
        return -1;
    mark_all(ledger, change.name, mark, change.why);
    return 0;
}

int ledger_take_disqualify(struct ledger *ledger, const struct json_node *record,
                           struct text *problem)
{
    return take_mark(ledger, record, DISQUALIFIED, problem);
}

int ledger_take_reinstate(struct ledger *ledger, const struct json_node *record,
                          struct text *problem)
{
    return take_mark(ledger, record, REINSTATED, problem);
}

int ledger_take_remove(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    return take_mark(ledger, record, REMOVED, problem);
}

/* Replays. */

/* The figures of a version that takes the place of another do not have this job yet. */
static void apply_replay(struct ledger *ledger, struct job *job, unsigned player, unsigned place)
{
    struct job_bot *bot = &job->bots[player];

    bot->replays++;
    if (place != LEDGER_NO_BOT && place != bot->place) {
        if (bot->name == NULL)
            bot->name = xstrdup(ledger->bots[bot->place].name);
        bot->place = place;
        bot->is_counted = false;
    }
    if (job_is_over(job->state))
        ledger_reopen_job(ledger, job);
}

/* A replay, as its record has it. */
struct replay {
    unsigned number, player, place;
    const char *by;
    int64_t at_s;
};

static bool record_replay(struct ledger *ledger, const struct replay *replay)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "replay", replay->number);
    json_put_number(ledger->writer, "player", replay->player);
    if (replay->place != LEDGER_NO_BOT)
        json_put_number(ledger->writer, "version", replay->place);
    json_put_text(ledger->writer, "by", replay->by);
    json_put_number(ledger->writer, "at_s", replay->at_s);
    return ledger_record_finish(ledger);
}

int ledger_replay_job(struct ledger *ledger, unsigned number, unsigned player, unsigned place,
                      const char *by)
{
    struct job *job = ledger->jobs[number - 1];
    size_t mark = journal_mark(ledger->journal);

    if (job->bots[player].replays >= REPLAYS_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    (void)record_replay(ledger, &(struct replay){number, player, place, by, time(NULL)});
    if (ledger_write_since(ledger, mark) != 0)
        return -1;
    apply_replay(ledger, job, player, place);
    return 0;
}

int ledger_take_replay(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long number = json_record_number(&reader, "replay", 1, ledger->job_count);
    struct job *job = reader.is_refused ? NULL : ledger->jobs[number - 1];
    long long last = job != NULL ? job->bot_count - 1LL : 0;
    struct replay replay = {
        .number = (unsigned)number,
        .player = (unsigned)json_record_number(&reader, "player", 0, last),
        .place = LEDGER_NO_BOT,
        .by = ledger_take_name(&reader, "by", USER_MAX),
        .at_s = json_record_number(&reader, "at_s", 0, TIME_MAX),
    };

    if (json_record_has(&reader, "version"))
        replay.place =
            (unsigned)json_record_number(&reader, "version", 0, (long long)ledger->bot_count - 1);
    if (!reader.is_refused && job->bots[replay.player].replays >= REPLAYS_MAX)
        (void)json_record_refuse_member(&reader, "replay");
    if (reader.is_refused || ledger_settle_record(&reader, record_replay(ledger, &replay)) != 0)
        return -1;
    apply_replay(ledger, job, replay.player, replay.place);
    return 0;
}

/* Logs that are deleted to save space. One record says so before the first of them is gone, another
 * how much is left afterwards: if the daemon dies in between, it deletes the rest when it is
 * started again, and only then it counts. */

static const char *const rule_keys[] = {[PRUNING_DAYS] = "days", [PRUNING_BEST] = "best"};

/* The beginning, as its record has it. */
struct beginning {
    unsigned number;
    struct job_pruning pruning;
    const char *by;
    int64_t at_s;
};

static bool record_prune(struct ledger *ledger, const struct beginning *beginning)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "prune", beginning->number);
    json_put_number(ledger->writer, rule_keys[beginning->pruning.rule], beginning->pruning.number);
    json_put_text(ledger->writer, "by", beginning->by);
    json_put_number(ledger->writer, "at_s", beginning->at_s);
    return ledger_record_finish(ledger);
}

static bool record_pruned(struct ledger *ledger, unsigned number, int64_t bytes)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "pruned", number);
    json_put_number(ledger->writer, "bytes", bytes);
    return ledger_record_finish(ledger);
}

static void apply_prune(struct ledger *ledger, const struct beginning *beginning)
{
    ledger->jobs[beginning->number - 1]->pruning = beginning->pruning;
    ledger->prunings++;
}

static void apply_pruned(struct ledger *ledger, struct job *job, int64_t bytes)
{
    job->bytes = bytes;
    job->pruning = (struct job_pruning){PRUNING_NONE, 0};
    ledger->prunings--;
}

unsigned ledger_next_pruning(const struct ledger *ledger)
{
    for (unsigned i = 0; i < ledger->job_count && ledger->prunings > 0; i++) {
        if (ledger->jobs[i]->pruning.rule != PRUNING_NONE)
            return i + 1;
    }
    return 0;
}

int ledger_begin_pruning(struct ledger *ledger, unsigned number, const struct job_pruning *pruning,
                         const char *by)
{
    struct beginning beginning = {number, *pruning, by, time(NULL)};
    size_t mark = journal_mark(ledger->journal);

    (void)record_prune(ledger, &beginning);
    if (ledger_write_since(ledger, mark) != 0)
        return -1;
    apply_prune(ledger, &beginning);
    return 0;
}

void ledger_end_pruning(struct ledger *ledger, unsigned number, int64_t store_bytes)
{
    struct job *job = ledger->jobs[number - 1];

    apply_pruned(ledger, job, job->config_bytes + store_bytes);
    (void)record_pruned(ledger, number, job->bytes);
}

int ledger_take_prune(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    struct beginning beginning = {
        .number = (unsigned)json_record_number(&reader, "prune", 1, ledger->job_count),
        .by = ledger_take_name(&reader, "by", USER_MAX),
        .at_s = json_record_number(&reader, "at_s", 0, TIME_MAX),
    };
    struct job *job = reader.is_refused ? NULL : ledger->jobs[beginning.number - 1];
    struct job_pruning *pruning = &beginning.pruning;

    pruning->rule = json_record_has(&reader, "days") ? PRUNING_DAYS : PRUNING_BEST;
    pruning->number =
        (unsigned)json_record_number(&reader, rule_keys[pruning->rule], 0, LEDGER_PRUNING_MAX);
    /* Of a job that was cancelled no other record says that it is over. */
    if (job != NULL &&
        ((!job_is_over(job->state) && !job->is_cancelled) || job->pruning.rule != PRUNING_NONE))
        (void)json_record_refuse(&reader, "a job is pruned that is not over, or twice at once");
    if (reader.is_refused || ledger_settle_record(&reader, record_prune(ledger, &beginning)) != 0)
        return -1;
    apply_prune(ledger, &beginning);
    return 0;
}

int ledger_take_pruned(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long number = json_record_number(&reader, "pruned", 1, ledger->job_count);
    int64_t bytes = json_record_number(&reader, "bytes", 0, BYTES_MAX);
    struct job *job = reader.is_refused ? NULL : ledger->jobs[number - 1];

    if (job != NULL && job->pruning.rule == PRUNING_NONE)
        (void)json_record_refuse(&reader, "a job was pruned, and nobody has asked for that");
    if (reader.is_refused ||
        ledger_settle_record(&reader, record_pruned(ledger, (unsigned)number, bytes)) != 0)
        return -1;
    apply_pruned(ledger, job, bytes);
    return 0;
}
