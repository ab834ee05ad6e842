/* Who makes a request, and whether it may be answered. A request has a name and a token (HTTP
 * Basic), or the cookie of a session, or neither: then it is the guest's, who may read on an
 * address that only this machine can reach, and on an open one only what is needed to sign in.
 *
 * A page of another site, open in a browser here, may do nothing: if its domain points to this
 * machine, the Host gives it away; requests across sites are marked by the browser. What changes
 * something also needs a secret that only our own pages can read, in a header that no form can
 * send. */

#include "serve/http/http_private.h"

#include "base/clock.h"
#include "base/text.h"

#include <event2/http.h>
#include <sodium.h>
#include <stdio.h>
#include <strings.h>

#define CREDENTIALS_MAX 200

static bool is_port(const char *text)
{
    return *text == '\0' || (*text == ':' && strspn(text + 1, "0123456789") == strlen(text + 1));
}

bool http_is_local(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};

    for (size_t i = 0; host != NULL && i < ARRAY_LEN(names); i++) {
        size_t length = strlen(names[i]);

        if (strncasecmp(host, names[i], length) == 0 && is_port(host + length))
            return true;
    }
    return false;
}

const char *http_find_user(const struct users *users, const char *authorization)
{
    char credentials[CREDENTIALS_MAX];
    size_t length = 0;
    struct span name, token;
    const char *owner;

    if (authorization == NULL || strncasecmp(authorization, "Basic ", 6) != 0)
        return NULL;
    authorization += 6;
    if (sodium_base642bin((unsigned char *)credentials, sizeof credentials, authorization,
                          strlen(authorization), " ", &length, NULL,
                          sodium_base64_VARIANT_ORIGINAL) != 0)
        return NULL;
    token = (struct span){credentials, length};
    name = span_cut(&token, ':');
    if (token.start == NULL)
        return NULL;
    owner = users_find(users, token);
    return owner != NULL && span_is(name, owner) ? owner : NULL;
}

struct span http_cookie(const struct http_call *call)
{
    const char *cookies =
        evhttp_find_header(evhttp_request_get_input_headers(call->request), "Cookie");
    struct span rest = span_of(cookies != NULL ? cookies : "");

    while (rest.start != NULL) {
        struct span value = span_cut(&rest, ';');

        while (value.length > 0 && *value.start == ' ') {
            value.start++;
            value.length--;
        }
        if (span_is(span_cut(&value, '='), http_cookie_name(call)) && value.start != NULL)
            return value;
    }
    return (struct span){"", 0};
}

/* Whether a page of another site makes the request, and not its reader by following a link, which
 * changes nothing. */
static bool is_foreign(struct evkeyvalq *headers, bool is_post)
{
    const char *site = evhttp_find_header(headers, "Sec-Fetch-Site");
    const char *mode = evhttp_find_header(headers, "Sec-Fetch-Mode");

    if (site == NULL || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0)
        return false;
    return is_post || mode == NULL || strcmp(mode, "navigate") != 0;
}

/* Browsers send the origin of a page with every POST. */
static bool is_own_origin(struct http_call *call, struct evkeyvalq *headers)
{
    const char *origin = evhttp_find_header(headers, "Origin");
    const char *host = evhttp_find_header(headers, "Host");
    const char *scheme = call->is_tls ? "https://" : "http://";

    if (origin == NULL)
        return true;
    return host != NULL && strncmp(origin, scheme, strlen(scheme)) == 0 &&
           strcasecmp(origin + strlen(scheme), host) == 0;
}

static void set_user(struct http_call *call, const char *user, const char *kind,
                     struct span identity)
{
    snprintf(call->user, sizeof call->user, "%s", user);
    snprintf(call->identity, sizeof call->identity, "%s %.*s", kind, (int)identity.length,
             identity.start);
    call->is_signed_in = true;
}

/* Returns -1 if the credentials are wrong; a session that has ended is none. */
static int find_user(struct http_call *call, struct evkeyvalq *headers)
{
    const char *authorization = evhttp_find_header(headers, "Authorization");
    struct span cookie = http_cookie(call);
    const char *user;

    snprintf(call->user, sizeof call->user, "%s", HTTP_GUEST);
    snprintf(call->identity, sizeof call->identity, "%s", HTTP_GUEST);
    if (authorization != NULL) {
        user = http_find_user(call->http->setup.users, authorization);
        if (user == NULL)
            return -1;
        set_user(call, user, "user", span_of(user));
    } else if (cookie.length == SESSIONS_ID_BYTES - 1) {
        user = sessions_find(call->http->sessions, cookie, clock_now_us());
        if (user != NULL)
            set_user(call, user, "session", cookie);
    }
    return 0;
}

/* A reader gets the form; a program is told what to send. Browsers would show a dialog of their own
 * if they were told. */
static bool refuse_guest(struct http_call *call, struct evkeyvalq *headers)
{
    const char *accept = evhttp_find_header(headers, "Accept");

    if (!call->route->is_post && accept != NULL && strstr(accept, "text/html") != NULL) {
        http_add_header(call, "Location", "/sign-in");
        http_reply_text(call, 303, "Please sign in.");
        return false;
    }
    if (evhttp_find_header(headers, "Sec-Fetch-Mode") == NULL)
        http_add_header(call, "WWW-Authenticate", "Basic realm=\"referee\", charset=\"UTF-8\"");
    http_reply_text(call, 401, "Please give your name, and your token as the password.");
    return false;
}

/* The owner has no name and no token: nobody is the owner here. */
struct caller http_caller(const struct http_call *call)
{
    return (struct caller){
        .user = call->user,
        .is_organiser = users_is_organiser(call->http->setup.users, call->user),
    };
}

bool http_may_change(const struct http_call *call)
{
    return call->is_signed_in || (!call->is_open && users_count(call->http->setup.users) == 0);
}

/* What changes something. The guest may sign in, and do the rest where there are no users. */
static bool is_change_allowed(struct http_call *call, struct evkeyvalq *headers)
{
    const char *secret = evhttp_find_header(headers, "X-CSRF-Token");

    if (!is_own_origin(call, headers) ||
        !sessions_is_secret(call->http->sessions, call->identity, secret)) {
        http_reply_text(call, 403, "This page is too old, or of another site: load it again.");
        return false;
    }
    if (call->route->is_public || http_may_change(call))
        return true;
    http_reply_text(call, 403, "Please sign in first.");
    return false;
}

bool http_is_allowed(struct http_call *call)
{
    struct evkeyvalq *headers = evhttp_request_get_input_headers(call->request);
    bool is_known;

    if (is_foreign(headers, call->route->is_post)) {
        http_reply_text(call, 403, "Pages of other sites may not request this.");
        return false;
    }
    if (!call->is_open && !http_is_local(evhttp_find_header(headers, "Host"))) {
        http_reply_text(call, 421, "This address serves only localhost, 127.0.0.1 and [::1].");
        return false;
    }
    is_known = find_user(call, headers) == 0;
    if (!is_known || (call->is_open && !call->is_signed_in && !call->route->is_public))
        return refuse_guest(call, headers);
    if (call->is_signed_in && !http_connections_admit(call->http, call->request, call->user)) {
        http_add_header(call, "Retry-After", "10");
        http_reply_text(call, 503, "You have too many connections.");
        return false;
    }
    return !call->route->is_post || is_change_allowed(call, headers);
}
