/* A list with the oldest session first. It has the hash of each id, so that the time of a search
 * reveals nothing about an id, and the token: a session lives as long as somebody has that token,
 * so a user who gets a new one is signed out everywhere. Secrets against requests of other sites
 * are not stored: they are a keyed hash of the identity, and the key is new in each process. */

#include "serve/http/sessions.h"

#include "base/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN_MAX 128
#define US_PER_S 1000000

struct session {
    unsigned char hash[crypto_hash_sha256_BYTES]; /* of its id */
    char token[TOKEN_MAX];
    size_t token_length;
    int64_t end_us;
};

struct sessions {
    const struct users *users;
    struct session list[SESSIONS_MAX];
    unsigned count;
    unsigned char key[crypto_generichash_KEYBYTES];
};

struct sessions *sessions_new(const struct users *users)
{
    struct sessions *sessions = xcalloc(1, sizeof *sessions);

    sessions->users = users;
    crypto_generichash_keygen(sessions->key);
    return sessions;
}

void sessions_free(struct sessions *sessions)
{
    if (sessions == NULL)
        return;
    sodium_memzero(sessions, sizeof *sessions);
    free(sessions);
}

unsigned sessions_count(const struct sessions *sessions)
{
    return sessions->count;
}

static const char *user_of(const struct sessions *sessions, const struct session *session,
                           int64_t now_us)
{
    struct span token = {session->token, session->token_length};

    return now_us < session->end_us ? users_find(sessions->users, token) : NULL;
}

static void remove_session(struct sessions *sessions, unsigned place)
{
    struct session *from = &sessions->list[place];

    sessions->count--;
    memmove(from, from + 1, (sessions->count - place) * sizeof *from);
    sodium_memzero(&sessions->list[sessions->count], sizeof *from);
}

/* Removes those that have ended, and the oldest if the user, or all, would have too many. */
static void make_room(struct sessions *sessions, const char *user, int64_t now_us)
{
    unsigned own = 0, oldest = 0;

    for (unsigned i = sessions->count; i-- > 0;) {
        const char *other = user_of(sessions, &sessions->list[i], now_us);

        if (other == NULL) {
            remove_session(sessions, i);
            oldest -= oldest > i;
        } else if (strcmp(other, user) == 0) {
            own++;
            oldest = i;
        }
    }
    if (own >= SESSIONS_PER_USER)
        remove_session(sessions, oldest);
    else if (sessions->count == SESSIONS_MAX)
        remove_session(sessions, 0);
}

const char *sessions_open(struct sessions *sessions, struct span token, int64_t now_us,
                          char id[SESSIONS_ID_BYTES])
{
    const char *user = token.length <= TOKEN_MAX ? users_find(sessions->users, token) : NULL;
    unsigned char bytes[(SESSIONS_ID_BYTES - 1) / 2];
    struct session *session;

    if (user == NULL)
        return NULL;
    make_room(sessions, user, now_us);
    session = &sessions->list[sessions->count++];
    *session = (struct session){.token_length = token.length,
                                .end_us = now_us + (int64_t)SESSIONS_SECONDS * US_PER_S};
    memcpy(session->token, token.start, token.length);
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(id, SESSIONS_ID_BYTES, bytes, sizeof bytes);
    crypto_hash_sha256(session->hash, (const unsigned char *)id, SESSIONS_ID_BYTES - 1);
    return user;
}

/* Returns its place, or the count. */
static unsigned find_place(const struct sessions *sessions, struct span id)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    unsigned place = 0;

    crypto_hash_sha256(hash, (const unsigned char *)id.start, id.length);
    while (place < sessions->count &&
           sodium_memcmp(hash, sessions->list[place].hash, sizeof hash) != 0)
        place++;
    return place;
}

const char *sessions_find(const struct sessions *sessions, struct span id, int64_t now_us)
{
    unsigned place = find_place(sessions, id);

    return place < sessions->count ? user_of(sessions, &sessions->list[place], now_us) : NULL;
}

void sessions_close(struct sessions *sessions, struct span id)
{
    unsigned place = find_place(sessions, id);

    if (place < sessions->count)
        remove_session(sessions, place);
}

void sessions_make_secret(const struct sessions *sessions, const char *identity,
                          char secret[SESSIONS_SECRET_BYTES])
{
    unsigned char hash[(SESSIONS_SECRET_BYTES - 1) / 2];

    crypto_generichash(hash, sizeof hash, (const unsigned char *)identity, strlen(identity),
                       sessions->key, sizeof sessions->key);
    sodium_bin2hex(secret, SESSIONS_SECRET_BYTES, hash, sizeof hash);
}

bool sessions_is_secret(const struct sessions *sessions, const char *identity, const char *secret)
{
    char right[SESSIONS_SECRET_BYTES];

    sessions_make_secret(sessions, identity, right);
    return secret != NULL && strlen(secret) == sizeof right - 1 &&
           sodium_memcmp(secret, right, sizeof right - 1) == 0;
}
