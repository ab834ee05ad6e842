/* The table of paths, and reading the target of a request. A target is compared with the table byte
 * by byte: nothing is decoded or normalised, and no part of it ever becomes a file name. Numbers
 * are read strictly, so that each thing has one address. */

#include "serve/http/http_private.h"

#include "base/text.h"

#include <limits.h>

static const struct http_route routes[] = {
    {.pattern = "/", .answer = http_answer_page, .page = PAGE_OVERVIEW},
    {.pattern = "/bots", .answer = http_answer_page, .page = PAGE_BOTS},
    {.pattern = "/bots/*", .answer = http_answer_bot_page},
    {.pattern = "/users/*", .answer = http_answer_page, .page = PAGE_USER},
    {.pattern = "/submit", .answer = http_answer_page, .page = PAGE_SUBMIT},
    {.pattern = "/languages", .answer = http_answer_page, .page = PAGE_LANGUAGES},
    {.pattern = "/jobs/#", .answer = http_answer_job_page},
    {.pattern = "/view/#/#.#", .answer = http_answer_viewer},
    {.pattern = "/log/#/#.#", .answer = http_answer_log, .file = "job"},
    {.pattern = "/stderr/#/#.#/*", .answer = http_answer_stderr},
    {.pattern = "/bots/*/#/build", .answer = http_answer_output, .step = TRIAL_BUILD},
    {.pattern = "/bots/*/#/hello", .answer = http_answer_output, .step = TRIAL_HELLO},
    {.pattern = "/bots/*/#/check", .answer = http_answer_output, .step = TRIAL_CHECK},
    {.pattern = "/report/#",
     .answer = http_answer_artifact,
     .artifact = ARTIFACT_HTML,
     .kind = HTTP_REPORT},
    {.pattern = "/ladder", .answer = http_answer_page, .page = PAGE_LADDER},
    {.pattern = "/ladder/*", .answer = http_answer_ladder_page},
    {.pattern = "/api/ladders", .answer = http_answer_ladders},
    {.pattern = "/api/ladder/*", .answer = http_answer_ladder},
    {.pattern = "/events", .answer = http_answer_events},
    {.pattern = "/api/status", .answer = http_answer_status},
    {.pattern = "/api/jobs", .answer = http_answer_jobs},
    {.pattern = "/api/bots", .answer = http_answer_bots},
    {.pattern = "/api/languages", .answer = http_answer_languages},
    {.pattern = "/api/jobs/#", .answer = http_answer_job},
    {.pattern = "/api/jobs/#/standings",
     .answer = http_answer_artifact,
     .artifact = ARTIFACT_JSON,
     .kind = HTTP_JSON},
    {.pattern = "/api/jobs/#/text",
     .answer = http_answer_artifact,
     .artifact = ARTIFACT_TEXT,
     .kind = HTTP_TEXT},
    {.pattern = "/api/jobs/#/table",
     .answer = http_answer_artifact,
     .artifact = ARTIFACT_CSV,
     .kind = HTTP_CSV,
     .file = "standings"},
    {.pattern = "/api/jobs/#/cross",
     .answer = http_answer_artifact,
     .artifact = ARTIFACT_CROSS,
     .kind = HTTP_CSV,
     .file = "cross"},
    {.pattern = "/api/jobs/#/matches",
     .answer = http_answer_artifact,
     .artifact = ARTIFACT_MATCHES,
     .kind = HTTP_CSV,
     .file = "matches"},
    {.pattern = "/api/grades", .answer = http_answer_grades},
    {.pattern = "/api/me", .answer = http_answer_me, .is_public = true},
    {.pattern = "/api/sign-in", .answer = http_answer_sign_in, .is_post = true, .is_public = true},
    {.pattern = "/api/sign-out", .answer = http_answer_sign_out, .is_post = true},
    {.pattern = "/api/seats", .answer = http_answer_sit_down, .is_post = true},
    {.pattern = "/api/seats/*", .answer = http_answer_seat},
    {.pattern = "/api/seats/*", .answer = http_answer_seat_lines, .is_post = true},
    {.pattern = "/api/seats/*/leave", .answer = http_answer_seat_leave, .is_post = true},
    {.pattern = "/play", .answer = http_answer_page, .page = PAGE_PLAY},
    {.pattern = "/table.css", .answer = http_answer_page, .page = PAGE_TABLE_STYLE},
    {.pattern = "/table.js", .answer = http_answer_page, .page = PAGE_TABLE_SCRIPT},
    {.pattern = "/api/requests", .answer = http_answer_request, .is_post = true},
    {.pattern = "/api/requests/*", .answer = http_answer_request_part, .is_post = true},
    {.pattern = "/sign-in", .answer = http_answer_page, .page = PAGE_SIGN_IN, .is_public = true},
    {.pattern = "/style.css", .answer = http_answer_page, .page = PAGE_STYLE, .is_public = true},
    {.pattern = "/texts.js", .answer = http_answer_page, .page = PAGE_TEXTS, .is_public = true},
    {.pattern = "/page.js", .answer = http_answer_page, .page = PAGE_COMMON, .is_public = true},
    {.pattern = "/sign-in.js",
     .answer = http_answer_page,
     .page = PAGE_SIGN_IN_SCRIPT,
     .is_public = true},
    {.pattern = "/lists.js", .answer = http_answer_page, .page = PAGE_LISTS},
    {.pattern = "/overview.js", .answer = http_answer_page, .page = PAGE_OVERVIEW_SCRIPT},
    {.pattern = "/job.js", .answer = http_answer_page, .page = PAGE_JOB_SCRIPT},
    {.pattern = "/matches.js", .answer = http_answer_page, .page = PAGE_MATCHES_SCRIPT},
    {.pattern = "/bots.js", .answer = http_answer_page, .page = PAGE_BOTS_SCRIPT},
    {.pattern = "/bot.js", .answer = http_answer_page, .page = PAGE_BOT_SCRIPT},
    {.pattern = "/user.js", .answer = http_answer_page, .page = PAGE_USER_SCRIPT},
    {.pattern = "/submit.js", .answer = http_answer_page, .page = PAGE_SUBMIT_SCRIPT},
    {.pattern = "/languages.js", .answer = http_answer_page, .page = PAGE_LANGUAGES_SCRIPT},
    {.pattern = "/ladder.js", .answer = http_answer_page, .page = PAGE_LADDER_SCRIPT},
    {.pattern = "/missing.js", .answer = http_answer_page, .page = PAGE_MISSING_SCRIPT},
    {.pattern = "/favicon.ico", .answer = http_answer_page, .page = PAGE_ICON, .is_public = true},
};

