/* Bots, jobs and ends as records, written and read. Faults are recorded by name, not by number;
 * missing values are left out. */

#include "base/memory.h"
#include "bot/bot.h"
#include "serve/queue/ledger_private.h"
#include "wire/json_record.h"

#include <stdlib.h>
#include <string.h>

#define LEDGER_VERSION 1

/* Far more than the daemon writes. */
#define USER_MAX 64
#define TITLE_MAX 400
#define TEXT_MAX 1048576
#define CONFIG_TEXT_MAX (16 * CONFIG_FILE_MAX)
#define MEMORY_MAX 1000000000
#define SOURCE_LENGTH 64
#define TIME_MAX 100000000000LL
#define BYTES_MAX (INT64_C(1) << 50)

_Static_assert(BOT_OUTCOME_COUNT <= LEDGER_FAULTS, "a fault has no room in the ledger");

/* Writing. */

void ledger_record_start(struct ledger *ledger)
{
    json_writer_clear(ledger->writer);
    json_open_map(ledger->writer);
}

bool ledger_record_finish(struct ledger *ledger)
{
    size_t length;
    const char *bytes;

    json_close_map(ledger->writer);
    bytes = json_writer_bytes(ledger->writer, &length);
    if (ledger->reading.start != NULL)
        return journal_has_bytes(bytes, length, ledger->reading);
    journal_add(ledger->journal, bytes, length);
    return true;
}

static void put_text(struct ledger *ledger, const char *key, const char *text)
{
    if (text != NULL)
        json_put_text(ledger->writer, key, text);
}

bool ledger_record_begin(struct ledger *ledger)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "ledger", LEDGER_VERSION);
    return ledger_record_finish(ledger);
}

bool ledger_record_bot(struct ledger *ledger, const struct ledger_bot *bot)
{
    ledger_record_start(ledger);
    put_text(ledger, "bot", bot->name);
    put_text(ledger, "user", bot->user);
    put_text(ledger, "command", bot->command);
    put_text(ledger, "build", bot->build);
    put_text(ledger, "folder", bot->folder);
    json_put_number(ledger->writer, "memory_mb", bot->memory_mb);
    json_put_number(ledger->writer, "is_upload", bot->is_upload);
    json_put_number(ledger->writer, "bytes", bot->bytes);
    json_put_number(ledger->writer, "submitted_s", bot->submitted_s);
    return ledger_record_finish(ledger);
}

static void put_result(struct ledger *ledger, const enum trial_result *results,
                       enum trial_step step)
{
    put_text(ledger, trial_step_name(step), trial_result_name(results[step]));
}

bool ledger_record_trial(struct ledger *ledger, unsigned place, const struct ledger_bot *tried)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "trial", place);
    put_result(ledger, tried->trial, TRIAL_BUILD);
    put_result(ledger, tried->trial, TRIAL_HELLO);
    put_text(ledger, "source", tried->source_hash);
    if (tried->source_hash != NULL)
        json_put_number(ledger->writer, "build_bytes", tried->build_bytes);
    return ledger_record_finish(ledger);
}

bool ledger_record_check(struct ledger *ledger, unsigned place, const enum trial_result *results)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "checked", place);
    put_result(ledger, results, TRIAL_CHECK);
    return ledger_record_finish(ledger);
}

/* It is found by its number, which is first (LEDGER_JOB_START). */
bool ledger_record_job(struct ledger *ledger, const struct job *job)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "job", job->number);
    put_text(ledger, "user", job->user);
    put_text(ledger, "title", job->title);
    json_put_number(ledger->writer, "is_match", job->is_match);
    json_put_number(ledger->writer, "is_official", job->is_official);
    json_put_number(ledger->writer, "matches", (long long)job->matches);
    json_put_number(ledger->writer, "submitted_s", job->submitted_s);
    put_text(ledger, "config", job->config);
    json_key(ledger->writer, "bots");
    json_open_list(ledger->writer);
    for (unsigned i = 0; i < job->bot_count; i++) {
        json_open_map(ledger->writer);
        put_text(ledger, "name", job->bots[i].name);
        if (job->bots[i].place != LEDGER_NO_BOT)
            json_put_number(ledger->writer, "bot", job->bots[i].place);
        json_close_map(ledger->writer);
    }
    json_close_list(ledger->writer);
    return ledger_record_finish(ledger);
}

