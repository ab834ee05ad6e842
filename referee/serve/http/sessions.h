#ifndef REFEREE_SERVE_HTTP_SESSIONS_H
#define REFEREE_SERVE_HTTP_SESSIONS_H

/* Who has signed in with a browser. Sessions are only in memory, so they end with the daemon; each
 * ends after some hours, with its token, or when its user has opened too many others. */

#include "serve/queue/users.h"

#include <stddef.h>
#include <stdint.h>

#define SESSIONS_ID_BYTES 65     /* 64 hexadecimal digits and a NUL */
#define SESSIONS_SECRET_BYTES 65 /* the same */
#define SESSIONS_SECONDS (12 * 3600)
#define SESSIONS_MAX 1024    /* in all; the oldest makes room */
#define SESSIONS_PER_USER 16 /* the same */

struct sessions;

struct sessions *sessions_new(const struct users *users);
void sessions_free(struct sessions *sessions);

/* Opens a session for the user with that token; `id` is what the browser keeps. Returns the user,
 * lent until the users are reloaded; NULL if nobody has the token. */
const char *sessions_open(struct sessions *sessions, struct span token, int64_t now_us,
                          char id[SESSIONS_ID_BYTES]);

/* The user of a session, lent in the same way; NULL if it has ended, or never was. */
const char *sessions_find(const struct sessions *sessions, struct span id, int64_t now_us);

/* Ends a session; one that does not exist is fine. */
void sessions_close(struct sessions *sessions, struct span id);

unsigned sessions_count(const struct sessions *sessions);

/* What a page must send with each change, so that no other site can make the browser send it. It
 * belongs to `identity`: the id of a session, or any other text that says who is asking. */
void sessions_make_secret(const struct sessions *sessions, const char *identity,
                          char secret[SESSIONS_SECRET_BYTES]);

/* Whether it is that; takes as long whatever is wrong with it. `secret` may be NULL. */
bool sessions_is_secret(const struct sessions *sessions, const char *identity, const char *secret);

#endif
