/* Two lists, of bots and of jobs, with the contents of the journal. An addition is in the lists at
 * once, and in the journal, to be written with ledger_write().
 *
 * Jobs are never removed, so a job that is over keeps only what lists and pages show. Its
 * configuration, the largest part, is read from the file again if the job is resumed. */

#include "serve/queue/ledger.h"

#include "base/memory.h"
#include "serve/queue/ledger_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char *const state_names[JOB_STATE_COUNT] = {
    [JOB_QUEUED] = "queued", [JOB_PLAYING] = "playing", [JOB_DONE] = "done",
    [JOB_PAUSED] = "paused", [JOB_FAILED] = "failed",   [JOB_CANCELLED] = "cancelled",
};

static const char *const result_names[TRIAL_RESULT_COUNT] = {
    [TRIAL_WAITING] = "waiting", [TRIAL_NONE] = "none",       [TRIAL_OK] = "ok",
    [TRIAL_FAILED] = "failed",   [TRIAL_UNKNOWN] = "unknown",
};

static const char *const step_names[TRIAL_STEP_COUNT] = {
    [TRIAL_BUILD] = "build", [TRIAL_HELLO] = "hello", [TRIAL_CHECK] = "check"};

const char *trial_result_name(enum trial_result result)
{
    return result_names[result];
}

const char *trial_step_name(enum trial_step step)
{
    return step_names[step];
}

bool trial_is_over(const struct ledger_bot *bot)
{
    return bot->trial[TRIAL_HELLO] != TRIAL_WAITING;
}

bool trial_is_passed(const struct ledger_bot *bot)
{
    enum trial_result hello = bot->trial[TRIAL_HELLO];

    return bot->command == NULL || hello == TRIAL_OK || hello == TRIAL_UNKNOWN;
}

const char *job_state_name(enum job_state state)
{
    return state_names[state];
}

bool job_is_over(enum job_state state)
{
    return state != JOB_QUEUED && state != JOB_PLAYING;
}

const char *job_message(const struct job *job)
{
    return job->message != NULL ? job->message : "";
}

bool job_can_resume(const struct job *job)
{
    return job->state == JOB_PAUSED || (job->state == JOB_FAILED && !job->is_final);
}