static void put_score(struct ledger *ledger, const struct ledger_score *score)
{
    json_open_map(ledger->writer);
    json_put_number(ledger->writer, "matches", (long long)score->matches);
    json_put_number(ledger->writer, "wins", (long long)score->wins);
    json_put_number(ledger->writer, "median_us", score->median_us);
    json_put_number(ledger->writer, "p99_us", score->p99_us);
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++) {
        if (score->faults[i] > 0)
            json_put_number(ledger->writer, bot_outcome_name((enum bot_outcome)i),
                            (long long)score->faults[i]);
    }
    json_close_map(ledger->writer);
}

static void put_progress(struct ledger *ledger, const struct job *job, int64_t ended_s)
{
    json_put_number(ledger->writer, "decided", (long long)job->decided);
    json_put_number(ledger->writer, "matches", (long long)job->matches);
    json_put_number(ledger->writer, "bytes", job->bytes);
    json_put_number(ledger->writer, "ended_s", ended_s);
}

bool ledger_record_cancel(struct ledger *ledger, const struct job *job, int64_t cancelled_s)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "cancel", job->number);
    put_progress(ledger, job, cancelled_s);
    return ledger_record_finish(ledger);
}

bool ledger_record_resume(struct ledger *ledger, const struct job *job)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "resume", job->number);
    return ledger_record_finish(ledger);
}

bool ledger_record_end(struct ledger *ledger, const struct job *job, const struct job_end *end)
{
    ledger_record_start(ledger);
    json_put_number(ledger->writer, "end", job->number);
    put_text(ledger, "state", job_state_name(end->state));
    put_text(ledger, "message", end->message);
    if (end->is_final)
        json_put_number(ledger->writer, "is_final", 1);
    put_progress(ledger, job, job->ended_s);
    if (end->scores != NULL) {
        json_key(ledger->writer, "scores");
        json_open_list(ledger->writer);
        for (unsigned i = 0; i < job->bot_count; i++)
            put_score(ledger, &end->scores[i]);
        json_close_list(ledger->writer);
    }
    return ledger_record_finish(ledger);
}

/* Reading. Anybody can make a checksum right, so each member is taken with its kind and range, and
 * names, which become folders, only as users may choose them. Then the record is written again: if
 * other bytes come out, the daemon has not written it. */

int ledger_settle_record(struct json_record *reader, bool is_same)
{
    if (!reader->is_refused && !is_same)
        (void)json_record_refuse(reader, "it is not written as the daemon writes it");
    return reader->is_refused ? -1 : 0;
}

const char *ledger_take_name(struct json_record *reader, const char *key, size_t most)
{
    const char *name = json_record_text(reader, key, most);

    if (!span_is_name(span_of(name), most))
        (void)json_record_refuse_member(reader, key);
    return name;
}

/* The user of a job: a person, or a ladder. */
static const char *take_job_user(struct json_record *reader)
{
    const char *user = json_record_text(reader, "user", USER_MAX);
    size_t skipped =
        strncmp(user, LEDGER_LADDER, strlen(LEDGER_LADDER)) == 0 ? strlen(LEDGER_LADDER) : 0;

    if (!span_is_name(span_of(user + skipped), USER_MAX))
        (void)json_record_refuse_member(reader, "user");
    return user;
}

static bool take_bit(struct json_record *reader, const char *key)
{
    return json_record_number(reader, key, 0, 1) == 1;
}

/* The next version of a bot has its name to the letter, because both are in one folder. */
static void check_spelling(const struct ledger *ledger, struct json_record *reader,
                           const char *name)
{
    int before = ledger_find_bot(ledger, name);

    if (before >= 0 && strcmp(ledger->bots[before].name, name) != 0)
        (void)json_record_refuse(reader, "a bot has the name of another in other letters");
}

