/* One function per thing and form. A bot of a job need not be in the ledger: a tournament file of
 * the owner may name a program, which has a name in that job and nothing else. */

#include "serve/queue/ledger_describe.h"

#include "bot/bot.h"
#include "wire/request.h"

#include <string.h>

static const char *kind_of_job(const struct job *job)
{
    return job->is_match ? "match" : "tournament";
}

static const char *kind_of_bot(const struct ledger_bot *bot)
{
    if (bot->command == NULL)
        return "remote";
    return bot->is_upload ? "upload" : "command";
}

bool ledger_describe_is_listed(const struct ledger *ledger, unsigned place)
{
    const struct ledger_bot *bot = ledger_bot(ledger, place);

    return !bot->is_removed && ledger_find_bot(ledger, bot->name) == (int)place;
}

/* Whether it is the first version of a bot that is listed. */
static bool is_first(const struct ledger *ledger, unsigned place)
{
    const struct ledger_bot *bot = ledger_bot(ledger, place);

    if (bot->version != 1 || !bot->is_removed)
        return bot->version == 1;
    return !ledger_bot(ledger, (unsigned)ledger_find_bot(ledger, bot->name))->is_removed;
}

struct ledger_counts ledger_describe_counts(const struct ledger *ledger)
{
    struct ledger_counts counts = {.jobs = ledger_job_count(ledger)};

    for (unsigned i = 1; i <= counts.jobs; i++)
        counts.states[ledger_job(ledger, i)->state]++;
    for (unsigned i = 0; i < ledger_bot_count(ledger); i++)
        counts.bots += is_first(ledger, i);
    return counts;
}

bool ledger_describe_has_bot(const struct ledger *ledger, const struct job *job, struct span name)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(ledger, job->bots[i].place);

        if (span_is(name, ledger_player(ledger, job, i)) ||
            (bot != NULL && span_is(name, bot->name)))
            return true;
    }
    return name.length == 0;
}

/* A table of a ladder is a match of its own kind; its final is a tournament. */
bool ledger_describe_has_kind(const struct job *job, struct span kind)
{
    bool is_table = job->is_match && strncmp(job->user, LEDGER_LADDER, strlen(LEDGER_LADDER)) == 0;

    if (span_is(kind, "submitted"))
        return !is_table;
    return kind.length == 0 || span_is(kind, is_table ? "ladder" : kind_of_job(job));
}

void ledger_describe_job_json(struct json_writer *json, const struct ledger *ledger,
                              const struct job *job, bool has_bots)
{
    json_put_number(json, "number", job->number);
    json_put_text(json, "title", job->title);
    json_put_text(json, "user", job->user);
    json_put_text(json, "kind", kind_of_job(job));
    json_put_text(json, "state", job_state_name(job->state));
    json_put_number(json, "decided", (long long)job->decided);
    json_put_number(json, "matches", (long long)job->matches);
    json_put_number(json, "submitted_s", job->submitted_s);
    json_put_number(json, "ended_s", job->ended_s);
    json_put_text(json, "message", job_message(job));
    if (!has_bots)
        return;
    json_key(json, "bots");
    json_open_list(json);
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(ledger, job->bots[i].place);

        json_open_map(json);
        json_put_text(json, "name", ledger_player(ledger, job, i));
        if (bot != NULL) {
            json_put_text(json, "bot", bot->name);
            json_put_number(json, "version", bot->version);
            json_put_text(json, "user", bot->user);
            json_put_flag(json, "is_disqualified", bot->is_disqualified);
        }
        json_close_map(json);
    }
    json_close_list(json);
}