static char *copy_of(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

/* The copy of a user's name that all share. */
static const char *share_user(struct ledger *ledger, const char *user)
{
    for (unsigned i = 0; i < ledger->user_count; i++) {
        if (strcmp(ledger->users[i], user) == 0)
            return ledger->users[i];
    }
    ledger->users =
        (char **)xrealloc((void *)ledger->users, (ledger->user_count + 1) * sizeof *ledger->users);
    ledger->users[ledger->user_count] = xstrdup(user);
    return ledger->users[ledger->user_count++];
}

static void clear_bot(struct ledger_bot *bot)
{
    free(bot->command);
    free(bot->build);
    free(bot->folder);
    free(bot->why);
    free(bot->source_hash);
}

static void job_free(struct job *job)
{
    free(job->title);
    for (unsigned i = 0; i < job->bot_count; i++)
        free(job->bots[i].name);
    free(job->bots);
    free(job->message);
    free(job->config);
    free(job);
}

/* Jobs that were being played when they were cancelled. */
static void end_cancelled(struct ledger *ledger)
{
    static const struct job_end end = {.state = JOB_CANCELLED, .message = ""};

    for (unsigned i = 0; i < ledger->job_count; i++) {
        if (ledger->jobs[i]->is_cancelled && !job_is_over(ledger->jobs[i]->state))
            ledger_close_job(ledger, ledger->jobs[i], &end);
    }
}

static const char *find_way_out(void *context, unsigned long good_lines)
{
    (void)context;
    return good_lines > 0 ? "restore the file from a backup, or use --salvage to keep everything "
                            "before that line"
                          : "restore the file from a backup, or move it away and use --salvage, "
                            "which sets all bots and jobs aside and starts with an empty one";
}

struct ledger *ledger_open(const char *path, enum journal_mode mode, struct text *problem)
{
    struct ledger *ledger = xcalloc(1, sizeof *ledger);
    struct journal_reader reader = {ledger_take_record, find_way_out, ledger};
    char message[500];
    struct text why;

    text_start(&why, message, sizeof message);
    ledger->path = xstrdup(path);
    ledger->writer = json_writer_new(false);
    ledger->journal = journal_open(path, mode, &reader, &why);
    if (ledger->journal != NULL) {
        end_cancelled(ledger);
        return ledger;
    }
    text_printf(problem, "%s: %s", path, message);
    ledger_free(ledger);
    return NULL;
}

bool ledger_is_blank(const struct ledger *ledger)
{
    return journal_count(ledger->journal) == 0;
}

int ledger_begin(struct ledger *ledger)
{
    (void)ledger_record_begin(ledger);
    return ledger_write(ledger);
}

int ledger_salvage(struct ledger *ledger)
{
    return journal_salvage(ledger->journal);
}

const struct journal_loss *ledger_loss(const struct ledger *ledger)
{
    return journal_loss(ledger->journal);
}

void ledger_free(struct ledger *ledger)
{
    if (ledger == NULL)
        return;
    for (unsigned i = 0; i < ledger->bot_count; i++)
        clear_bot(&ledger->bots[i]);
    for (unsigned i = 0; i < ledger->job_count; i++)
        job_free(ledger->jobs[i]);
    for (unsigned i = 0; i < ledger->user_count; i++)
        free(ledger->users[i]);
    free((void *)ledger->users);
    free(ledger->bots);
    free((void *)ledger->jobs);
    free(ledger->path);
    json_writer_free(ledger->writer);
    journal_free(ledger->journal);
    free(ledger);
}

unsigned ledger_bot_count(const struct ledger *ledger)
{
    return ledger->bot_count;
}

const struct ledger_bot *ledger_bot(const struct ledger *ledger, unsigned place)
{
    return place < ledger->bot_count ? &ledger->bots[place] : NULL;
}

/* Names that differ only in case would share a folder on some disks. */
int ledger_find_bot(const struct ledger *ledger, const char *name)
{
    size_t length = strcspn(name, "@");
    long version = 0;

    if (name[length] == '@' && span_read_number(span_of(name + length + 1), 1, UINT_MAX, &version))
        return -1;
    for (unsigned i = ledger->bot_count; i-- > 0;) {
        if (strlen(ledger->bots[i].name) == length &&
            strncasecmp(ledger->bots[i].name, name, length) == 0 &&
            (version == 0 || ledger->bots[i].version == version))
            return (int)i;
    }
    return -1;
}

int ledger_choose_bot(const struct ledger *ledger, const char *name)
{
    int newest = ledger_find_bot(ledger, name);

    if (newest < 0 || strchr(name, '@') != NULL)
        return newest;
    for (unsigned i = (unsigned)newest + 1; i-- > 0;) {
        if (strcmp(ledger->bots[i].name, ledger->bots[newest].name) == 0 &&
            !ledger->bots[i].is_removed && trial_is_passed(&ledger->bots[i]))
            return (int)i;
    }
    return newest;
}

unsigned ledger_job_count(const struct ledger *ledger)
{
    return ledger->job_count;
}

const struct job *ledger_job(const struct ledger *ledger, unsigned number)
{
    return number >= 1 && number <= ledger->job_count ? ledger->jobs[number - 1] : NULL;
}

const char *ledger_player(const struct ledger *ledger, const struct job *job, unsigned index)
{
    const struct job_bot *bot = &job->bots[index];

    return bot->name != NULL ? bot->name : ledger->bots[bot->place].name;
}

unsigned ledger_waiting(const struct ledger *ledger, const char *user)
{
    unsigned left = ledger->opened;
    unsigned count = 0;

    if (user == NULL)
        return ledger->opened;
    /* Jobs that are not over are mostly the last ones. */
    for (unsigned i = ledger->job_count; i-- > 0 && left > 0;) {
        if (job_is_over(ledger->jobs[i]->state))
            continue;
        left--;
        if (strcmp(ledger->jobs[i]->user, user) == 0)
            count++;
    }
    return count;
}

unsigned ledger_submitted(const struct ledger *ledger, const char *user, int64_t from_s)
{
    unsigned count = 0;

    for (unsigned i = ledger->job_count; i-- > 0 && ledger->jobs[i]->submitted_s >= from_s;)
        count += strcmp(ledger->jobs[i]->user, user) == 0;
    return count;
}

int64_t ledger_bytes(const struct ledger *ledger, const char *user)
{
    int64_t bytes = 0;

    for (unsigned i = 0; i < ledger->bot_count; i++) {
        const struct ledger_bot *bot = &ledger->bots[i];

        bytes += strcmp(bot->user, user) == 0 ? bot->bytes + bot->build_bytes : 0;
    }
    for (unsigned i = 0; i < ledger->job_count; i++)
        bytes += strcmp(ledger->jobs[i]->user, user) == 0 ? ledger->jobs[i]->bytes : 0;
    return bytes;
}

struct ledger_bot *ledger_insert_bot(struct ledger *ledger, const struct ledger_bot *bot)
{
    int before = ledger_find_bot(ledger, bot->name);
    struct ledger_bot *kept;

    if (ledger->bot_count == ledger->bot_capacity) {
        ledger->bot_capacity = 2 * ledger->bot_capacity + 16;
        ledger->bots = xrealloc(ledger->bots, ledger->bot_capacity * sizeof *ledger->bots);
    }
    kept = &ledger->bots[ledger->bot_count];
    *kept = *bot;
    kept->version = before >= 0 ? ledger->bots[before].version + 1 : 1;
    kept->user = share_user(ledger, bot->user);
    kept->command = copy_of(bot->command);
    kept->build = copy_of(bot->build);
    kept->folder = copy_of(bot->folder);
    kept->why = NULL;
    kept->source_hash = NULL;
    kept->build_bytes = 0;
    if (bot->command == NULL)
        ledger_set_trial(kept, TRIAL_NONE, TRIAL_NONE);
    ledger->bot_count++;
    return kept;
}

struct job *ledger_insert_job(struct ledger *ledger, const struct job *job)
{
    struct job *kept = xcalloc(1, sizeof *kept);

    if (ledger->job_count == ledger->job_capacity) {
        ledger->job_capacity = 2 * ledger->job_capacity + 16;
        ledger->jobs =
            (struct job **)xrealloc((void *)ledger->jobs, ledger->job_capacity * sizeof(void *));
    }
    *kept = *job;
    kept->number = ledger->job_count + 1;
    kept->state = JOB_QUEUED;
    kept->user = share_user(ledger, job->user);
    kept->title = copy_of(job->title);
    kept->message = NULL;
    kept->config = copy_of(job->config);
    kept->config_bytes = job->config != NULL ? (unsigned)strlen(job->config) : 0;
    kept->bytes = kept->config_bytes;
    kept->bots = xcalloc(job->bot_count > 0 ? job->bot_count : 1U, sizeof *kept->bots);
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct job_bot *bot = &job->bots[i];
        bool is_same = bot->place != LEDGER_NO_BOT && bot->name != NULL &&
                       strcmp(bot->name, ledger->bots[bot->place].name) == 0;

        kept->bots[i] =
            (struct job_bot){.place = bot->place, .name = is_same ? NULL : copy_of(bot->name)};
    }
    ledger->jobs[ledger->job_count++] = kept;
    ledger->opened++;
    return kept;
}