static int take_bot(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    const char *name = ledger_take_name(&reader, "bot", CONFIG_NAME_MAX);
    struct ledger_bot bot = {
        .user = (char *)ledger_take_name(&reader, "user", USER_MAX),
        .command = (char *)json_record_optional_text(&reader, "command", TEXT_MAX),
        .build = (char *)json_record_optional_text(&reader, "build", TEXT_MAX),
        .folder = (char *)json_record_optional_text(&reader, "folder", TEXT_MAX),
        .memory_mb = (long)json_record_number(&reader, "memory_mb", 0, MEMORY_MAX),
        .is_upload = take_bit(&reader, "is_upload"),
        .bytes = json_record_number(&reader, "bytes", 0, BYTES_MAX),
        .submitted_s = json_record_number(&reader, "submitted_s", 0, TIME_MAX),
    };

    if (bot.is_upload && bot.folder == NULL)
        (void)json_record_refuse_member(&reader, "folder");
    check_spelling(ledger, &reader, name);
    if (reader.is_refused)
        return -1;
    memcpy(bot.name, name, strlen(name));
    if (ledger_settle_record(&reader, ledger_record_bot(ledger, &bot)) != 0)
        return -1;
    ledger_insert_bot(ledger, &bot);
    return 0;
}

static enum trial_result take_result(struct json_record *reader, enum trial_step step)
{
    const char *name = json_record_text(reader, trial_step_name(step), TITLE_MAX);

    for (unsigned i = TRIAL_WAITING + 1; i < TRIAL_RESULT_COUNT; i++) {
        if (strcmp(trial_result_name((enum trial_result)i), name) == 0)
            return (enum trial_result)i;
    }
    (void)json_record_refuse_member(reader, trial_step_name(step));
    return TRIAL_UNKNOWN;
}

/* It becomes the name of a folder. */
static const char *take_source(struct json_record *reader)
{
    const char *hash = json_record_optional_text(reader, "source", SOURCE_LENGTH);

    if (hash != NULL &&
        (strlen(hash) != SOURCE_LENGTH || strspn(hash, "0123456789abcdef") != SOURCE_LENGTH))
        (void)json_record_refuse_member(reader, "source");
    return hash;
}

static int take_trial(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long place = json_record_number(&reader, "trial", 0, (long long)ledger->bot_count - 1);
    struct ledger_bot tried = {
        .trial = {[TRIAL_BUILD] = take_result(&reader, TRIAL_BUILD),
                  [TRIAL_HELLO] = take_result(&reader, TRIAL_HELLO)},
        .source_hash = (char *)take_source(&reader),
    };

    if (tried.source_hash != NULL)
        tried.build_bytes = json_record_number(&reader, "build_bytes", 0, BYTES_MAX);
    if (!reader.is_refused && trial_is_over(&ledger->bots[place]))
        (void)json_record_refuse(&reader, "a bot is tried twice, or is remote");
    if (!reader.is_refused && tried.source_hash != NULL && ledger->bots[place].build == NULL)
        (void)json_record_refuse_member(&reader, "source");
    if (reader.is_refused ||
        ledger_settle_record(&reader, ledger_record_trial(ledger, (unsigned)place, &tried)) != 0)
        return -1;
    ledger_set_trial(&ledger->bots[place], tried.trial[TRIAL_BUILD], tried.trial[TRIAL_HELLO]);
    if (tried.source_hash != NULL)
        ledger_set_source(ledger, (unsigned)place, tried.source_hash);
    ledger_set_build_bytes(ledger, (unsigned)place, tried.build_bytes);
    return 0;
}

static int take_check(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long place = json_record_number(&reader, "checked", 0, (long long)ledger->bot_count - 1);
    const enum trial_result results[TRIAL_STEP_COUNT] = {
        [TRIAL_CHECK] = take_result(&reader, TRIAL_CHECK),
    };

    if (!reader.is_refused && (!trial_is_over(&ledger->bots[place]) ||
                               ledger->bots[place].trial[TRIAL_CHECK] != TRIAL_WAITING))
        (void)json_record_refuse(&reader, "a bot is checked twice, or did not say hello");
    if (reader.is_refused ||
        ledger_settle_record(&reader, ledger_record_check(ledger, (unsigned)place, results)) != 0)
        return -1;
    ledger->bots[place].trial[TRIAL_CHECK] = results[TRIAL_CHECK];
    return 0;
}

/* One bot of a job: a version that the ledger has, or one that only this job names. */
static struct job_bot take_job_bot(const struct ledger *ledger, const struct json_node *node,
                                   struct json_record *job)
{
    struct json_record reader = json_record_start(node, job->problem);
    struct job_bot bot = {.place = LEDGER_NO_BOT};

    reader.is_refused = reader.is_refused || job->is_refused;
    if (json_record_has(&reader, "bot"))
        bot.place =
            (unsigned)json_record_number(&reader, "bot", 0, (long long)ledger->bot_count - 1);
    if (bot.place == LEDGER_NO_BOT || json_record_has(&reader, "name"))
        bot.name = (char *)ledger_take_name(&reader, "name", CONFIG_NAME_MAX);
    job->is_refused = reader.is_refused;
    return bot;
}

