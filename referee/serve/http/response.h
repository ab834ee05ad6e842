#ifndef REFEREE_SERVE_HTTP_RESPONSE_H
#define REFEREE_SERVE_HTTP_RESPONSE_H

/* Sending replies. */

#include "wire/json_write.h"
#include "wire/request_error.h"
#include "web/pages.h"

#include <stddef.h>

struct evbuffer;
struct http_call;

/* Each of these ends a call. The first takes `body`. */
void http_reply(struct http_call *call, int status, enum http_kind kind, struct evbuffer *body);
void http_reply_page(struct http_call *call, int status, enum page_name page);

/* Takes the descriptor. */
void http_reply_file(struct http_call *call, enum http_kind kind, int fd, size_t length);
void http_reply_text(struct http_call *call, int status, const char *text);

/* A map, which the second closes, sends and frees. It has no `<`, `>` or `&`, so that it is
 * harmless wherever it is put. */
struct json_writer *http_start_json(void);
void http_reply_json(struct http_call *call, int status, struct json_writer *json);

/* 204: it will exist, but not yet. */
void http_reply_nothing(struct http_call *call);
void http_reply_error(struct http_call *call, const struct request_error *error);

/* The same as JSON, in the form of a refused request of the control protocol. */
void http_reply_refusal(struct http_call *call, const struct request_error *error);

/* Adds a header to the reply; the headers that every reply has. */
void http_add_header(struct http_call *call, const char *name, const char *value);
void http_add_headers(struct http_call *call, enum http_kind kind);

#endif