void ledger_describe_bot_json(struct json_writer *json, const struct ledger_bot *bot)
{
    json_put_text(json, "name", bot->name);
    json_put_number(json, "version", bot->version);
    json_put_text(json, "user", bot->user);
    json_put_text(json, "kind", kind_of_bot(bot));
    json_put_number(json, "submitted_s", bot->submitted_s);
    json_put_number(json, "matches", (long long)bot->matches);
    json_put_number(json, "wins", (long long)bot->wins);
    json_key(json, "faults");
    json_open_map(json);
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++) {
        if (bot->faults[i] > 0)
            json_put_number(json, bot_outcome_name((enum bot_outcome)i), (long long)bot->faults[i]);
    }
    json_close_map(json);
    json_put_number(json, "median_us", bot->median_us);
    json_put_number(json, "p99_us", bot->p99_us);
    for (unsigned i = 0; i < TRIAL_STEP_COUNT && bot->command != NULL; i++)
        json_put_text(json, trial_step_name((enum trial_step)i), trial_result_name(bot->trial[i]));
    json_put_flag(json, "is_disqualified", bot->is_disqualified);
    if (bot->is_disqualified)
        json_put_text(json, "why", bot->why);
}

void ledger_describe_job(struct text *text, const struct job *job)
{
    text_printf(text, "job=%u state=%s user=%s kind=%s decided=%lu matches=%lu title=", job->number,
                job_state_name(job->state), job->user, kind_of_job(job), job->decided,
                job->matches);
    request_add_quoted(text, job->title);
    text_add(text, " message=");
    request_add_quoted(text, job_message(job));
    text_printf(text, " slot_ms=%lld", (long long)job->slot_us / 1000);
}

void ledger_describe_job_line(struct text *text, const struct job *job)
{
    text_printf(text, "%u %s %s %s %lu/%lu %s", job->number, job_state_name(job->state), job->user,
                kind_of_job(job), job->decided, job->matches, job->title);
}

void ledger_describe_trial(struct text *text, const struct ledger_bot *bot)
{
    for (unsigned i = 0; i < TRIAL_STEP_COUNT; i++)
        text_printf(text, "%s%s=%s", i > 0 ? " " : "", trial_step_name((enum trial_step)i),
                    trial_result_name(bot->trial[i]));
}

void ledger_describe_bot_line(struct text *text, const struct ledger_bot *bot)
{
    unsigned long faults = 0;

    for (unsigned i = 0; i < LEDGER_FAULTS; i++)
        faults += bot->faults[i];
    text_printf(text, "%s %u %s %s matches=%lu wins=%lu faults=%lu median_us=%lld p99_us=%lld",
                bot->name, bot->version, bot->user, kind_of_bot(bot), bot->matches, bot->wins,
                faults, (long long)bot->median_us, (long long)bot->p99_us);
    if (bot->command != NULL) {
        text_add_char(text, ' ');
        ledger_describe_trial(text, bot);
    }
    if (bot->is_disqualified) {
        text_add(text, " disqualified=");
        request_add_quoted(text, bot->why);
    }
}

static const char *or_nothing(const char *text)
{
    return text != NULL ? text : "";
}

void ledger_describe_commands_json(struct json_writer *json, const struct ledger_bot *bot)
{
    json_put_text(json, "command", or_nothing(bot->command));
    json_put_text(json, "build_command", or_nothing(bot->build));
}

void ledger_describe_commands(struct text *text, const struct ledger_bot *bot)
{
    text_add(text, " command=");
    request_add_quoted(text, or_nothing(bot->command));
    text_add(text, " build_command=");
    request_add_quoted(text, or_nothing(bot->build));
}

struct feed_line ledger_describe_state(const struct job *job)
{
    struct feed_line line = {.kind = FEED_LINE_PLAYING, .job = job->number};

    if (job->state == JOB_QUEUED) {
        line.kind = FEED_LINE_QUEUED;
        line.user = span_of(job->user);
        line.text = span_of(job->title);
    } else if (job->state != JOB_PLAYING) {
        line.kind = FEED_LINE_OVER;
        line.state = span_of(job_state_name(job->state));
        line.text = span_of(job_message(job));
    }
    return line;
}
