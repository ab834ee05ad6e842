/* The ledger as JSON, for the scripts of the pages and of others. */

#include "bot/language.h"
#include "serve/http/http_private.h"
#include "serve/queue/grades.h"
#include "serve/queue/ledger_describe.h"
#include "game/allegra.h"

#include <event2/buffer.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_AT_ONCE 25
#define JOBS_AT_ONCE_MAX 200

static const struct ledger *ledger_of(const struct http_call *call)
{
    return queue_ledger(call->http->setup.queue);
}

void http_answer_status(struct http_call *call)
{
    const struct queue *queue = call->http->setup.queue;
    struct ledger_counts counts = ledger_describe_counts(ledger_of(call));
    struct json_writer *json = http_start_json();

    json_put_text(json, "version", REFEREE_VERSION);
    json_put_flag(json, "is_draining", queue_is_draining(queue));
    json_put_flag(json, "has_remote", queue_has_remote(queue));
    json_put_number(json, "jobs", counts.jobs);
    json_key(json, "states");
    json_open_map(json);
    for (unsigned i = 0; i < JOB_STATE_COUNT; i++)
        json_put_number(json, job_state_name((enum job_state)i), counts.states[i]);
    json_close_map(json);
    json_put_number(json, "bots", counts.bots);
    json_key(json, "editions");
    json_open_list(json);
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++)
        json_text(json, allegra_edition_name((enum allegra_edition)i));
    json_close_list(json);
    json_put_number(json, "watchers", broadcast_count(queue_broadcast(queue)));
    http_reply_json(call, 200, json);
}

/* A state by its name, "open" for all that are not over, "over" for the rest. */
static bool has_state(const struct job *job, struct span state)
{
    return state.length == 0 || span_is(state, job_state_name(job->state)) ||
           span_is(state, job_is_over(job->state) ? "over" : "open");
}

/* Whether a job fits what the query asks for. */
static bool fits_query(const struct http_call *call, const struct job *job)
{
    struct span user = http_read_word(call->query, "user");

    return has_state(job, http_read_word(call->query, "state")) &&
           (user.length == 0 || span_is(user, job->user)) &&
           ledger_describe_has_kind(job, http_read_word(call->query, "kind")) &&
           ledger_describe_has_bot(ledger_of(call), job, http_read_word(call->query, "bot"));
}

static void put_job(const struct http_call *call, struct json_writer *json, const struct job *job,
                    bool has_bots)
{
    ledger_describe_job_json(json, ledger_of(call), job, has_bots);
    json_put_number(json, "left_s", queue_left_s(call->http->setup.queue, job));
}

/* Newest first, from below the number `before`. */
void http_answer_jobs(struct http_call *call)
{
    const struct ledger *ledger = ledger_of(call);
    long before = UINT_MAX, limit = JOBS_AT_ONCE;
    long number = ledger_job_count(ledger);
    struct json_writer *json;

    if (http_read_number(call->query, "before", 1, UINT_MAX, &before) != 0 ||
        http_read_number(call->query, "limit", 1, JOBS_AT_ONCE_MAX, &limit) != 0) {
        http_reply_text(call, 400, "`before` and `limit` are numbers.");
        return;
    }
    json = http_start_json();
    json_key(json, "jobs");
    json_open_list(json);
    if (number > before - 1)
        number = before - 1;
    for (; number >= 1 && limit > 0; number--) {
        const struct job *job = ledger_job(ledger, (unsigned)number);

        if (!fits_query(call, job))
            continue;
        json_open_map(json);
        put_job(call, json, job, http_read_word(call->query, "bot").length > 0);
        json_close_map(json);
        limit--;
    }
    json_close_list(json);
    json_put_flag(json, "has_more", number >= 1);
    http_reply_json(call, 200, json);
}

void http_answer_job(struct http_call *call)
{
    const struct job *job = ledger_job(ledger_of(call), call->numbers[0]);
    struct json_writer *json;

    if (job == NULL) {
        http_reply_text(call, 404, "There is no such job.");
        return;
    }
    json = http_start_json();
    put_job(call, json, job, true);
    http_reply_json(call, 200, json);
}

/* For organisers, as a file or as JSON. */
void http_answer_grades(struct http_call *call)
{
    struct caller caller = http_caller(call);
    struct span word = http_read_word(call->query, "format");
    struct request_error error;
    struct grades_request request;
    struct evbuffer *body;
    char format[16];
    char *table = NULL;
    size_t length = 0;

    snprintf(format, sizeof format, "%.*s", (int)word.length, word.start);
    if (!caller_is_organiser(&caller)) {
        http_reply_text(call, 403, "Grades are only for organisers.");
        return;
    }
    if (grades_read(&request, http_read_word(call->query, "jobs"), word.length > 0 ? format : "csv",
                    &error) == 0)
        table = grades_make(call->http->setup.queue, call->http->setup.users, &request, &length,
                            &error);
    if (table == NULL) {
        http_reply_error(call, &error);
        return;
    }
    body = evbuffer_new();
    (void)evbuffer_add(body, table, length);
    free(table);
    if (request.format == GRADES_CSV)
        http_add_header(call, "Content-Disposition", "attachment; filename=\"grades.csv\"");
    http_reply(call, 200,
               request.format == GRADES_CSV    ? HTTP_CSV
               : request.format == GRADES_JSON ? HTTP_JSON
                                               : HTTP_TEXT,
               body);
}

/* All versions, oldest first. */
void http_answer_bots(struct http_call *call)
{
    const struct ledger *ledger = ledger_of(call);
    struct caller caller = http_caller(call);
    struct json_writer *json = http_start_json();

    json_key(json, "bots");
    json_open_list(json);
    for (unsigned i = 0; i < ledger_bot_count(ledger); i++) {
        if (ledger_bot(ledger, i)->is_removed)
            continue;
        json_open_map(json);
        ledger_describe_bot_json(json, ledger_bot(ledger, i));
        if (queue_may_see_bot(&caller, ledger_bot(ledger, i)))
            ledger_describe_commands_json(json, ledger_bot(ledger, i));
        json_close_map(json);
    }
    json_close_list(json);
    http_reply_json(call, 200, json);
}

void http_answer_languages(struct http_call *call)
{
    struct json_writer *json = http_start_json();

    json_key(json, "languages");
    json_open_list(json);
    for (size_t i = 0; i < language_count(); i++) {
        const struct language *language = language_at(i);

        json_open_map(json);
        json_put_text(json, "name", language->name);
        json_put_flag(json, "is_installed", language_has_program(language->program));
        json_put_text(json, "program", language->program);
        json_put_text(json, "file", language->file);
        json_put_text(json, "command", language->command);
        json_put_text(json, "build", language->build != NULL ? language->build : "");
        json_close_map(json);
    }
    json_close_list(json);
    http_reply_json(call, 200, json);
}
