/* Who may make requests. On an address that only this machine can reach, everybody on this machine
 * may. But a page of another site, open in a browser here, must not: if its domain points to this
 * machine, the Host gives it away; requests across sites are marked by the browser. On an open
 * address, every request has a name and a token. */

#include "serve/http/http_private.h"

#include "base/text.h"

#include <event2/http.h>
#include <sodium.h>
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

/* Whether a page of another site makes the request, and not its reader by following a link. */
static bool is_foreign(struct evkeyvalq *headers)
{
    const char *site = evhttp_find_header(headers, "Sec-Fetch-Site");
    const char *mode = evhttp_find_header(headers, "Sec-Fetch-Mode");

    if (site == NULL || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0)
        return false;
    return mode == NULL || strcmp(mode, "navigate") != 0;
}

static bool is_user_allowed(struct http_call *call, const char *authorization)
{
    const char *user = http_find_user(call->http->setup.users, authorization);

    if (user == NULL) {
        http_add_header(call, "WWW-Authenticate", "Basic realm=\"referee\", charset=\"UTF-8\"");
        http_reply_text(call, 401, "Please give your name, and your token as the password.");
        return false;
    }
    if (!http_connections_admit(call->http, call->request, user)) {
        http_add_header(call, "Retry-After", "10");
        http_reply_text(call, 503, "You have too many connections.");
        return false;
    }
    return true;
}

bool http_is_allowed(struct http_call *call, bool is_open)
{
    struct evkeyvalq *headers = evhttp_request_get_input_headers(call->request);

    if (is_foreign(headers)) {
        http_reply_text(call, 403, "Pages of other sites may not request this.");
        return false;
    }
    if (!is_open && !http_is_local(evhttp_find_header(headers, "Host"))) {
        http_reply_text(call, 421, "This address serves only localhost, 127.0.0.1 and [::1].");
        return false;
    }
    return !is_open || is_user_allowed(call, evhttp_find_header(headers, "Authorization"));
}
