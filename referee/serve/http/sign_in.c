/* Signing in and out. The browser keeps the id of its session in a cookie that no script can read
 * and that requests of other sites do not get. Under TLS the cookie has a name that only this very
 * address can set. */

#include "serve/http/http_private.h"

#include "base/clock.h"

#include <event2/buffer.h>
#include <event2/http.h>
#include <stdio.h>

#define COOKIE_BYTES 256
#define TOKEN_MAX 128

const char *http_cookie_name(const struct http_call *call)
{
    return call->is_tls ? "__Host-referee" : "referee";
}

static void set_cookie(struct http_call *call, const char *id, int seconds)
{
    char cookie[COOKIE_BYTES];

    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Lax; Max-Age=%d%s",
             http_cookie_name(call), id, seconds, call->is_tls ? "; Secure" : "");
    http_add_header(call, "Set-Cookie", cookie);
}

/* Who asks, and the secret for changes. */
void http_answer_me(struct http_call *call)
{
    struct json_writer *json = http_start_json();
    char secret[SESSIONS_SECRET_BYTES];

    sessions_make_secret(call->http->sessions, call->identity, secret);
    json_put_text(json, "user", call->user);
    json_put_flag(json, "is_signed_in", call->is_signed_in);
    json_put_flag(json, "may_change", http_may_change(call));
    json_put_flag(json, "is_organiser", http_caller(call).is_organiser);
    json_put_text(json, "csrf", secret);
    http_reply_json(call, 200, json);
}

/* The body is the token, perhaps with blanks from where it was copied. */
void http_answer_sign_in(struct http_call *call)
{
    struct evbuffer *body = evhttp_request_get_input_buffer(call->request);
    char bytes[TOKEN_MAX + 1] = "";
    char id[SESSIONS_ID_BYTES];
    struct span rest = {bytes, 0};
    const char *user;

    if (evbuffer_get_length(body) <= TOKEN_MAX)
        rest.length = (size_t)evbuffer_remove(body, bytes, TOKEN_MAX);
    user = sessions_open(call->http->sessions, span_cut_word(&rest), clock_now_us(), id);
    if (user == NULL) {
        http_reply_text(call, 403, "Nobody has that token.");
        return;
    }
    sessions_close(call->http->sessions, http_cookie(call));
    set_cookie(call, id, SESSIONS_SECONDS);
    http_reply_nothing(call);
}

void http_answer_sign_out(struct http_call *call)
{
    sessions_close(call->http->sessions, http_cookie(call));
    set_cookie(call, "", 0);
    http_reply_nothing(call);
}