/* Fills in the bots of a job; names are lent. Free the list. */
static void take_job_bots(const struct ledger *ledger, struct json_record *reader, struct job *job)
{
    const struct json_node *list = json_record_list(reader, "bots", CONFIG_BOTS_MAX);

    job->bots = xcalloc(json_count(list) + 1U, sizeof *job->bots);
    for (const struct json_node *node = json_first(list); node != NULL && !reader->is_refused;
         node = json_next(list, node))
        job->bots[job->bot_count++] = take_job_bot(ledger, node, reader);
}

static int take_job(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    struct job job = {
        .number = ledger->job_count + 1,
        .user = (char *)take_job_user(&reader),
        .title = (char *)json_record_line(&reader, "title", TITLE_MAX),
        .is_match = take_bit(&reader, "is_match"),
        .is_official = take_bit(&reader, "is_official"),
        .matches = (unsigned long)json_record_number(&reader, "matches", 0, LLONG_MAX),
        .submitted_s = json_record_number(&reader, "submitted_s", 0, TIME_MAX),
        .config = (char *)json_record_text(&reader, "config", CONFIG_TEXT_MAX),
    };

    (void)json_record_number(&reader, "job", ledger->job_count + 1LL, ledger->job_count + 1LL);
    take_job_bots(ledger, &reader, &job);
    if (!reader.is_refused && ledger_settle_record(&reader, ledger_record_job(ledger, &job)) == 0)
        ledger_insert_job(ledger, &job);
    free(job.bots);
    return reader.is_refused ? -1 : 0;
}

static struct ledger_score take_score(const struct json_node *node, struct json_record *end)
{
    struct json_record reader = json_record_start(node, end->problem);
    struct ledger_score score = {
        .matches = (unsigned long)json_record_number(&reader, "matches", 0, LLONG_MAX),
        .wins = (unsigned long)json_record_number(&reader, "wins", 0, LLONG_MAX),
        .median_us = json_record_number(&reader, "median_us", 0, LLONG_MAX),
        .p99_us = json_record_number(&reader, "p99_us", 0, LLONG_MAX),
    };

    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++) {
        const char *name = bot_outcome_name((enum bot_outcome)i);

        if (json_record_has(&reader, name))
            score.faults[i] = (unsigned long)json_record_number(&reader, name, 0, LLONG_MAX);
    }
    end->is_refused = end->is_refused || reader.is_refused;
    return score;
}

/* The scores by the bots of the job; NULL if there are none. Free them. */
static struct ledger_score *take_scores(struct json_record *reader, unsigned bots)
{
    const struct json_node *list;
    struct ledger_score *scores;
    unsigned count = 0;

    if (reader->is_refused || !json_record_has(reader, "scores"))
        return NULL;
    scores = xcalloc(bots + 1U, sizeof *scores);
    list = json_record_list(reader, "scores", bots);
    for (const struct json_node *node = json_first(list); node != NULL && !reader->is_refused;
         node = json_next(list, node))
        scores[count++] = take_score(node, reader);
    if (count != bots)
        (void)json_record_refuse_member(reader, "scores");
    return scores;
}

static enum job_state take_state(struct json_record *reader)
{
    const char *name = json_record_text(reader, "state", TITLE_MAX);

    for (unsigned i = 0; i < JOB_STATE_COUNT; i++) {
        if (job_is_over((enum job_state)i) && strcmp(job_state_name((enum job_state)i), name) == 0)
            return (enum job_state)i;
    }
    (void)json_record_refuse_member(reader, "state");
    return JOB_FAILED;
}

/* How far a job has come. */
struct progress {
    unsigned long decided;
    unsigned long matches;
    int64_t bytes;
    int64_t ended_s;
};

static struct progress take_progress(struct json_record *reader)
{
    return (struct progress){
        .decided = (unsigned long)json_record_number(reader, "decided", 0, LLONG_MAX),
        .matches = (unsigned long)json_record_number(reader, "matches", 0, LLONG_MAX),
        .bytes = json_record_number(reader, "bytes", 0, BYTES_MAX),
        .ended_s = json_record_number(reader, "ended_s", 0, TIME_MAX),
    };
}

