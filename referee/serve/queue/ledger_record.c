/* Bots, works and ends as records, written and read. Faults have their names in them, not their numbers,
 * and what is not there is left out. */

#include "base/memory.h"
#include "bot/bot.h"
#include "serve/queue/ledger_private.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(BOT_OUTCOME_COUNT <= LEDGER_FAULTS, "a fault has no room in the ledger");

/* Writing. */

static void begin(struct ledger *ledger)
{
    json_writer_clear(ledger->writer);
    json_open_map(ledger->writer);
}

static void finish(struct ledger *ledger)
{
    size_t length;
    const char *bytes;

    json_close_map(ledger->writer);
    bytes = json_writer_bytes(ledger->writer, &length);
    journal_add(ledger->journal, bytes, length);
}

static void put_text(struct ledger *ledger, const char *key, const char *words)
{
    if (words != NULL)
        json_put_text(ledger->writer, key, words);
}

void ledger_record_bot(struct ledger *ledger, const struct ledger_bot *bot)
{
    begin(ledger);
    put_text(ledger, "bot", bot->name);
    put_text(ledger, "user", bot->user);
    put_text(ledger, "command", bot->command);
    put_text(ledger, "build", bot->build);
    put_text(ledger, "folder", bot->folder);
    json_put_number(ledger->writer, "memory_mb", bot->memory_mb);
    json_put_number(ledger->writer, "is_upload", bot->is_upload);
    json_put_number(ledger->writer, "given_s", bot->given_s);
    finish(ledger);
}

void ledger_record_job(struct ledger *ledger, const struct job *job)
{
    begin(ledger);
    json_put_number(ledger->writer, "work", job->number);
    put_text(ledger, "user", job->user);
    put_text(ledger, "title", job->title);
    json_put_number(ledger->writer, "is_match", job->is_match);
    json_put_number(ledger->writer, "matches", (long long)job->matches);
    json_put_number(ledger->writer, "given_s", job->given_s);
    put_text(ledger, "plan", job->config);
    json_key(ledger->writer, "bots");
    json_open_list(ledger->writer);
    for (unsigned i = 0; i < job->bot_count; i++)
        json_number(ledger->writer, job->bots[i] != LEDGER_NO_BOT ? (long long)job->bots[i] : -1);
    json_close_list(ledger->writer);
    finish(ledger);
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
    begin(ledger);
    json_put_number(ledger->writer, "end", job->number);
    put_text(ledger, "state", job_state_name(job->state));
    put_text(ledger, "words", job->words);
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
    finish(ledger);
}

/* Reading. A record has the right checksum, so it is what a referee wrote: perhaps a newer one. */

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
        .given_s = json_member_number(record, "given_s", 0),
    };

    if (name[0] == '\0' || strlen(name) > CONFIG_NAME_MAX)
        return complain(problem, "a bot has no name that can be one");
    memcpy(bot.name, name, strlen(name));
    ledger_keep_bot(ledger, &bot);
    return 0;
}

/* Fills in the bots of a work. Returns 0, or -1 if one of them is not there. */
static int take_job_bots(const struct ledger *ledger, const struct json_node *list, struct job *job)
{
    job->bots = xcalloc(json_count(list) + 1U, sizeof *job->bots);
    for (const struct json_node *node = json_first(list); node != NULL;
         node = json_next(list, node)) {
        if (node->kind != JSON_NUMBER || node->number < -1 || node->number >= ledger->bot_count)
            return -1;
        job->bots[job->bot_count++] = node->number >= 0 ? (unsigned)node->number : LEDGER_NO_BOT;
    }
    return 0;
}

static int take_job(struct ledger *ledger, const struct json_node *record, struct text *problem)
{
    struct job job = {
        .user = (char *)json_member_text(record, "user", ""),
        .title = (char *)json_member_text(record, "title", ""),
        .is_match = json_member_number(record, "is_match", 0) != 0,
        .matches = (unsigned long)json_member_number(record, "matches", 0),
        .given_s = json_member_number(record, "given_s", 0),
        .words = (char *)"",
        .config = (char *)json_member_text(record, "plan", ""),
    };
    int result = 0;

    if (json_member_number(record, "work", 0) != ledger->job_count + 1LL)
        result = complain(problem, "a work has another number than the next");
    else if (take_job_bots(ledger, json_member(record, "bots"), &job) != 0)
        result = complain(problem, "a work has a bot that is not there");
    else
        ledger_keep_job(ledger, &job);
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
        return complain(problem, "a work ends that is not there");
    if (read_state(json_member_text(record, "state", ""), &state) != 0 || !job_is_over(state))
        return complain(problem, "a work ends in a way that is not known");
    job = ledger->jobs[number - 1];
    job->decided = (unsigned long)json_member_number(record, "decided", 0);
    job->matches = (unsigned long)json_member_number(record, "matches", 0);
    job->ended_s = json_member_number(record, "ended_s", 0);
    scores = xcalloc(job->bot_count + 1U, sizeof *scores);
    for (const struct json_node *node = json_first(list); node != NULL && count < job->bot_count;
         node = json_next(list, node))
        scores[count++] = score_of(node);
    ledger_keep_end(ledger, job, state, json_member_text(record, "words", ""),
                    count == job->bot_count && count > 0 ? scores : NULL);
    free(scores);
    return 0;
}

int ledger_take(void *context, const struct json_node *record, struct text *problem)
{
    if (json_member(record, "bot") != NULL)
        return take_bot(context, record, problem);
    if (json_member(record, "work") != NULL)
        return take_job(context, record, problem);
    if (json_member(record, "end") != NULL)
        return take_end(context, record, problem);
    return complain(problem, "a record of a kind that is not known: written by a newer referee?");
}
