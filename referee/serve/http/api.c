/* What the queue knows, as JSON, for the scripts of the pages and for anybody else's. No `<`, `>` or `&`
 * is left in it, so that it is harmless wherever it is put. */

#include "serve/http/http_private.h"

#include "base/memory.h"
#include "bot/bot.h"
#include "wire/json_write.h"

#include <event2/buffer.h>
#include <limits.h>

#define WORKS_AT_ONCE 25
#define WORKS_AT_ONCE_MAX 200

/* Outside of strings JSON has none of these. */
static void add_escaped(struct evbuffer *body, const char *bytes, size_t length)
{
    size_t done = 0;

    while (done < length) {
        size_t plain = strcspn(bytes + done, "<>&");

        evbuffer_add(body, bytes + done, plain);
        done += plain;
        if (done < length)
            evbuffer_add_printf(body, "\\u%04x", (unsigned char)bytes[done++]);
    }
}

static void send_json(struct http_call *call, struct json_writer *json)
{
    struct evbuffer *body = evbuffer_new();
    size_t length = 0;
    const char *bytes = json_writer_bytes(json, &length);

    add_escaped(body, bytes, length);
    json_writer_free(json);
    http_reply(call, 200, HTTP_JSON, body);
}

static const struct ledger *ledger_of(const struct http_call *call)
{
    return queue_ledger(call->http->setup.queue);
}

/* The newest version of each name. */
static unsigned count_names(const struct ledger *ledger)
{
    unsigned count = 0;

    for (unsigned i = 0; i < ledger_bot_count(ledger); i++)
        count += ledger_bot(ledger, i)->version == 1;
    return count;
}

static void add_states(struct json_writer *json, const struct ledger *ledger)
{
    unsigned counts[JOB_STATE_COUNT] = {0};

    for (unsigned i = 1; i <= ledger_job_count(ledger); i++)
        counts[ledger_job(ledger, i)->state]++;
    json_key(json, "states");
    json_open_map(json);
    for (unsigned i = 0; i < JOB_STATE_COUNT; i++)
        json_put_number(json, job_state_name((enum job_state)i), counts[i]);
    json_close_map(json);
}

void http_answer_status(struct http_call *call)
{
    const struct http *http = call->http;
    struct json_writer *json = json_writer_new(false);

    json_open_map(json);
    json_put_text(json, "version", REFEREE_VERSION);
    json_put_flag(json, "is_draining", queue_is_draining(http->setup.queue));
    json_put_flag(json, "has_remote", queue_has_remote(http->setup.queue));
    json_put_number(json, "works", ledger_job_count(ledger_of(call)));
    add_states(json, ledger_of(call));
    json_put_number(json, "bots", count_names(ledger_of(call)));
    json_put_number(json, "watchers", broadcast_count(queue_broadcast(http->setup.queue)));
    json_close_map(json);
    send_json(call, json);
}

static void add_job(struct json_writer *json, const struct job *job)
{
    json_put_number(json, "number", job->number);
    json_put_text(json, "title", job->title);
    json_put_text(json, "user", job->user);
    json_put_text(json, "kind", job->is_match ? "match" : "tournament");
    json_put_text(json, "state", job_state_name(job->state));
    json_put_number(json, "decided", (long long)job->decided);
    json_put_number(json, "matches", (long long)job->matches);
    json_put_number(json, "given_s", job->given_s);
    json_put_number(json, "ended_s", job->ended_s);
    json_put_text(json, "words", job->words);
}

static void add_names(struct json_writer *json, const struct ledger *ledger, const struct job *job)
{
    json_key(json, "bots");
    json_open_list(json);
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(ledger, job->bots[i]);

        json_open_map(json);
        json_put_text(json, "name", bot->name);
        json_put_number(json, "version", bot->version);
        json_put_text(json, "user", bot->user);
        json_close_map(json);
    }
    json_close_list(json);
}

/* What a query asks for: a state by its name, "open" for all that is not over, "over" for the rest. */
static bool is_wanted(const struct job *job, struct span state)
{
    return state.length == 0 || span_is(state, job_state_name(job->state)) ||
           span_is(state, job_is_over(job->state) ? "over" : "open");
}

/* Newest first, from below the number `before`. */
static void add_jobs(struct json_writer *json, const struct http_call *call, long before,
                     long limit)
{
    const struct ledger *ledger = ledger_of(call);
    struct span state = http_read_word(call->query, "state");
    long count = ledger_job_count(ledger);
    long number = before - 1 < count ? before - 1 : count;

    json_key(json, "works");
    json_open_list(json);
    for (; number >= 1 && limit > 0; number--) {
        const struct job *job = ledger_job(ledger, (unsigned)number);

        if (!is_wanted(job, state))
            continue;
        json_open_map(json);
        add_job(json, job);
        json_close_map(json);
        limit--;
    }
    json_close_list(json);
    json_put_flag(json, "has_more", number >= 1);
}

void http_answer_jobs(struct http_call *call)
{
    long before = UINT_MAX, limit = WORKS_AT_ONCE;
    struct json_writer *json;

    if (http_read_number(call->query, "before", 1, UINT_MAX, &before) != 0 ||
        http_read_number(call->query, "limit", 1, WORKS_AT_ONCE_MAX, &limit) != 0) {
        http_reply_words(call, 400, "`before` and `limit` are numbers.");
        return;
    }
    json = json_writer_new(false);
    json_open_map(json);
    add_jobs(json, call, before, limit);
    json_close_map(json);
    send_json(call, json);
}

void http_answer_job_facts(struct http_call *call)
{
    const struct job *job = ledger_job(ledger_of(call), call->numbers[0]);
    struct json_writer *json;

    if (job == NULL) {
        http_reply_words(call, 404, "There is no such work.");
        return;
    }
    json = json_writer_new(false);
    json_open_map(json);
    add_job(json, job);
    add_names(json, ledger_of(call), job);
    json_close_map(json);
    send_json(call, json);
}

static void add_bot(struct json_writer *json, const struct ledger_bot *bot)
{
    json_put_text(json, "name", bot->name);
    json_put_number(json, "version", bot->version);
    json_put_text(json, "user", bot->user);
    json_put_text(json, "kind",
                  bot->is_upload         ? "upload"
                  : bot->command != NULL ? "command"
                                         : "remote");
    json_put_number(json, "given_s", bot->given_s);
    json_put_number(json, "matches", (long long)bot->matches);
    json_put_number(json, "wins", (long long)bot->wins);
    json_key(json, "faults");
    json_open_map(json);
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT && i < LEDGER_FAULTS; i++) {
        if (bot->faults[i] > 0)
            json_put_number(json, bot_outcome_name((enum bot_outcome)i), (long long)bot->faults[i]);
    }
    json_close_map(json);
    json_put_number(json, "median_us", bot->median_us);
    json_put_number(json, "p99_us", bot->p99_us);
}

/* All versions, oldest first. */
void http_answer_bots(struct http_call *call)
{
    const struct ledger *ledger = ledger_of(call);
    struct json_writer *json = json_writer_new(false);

    json_open_map(json);
    json_key(json, "bots");
    json_open_list(json);
    for (unsigned i = 0; i < ledger_bot_count(ledger); i++) {
        json_open_map(json);
        add_bot(json, ledger_bot(ledger, i));
        json_close_map(json);
    }
    json_close_list(json);
    json_close_map(json);
    send_json(call, json);
}