static void set_progress(struct job *job, const struct progress *progress)
{
    job->decided = progress->decided;
    job->matches = progress->matches;
    job->bytes = progress->bytes;
    job->ended_s = progress->ended_s;
}

/* The open job of a record, or NULL if the record is refused. */
static struct job *take_open_job(const struct ledger *ledger, struct json_record *reader,
                                 const char *key, const char *problem)
{
    long long number = json_record_number(reader, key, 1, ledger->job_count);
    struct job *job = reader->is_refused ? NULL : ledger->jobs[number - 1];

    if (job == NULL || !job_is_over(job->state))
        return job;
    (void)json_record_refuse(reader, problem);
    return NULL;
}

static int take_end(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    struct job *job = take_open_job(ledger, &reader, "end", "a job ends that is not open");
    struct ledger_score *scores = take_scores(&reader, job != NULL ? job->bot_count : 0);
    struct job_end end = {
        .state = take_state(&reader),
        .message = json_record_text(&reader, "message", TEXT_MAX),
        .scores = scores,
        .is_final = json_record_has(&reader, "is_final") && take_bit(&reader, "is_final"),
    };
    struct progress progress = take_progress(&reader);
    struct job ended = job != NULL ? *job : (struct job){0};

    set_progress(&ended, &progress);
    if (!reader.is_refused &&
        ledger_settle_record(&reader, ledger_record_end(ledger, &ended, &end)) == 0) {
        set_progress(job, &progress);
        ledger_close_job(ledger, job, &end);
    }
    free(scores);
    return reader.is_refused ? -1 : 0;
}

static int take_begin(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long version = json_record_number(&reader, "ledger", 0, INT32_MAX);

    if (!reader.is_refused && version != LEDGER_VERSION)
        return json_record_refuse(&reader, "a ledger of an unknown version: written by a newer "
                                           "referee?");
    if (ledger->bot_count > 0 || ledger->job_count > 0)
        return json_record_refuse(&reader, "a ledger begins only once");
    return reader.is_refused ? -1 : ledger_settle_record(&reader, ledger_record_begin(ledger));
}

/* If it was being played it ends later, or when all records are read. */
static int take_cancel(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    struct job *job =
        take_open_job(ledger, &reader, "cancel", "a job is cancelled that is not open");
    struct progress progress = take_progress(&reader);
    struct job cancelled = job != NULL ? *job : (struct job){0};

    set_progress(&cancelled, &progress);
    if (reader.is_refused ||
        ledger_settle_record(&reader, ledger_record_cancel(ledger, &cancelled, progress.ended_s)) !=
            0)
        return -1;
    job->is_cancelled = true;
    set_progress(job, &progress);
    return 0;
}

static int take_resume(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long number = json_record_number(&reader, "resume", 1, ledger->job_count);

    if (!reader.is_refused && !job_can_resume(ledger->jobs[number - 1]))
        (void)json_record_refuse(&reader, "a job is resumed that is not paused and has not failed");
    if (reader.is_refused ||
        ledger_settle_record(&reader, ledger_record_resume(ledger, ledger->jobs[number - 1])) != 0)
        return -1;
    ledger_reopen_job(ledger, ledger->jobs[number - 1]);
    return 0;
}

/* A record has one of these members. The bots of a job are in a list of their own. */
static const struct {
    const char *key;
    ledger_take_fn *take;
} kinds[] = {
    {"disqualify", ledger_take_disqualify},
    {"reinstate", ledger_take_reinstate},
    {"remove", ledger_take_remove},
    {"replay", ledger_take_replay},
    {"prune", ledger_take_prune},
    {"pruned", ledger_take_pruned},
    {"job", take_job},
    {"end", take_end},
    {"bot", take_bot},
    {"cancel", take_cancel},
    {"resume", take_resume},
    {"ledger", take_begin},
    {"trial", take_trial},
    {"checked", take_check},
};

static int take_record(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (json_member(record, kinds[i].key) != NULL)
            return kinds[i].take(ledger, record, problem);
    }
    text_add(problem, "a record of an unknown kind: written by a newer referee?");
    return -1;
}

int ledger_take_record(void *context, const struct json_node *record, struct span bytes,
                       struct text *problem)
{
    struct ledger *ledger = context;
    int result;

    ledger->reading = bytes;
    result = take_record(ledger, record, problem);
    ledger->reading = (struct span){NULL, 0};
    return result;
}