static void add_score(struct ledger_bot *bot, const struct ledger_score *score)
{
    bot->matches += score->matches;
    bot->wins += score->wins;
    for (unsigned i = 0; i < LEDGER_FAULTS; i++)
        bot->faults[i] += score->faults[i];
    if (score->matches > 0) {
        bot->median_us = score->median_us;
        bot->p99_us = score->p99_us;
    }
}

/* Whoever submits a job chooses its limits: `start_ms=1` would make any bot late. */
static bool counts_for(const struct job *job, const struct ledger_bot *bot)
{
    return bot != NULL && (job->is_official || strcmp(job->user, bot->user) == 0);
}

void ledger_close_job(struct ledger *ledger, struct job *job, const struct job_end *end)
{
    bool is_counted =
        end->scores != NULL && (end->state == JOB_DONE || end->state == JOB_CANCELLED);

    ledger_set_state(ledger, job->number, end->state);
    free(job->message);
    job->message = end->message[0] != '\0' ? xstrdup(end->message) : NULL;
    job->is_final = end->is_final;
    free(job->config);
    job->config = NULL;
    ledger->opened--;
    for (unsigned i = 0; i < job->bot_count && is_counted; i++) {
        struct job_bot *bot = &job->bots[i];

        if (!bot->is_counted && counts_for(job, ledger_bot(ledger, bot->place)))
            add_score(&ledger->bots[bot->place], &end->scores[i]);
        bot->is_counted = true;
    }
}

void ledger_reopen_job(struct ledger *ledger, struct job *job)
{
    ledger_set_state(ledger, job->number, JOB_QUEUED);
    free(job->message);
    job->message = NULL;
    job->ended_s = 0;
    job->deaths = 0;
    ledger->opened++;
}

unsigned ledger_add_bot(struct ledger *ledger, const struct ledger_bot *bot)
{
    struct ledger_bot *kept = ledger_insert_bot(ledger, bot);

    kept->submitted_s = time(NULL);
    ledger->mark = journal_mark(ledger->journal);
    ledger->was_bot = true;
    (void)ledger_record_bot(ledger, kept);
    return ledger->bot_count - 1;
}

