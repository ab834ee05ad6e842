/* Bots, jobs and ends as records, written and read. Faults are recorded by name, not by number;
 * missing values are left out. */

#include "base/memory.h"
#include "bot/bot.h"
#include "serve/queue/ledger_private.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(BOT_OUTCOME_COUNT <= LEDGER_FAULTS, "a fault has no room in the ledger");

/* Writing. */

static void start_record(struct ledger *ledger)
{
    json_writer_clear(ledger->writer);
    json_open_map(ledger->writer);
}

static void end_record(struct ledger *ledger)
{
    size_t length;
    const char *bytes;

    json_close_map(ledger->writer);
    bytes = json_writer_bytes(ledger->writer, &length);
    journal_add(ledger->journal, bytes, length);
}

static void put_text(struct ledger *ledger, const char *key, const char *text)
{
    if (text != NULL)
        json_put_text(ledger->writer, key, text);
}

void ledger_record_bot(struct ledger *ledger, const struct ledger_bot *bot)
{
    start_record(ledger);
    put_text(ledger, "bot", bot->name);
    put_text(ledger, "user", bot->user);
    put_text(ledger, "command", bot->command);
    put_text(ledger, "build", bot->build);
    put_text(ledger, "folder", bot->folder);
    json_put_number(ledger->writer, "memory_mb", bot->memory_mb);
    json_put_number(ledger->writer, "is_upload", bot->is_upload);
    json_put_number(ledger->writer, "submitted_s", bot->submitted_s);
    end_record(ledger);
}

void ledger_record_job(struct ledger *ledger, const struct job *job)
{
    start_record(ledger);
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
    end_record(ledger);
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

void ledger_record_end(struct ledger *ledger, const struct job *job,
                       const struct ledger_score *scores)
{
    start_record(ledger);
    json_put_number(ledger->writer, "end", job->number);
    put_text(ledger, "state", job_state_name(job->state));
    put_text(ledger, "message", job->message);
    json_put_number(ledger->writer, "decided", (long long)job->decided);
    json_put_number(ledger->writer, "matches", (long long)job->matches);
    json_put_number(ledger->writer, "ended_s", job->ended_s);
    if (scores != NULL) {
        json_key(ledger->writer, "scores");
        json_open_list(ledger->writer);
        for (unsigned i = 0; i < job->bot_count; i++)
            put_score(ledger, &scores[i]);
        json_close_list(ledger->writer);
    }
    end_record(ledger);
}

/* Reading. The checksum of a record is right, so a referee wrote it; it may have been a newer
 * one. */

static int complain(struct text *problem, const char *why)
{
    text_add(problem, why);
    return -1;
}

static int take_bot(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    const char *name = json_member_text(record, "bot", "");
    struct ledger_bot bot = {
        .user = (char *)json_member_text(record, "user", ""),
        .command = (char *)json_member_text(record, "command", NULL),
        .build = (char *)json_member_text(record, "build", NULL),
        .folder = (char *)json_member_text(record, "folder", NULL),
        .memory_mb = (long)json_member_number(record, "memory_mb", 0),
        .is_upload = json_member_number(record, "is_upload", 0) != 0,
        .submitted_s = json_member_number(record, "submitted_s", 0),
    };

    if (name[0] == '\0' || strlen(name) > CONFIG_NAME_MAX)
        return complain(problem, "a bot has no valid name");
    memcpy(bot.name, name, strlen(name));
    ledger_insert_bot(ledger, &bot);
    return 0;
}

/* Fills in the bots of a job; names are lent. Returns 0, or -1 if one of them does not exist. */
static int take_job_bots(const struct ledger *ledger, const struct json_node *list, struct job *job)
{
    job->bots = xcalloc(json_count(list) + 1U, sizeof *job->bots);
    for (const struct json_node *node = json_first(list); node != NULL;
         node = json_next(list, node)) {
        const char *name = json_member_text(node, "name", NULL);
        long long place = json_member_number(node, "bot", -1);

        if (place >= (long long)ledger->bot_count || (place < 0 && name == NULL))
            return -1;
        job->bots[job->bot_count++] =
            (struct job_bot){place >= 0 ? (unsigned)place : LEDGER_NO_BOT, (char *)name};
    }
    return 0;
}

static int take_job(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct job job = {
        .user = (char *)json_member_text(record, "user", ""),
        .title = (char *)json_member_text(record, "title", ""),
        .is_match = json_member_number(record, "is_match", 0) != 0,
        .is_official = json_member_number(record, "is_official", 0) != 0,
        .matches = (unsigned long)json_member_number(record, "matches", 0),
        .submitted_s = json_member_number(record, "submitted_s", 0),
        .message = (char *)"",
        .config = (char *)json_member_text(record, "config", ""),
    };
    int result = 0;

    if (json_member_number(record, "job", 0) != ledger->job_count + 1LL)
        result = complain(problem, "a job does not have the next number");
    else if (take_job_bots(ledger, json_member(record, "bots"), &job) != 0)
        result = complain(problem, "a job has a bot that does not exist");
    else
        ledger_insert_job(ledger, &job);
    free(job.bots);
    return result;
}

static struct ledger_score score_of(const struct json_node *node)
{
    struct ledger_score score = {
        .matches = (unsigned long)json_member_number(node, "matches", 0),
        .wins = (unsigned long)json_member_number(node, "wins", 0),
        .median_us = json_member_number(node, "median_us", 0),
        .p99_us = json_member_number(node, "p99_us", 0),
    };

    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++)
        score.faults[i] =
            (unsigned long)json_member_number(node, bot_outcome_name((enum bot_outcome)i), 0);
    return score;
}

static int read_state(const char *name, enum job_state *state)
{
    for (unsigned i = 0; i < JOB_STATE_COUNT; i++) {
        if (strcmp(job_state_name((enum job_state)i), name) == 0) {
            *state = (enum job_state)i;
            return 0;
        }
    }
    return -1;
}

static int take_end(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    long long number = json_member_number(record, "end", 0);
    const struct json_node *list = json_member(record, "scores");
    enum job_state state;
    struct ledger_score *scores;
    struct job *job;
    unsigned count = 0;

    if (number < 1 || number > ledger->job_count || job_is_over(ledger->jobs[number - 1]->state))
        return complain(problem, "a job ends that is not open");
    if (read_state(json_member_text(record, "state", ""), &state) != 0 || !job_is_over(state))
        return complain(problem, "a job ends in an unknown state");
    job = ledger->jobs[number - 1];
    job->decided = (unsigned long)json_member_number(record, "decided", 0);
    job->matches = (unsigned long)json_member_number(record, "matches", 0);
    job->ended_s = json_member_number(record, "ended_s", 0);
    scores = xcalloc(job->bot_count + 1U, sizeof *scores);
    for (const struct json_node *node = json_first(list); node != NULL && count < job->bot_count;
         node = json_next(list, node))
        scores[count++] = score_of(node);
    ledger_close_job(ledger, job, state, json_member_text(record, "message", ""),
                     count == job->bot_count && count > 0 ? scores : NULL);
    free(scores);
    return 0;
}

int ledger_take_record(void *context, const struct json_node *record, struct text *problem)
{
    if (json_member(record, "bot") != NULL)
        return take_bot(context, record, problem);
    if (json_member(record, "job") != NULL)
        return take_job(context, record, problem);
    if (json_member(record, "end") != NULL)
        return take_end(context, record, problem);
    return complain(problem, "a record of an unknown kind: written by a newer referee?");
}
