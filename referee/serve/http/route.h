#ifndef REFEREE_SERVE_HTTP_ROUTE_H
#define REFEREE_SERVE_HTTP_ROUTE_H

/* The table of paths, and the functions that answer them. */

#include "base/text.h"
#include "serve/queue/queue.h"
#include "web/pages.h"

struct http_call;

#define HTTP_NAME_MAX 32

/* One path. `#` in it is a number without leading zeros, `*` the name of a bot or user. */
struct http_route {
    const char *pattern;
    void (*answer)(struct http_call *call);
    enum page_name page;    /* for http_answer_page() */
    enum http_kind kind;    /* for http_answer_artifact() */
    enum artifact artifact; /* the same */
    enum trial_step step;   /* for http_answer_output() */
    const char *file;       /* what a browser calls it on the disk, before its number; or NULL */
    bool is_post;           /* it changes something */
    bool is_public;         /* also for those who have not signed in, on any address */
};

/* Finds the route of a request's target and fills in the call. If there is none for this kind of
 * request, it is the route of a path with the other kind, or one that answers that nothing is
 * there. */
void http_find_route(const char *target, bool is_post, struct http_call *call);

/* Reads `name` of a query, a number from `least` to `most`; leaves `value` alone if it is missing.
 * Returns 0, or -1 if it is not such a number. */
int http_read_number(const char *query, const char *name, long least, long most, long *value);

/* Reads `name` of a query: a span, empty if it is missing. */
struct span http_read_word(const char *query, const char *name);

/* The functions of the table. */
void http_answer_sit_down(struct http_call *call);
void http_answer_seat(struct http_call *call);
void http_answer_seat_lines(struct http_call *call);
void http_answer_seat_leave(struct http_call *call);
void http_answer_page(struct http_call *call);
void http_answer_missing(struct http_call *call);
void http_answer_job_page(struct http_call *call);
void http_answer_artifact(struct http_call *call);
void http_answer_bot_page(struct http_call *call);
void http_answer_stderr(struct http_call *call);
void http_answer_output(struct http_call *call);
void http_answer_languages(struct http_call *call);
void http_answer_log(struct http_call *call);
void http_answer_viewer(struct http_call *call);
void http_answer_status(struct http_call *call);
void http_answer_jobs(struct http_call *call);
void http_answer_job(struct http_call *call);
void http_answer_bots(struct http_call *call);
void http_answer_grades(struct http_call *call);
void http_answer_ladders(struct http_call *call);
void http_answer_ladder(struct http_call *call);
void http_answer_ladder_page(struct http_call *call);
void http_answer_events(struct http_call *call);
void http_answer_me(struct http_call *call);
void http_answer_sign_in(struct http_call *call);
void http_answer_sign_out(struct http_call *call);
void http_answer_request(struct http_call *call);
void http_answer_request_part(struct http_call *call);

#endif