/* Nothing is checked that does not say hello. */
void ledger_set_trial(struct ledger_bot *bot, enum trial_result build, enum trial_result hello)
{
    bot->trial[TRIAL_BUILD] = build;
    bot->trial[TRIAL_HELLO] = hello;
    if (hello != TRIAL_OK)
        bot->trial[TRIAL_CHECK] = TRIAL_NONE;
}

void ledger_set_source(struct ledger *ledger, unsigned place, const char *hash)
{
    free(ledger->bots[place].source_hash);
    ledger->bots[place].source_hash = xstrdup(hash);
}

void ledger_set_build_bytes(struct ledger *ledger, unsigned place, int64_t bytes)
{
    if (!ledger->bots[place].is_removed)
        ledger->bots[place].build_bytes = bytes;
}

void ledger_end_trial(struct ledger *ledger, unsigned place, enum trial_result build,
                      enum trial_result hello)
{
    ledger_set_trial(&ledger->bots[place], build, hello);
    (void)ledger_record_trial(ledger, place, &ledger->bots[place]);
}

void ledger_end_check(struct ledger *ledger, unsigned place, enum trial_result check)
{
    ledger->bots[place].trial[TRIAL_CHECK] = check;
    (void)ledger_record_check(ledger, place, ledger->bots[place].trial);
}

unsigned ledger_count_trial_death(struct ledger *ledger, unsigned place)
{
    return ++ledger->bots[place].trial_deaths;
}

unsigned ledger_add_job(struct ledger *ledger, const struct job *job)
{
    struct job *kept = ledger_insert_job(ledger, job);

    kept->submitted_s = time(NULL);
    ledger->mark = journal_mark(ledger->journal);
    ledger->was_bot = false;
    (void)ledger_record_job(ledger, kept);
    return kept->number;
}

void ledger_end_job(struct ledger *ledger, unsigned number, const struct job_end *end)
{
    struct job *job = ledger->jobs[number - 1];

    job->ended_s = time(NULL);
    ledger_close_job(ledger, job, end);
    (void)ledger_record_end(ledger, job, end);
}

int ledger_write_since(struct ledger *ledger, size_t mark)
{
    int error;

    if (ledger_write(ledger) == 0)
        return 0;
    error = errno;
    journal_return(ledger->journal, mark);
    errno = error;
    return -1;
}

int ledger_cancel_job(struct ledger *ledger, unsigned number)
{
    static const struct job_end end = {.state = JOB_CANCELLED, .message = ""};
    struct job *job = ledger->jobs[number - 1];
    size_t mark = journal_mark(ledger->journal);

    (void)ledger_record_cancel(ledger, job, time(NULL));
    if (ledger_write_since(ledger, mark) != 0)
        return -1;
    job->is_cancelled = true;
    if (job->state != JOB_QUEUED)
        return 0;
    job->ended_s = time(NULL);
    ledger_close_job(ledger, job, &end);
    return 0;
}

int ledger_resume_job(struct ledger *ledger, unsigned number)
{
    struct job *job = ledger->jobs[number - 1];
    size_t mark = journal_mark(ledger->journal);

    (void)ledger_record_resume(ledger, job);
    if (ledger_write_since(ledger, mark) != 0)
        return -1;
    ledger_reopen_job(ledger, job);
    return 0;
}

void ledger_set_state(struct ledger *ledger, unsigned number, enum job_state state)
{
    ledger->jobs[number - 1]->state = state;
}

void ledger_add_slot_time(struct ledger *ledger, unsigned number, int64_t slot_us)
{
    ledger->jobs[number - 1]->slot_us += slot_us;
}

void ledger_set_progress(struct ledger *ledger, unsigned number, unsigned long decided,
                         unsigned long matches)
{
    ledger->jobs[number - 1]->decided = decided;
    ledger->jobs[number - 1]->matches = matches;
}

void ledger_set_bytes(struct ledger *ledger, unsigned number, int64_t store_bytes)
{
    struct job *job = ledger->jobs[number - 1];

    job->bytes = job->config_bytes + store_bytes;
}

void ledger_count_death(struct ledger *ledger, unsigned number)
{
    ledger->jobs[number - 1]->deaths++;
}

int ledger_write(struct ledger *ledger)
{
    return journal_write(ledger->journal);
}

void ledger_take_back(struct ledger *ledger)
{
    journal_return(ledger->journal, ledger->mark);
    if (ledger->was_bot) {
        clear_bot(&ledger->bots[--ledger->bot_count]);
    } else {
        job_free(ledger->jobs[--ledger->job_count]);
        ledger->opened--;
    }
}