/* Cuts a number off the front of `path`. */
static int cut_number(struct span *path, unsigned *number)
{
    struct span digits = {path->start, 0};
    long value = 0;

    while (digits.length < path->length && digits.start[digits.length] >= '0' &&
           digits.start[digits.length] <= '9')
        digits.length++;
    if (span_read_number(digits, 0, UINT_MAX, &value) != 0)
        return -1;
    *number = (unsigned)value;
    path->start += digits.length;
    path->length -= digits.length;
    return 0;
}

/* Cuts a name off the front of `path`. */
static int cut_name(struct span *path, char name[HTTP_NAME_MAX + 1])
{
    const char *end = memchr(path->start, '/', path->length);
    struct span word = {path->start, end != NULL ? (size_t)(end - path->start) : path->length};

    if (!span_is_name(word, HTTP_NAME_MAX))
        return -1;
    memcpy(name, word.start, word.length);
    name[word.length] = '\0';
    path->start += word.length;
    path->length -= word.length;
    return 0;
}

static bool path_fits(const char *pattern, struct span path, struct http_call *call)
{
    unsigned count = 0;

    for (; *pattern != '\0'; pattern++) {
        if (*pattern == '#' || *pattern == '*') {
            if (*pattern == '#' ? cut_number(&path, &call->numbers[count++]) != 0
                                : cut_name(&path, call->name) != 0)
                return false;
            continue;
        }
        if (path.length == 0 || *path.start != *pattern)
            return false;
        path.start++;
        path.length--;
    }
    return path.length == 0;
}

void http_find_route(const char *target, bool is_post, struct http_call *call)
{
    static const struct http_route nothing = {.pattern = "", .answer = http_answer_missing};
    struct span path = {target, strcspn(target, "?")};

    call->query = target[path.length] == '?' ? target + path.length + 1 : "";
    call->route = &nothing;
    for (size_t i = 0; i < ARRAY_LEN(routes); i++) {
        if (!path_fits(routes[i].pattern, path, call))
            continue;
        call->route = &routes[i];
        if (routes[i].is_post == is_post)
            return;
    }
}

struct span http_read_word(const char *query, const char *name)
{
    struct span rest = span_of(query);

    while (rest.start != NULL) {
        struct span value = span_cut(&rest, '&');
        struct span key = span_cut(&value, '=');

        if (span_is(key, name) && value.start != NULL)
            return value;
    }
    return (struct span){"", 0};
}

int http_read_number(const char *query, const char *name, long least, long most, long *value)
{
    struct span word = http_read_word(query, name);

    return word.length == 0 ? 0 : span_read_number(word, least, most, value);
}
