#ifndef REFEREE_SERVE_QUEUE_USERS_H
#define REFEREE_SERVE_QUEUE_USERS_H

/* Users with tokens: a file with one line per user, the name and the SHA-256 of the token. The
 * tokens themselves are not stored. */

#include "base/text.h"

#define USERS_TOKEN_BYTES 33 /* 32 hexadecimal digits and a NUL */
#define USERS_NAME_MAX 32    /* as span_is_name(); not `owner`, `guest`, `uid-…` */

struct users;

/* Reads the file; if it is missing there are no users. Refuses a file that others can read or
 * write. Returns NULL with one sentence in `problem`. */
struct users *users_open(const char *path, struct text *problem);
void users_free(struct users *users);

/* Reads it again. Returns 0, or -1 with a sentence: then nothing has changed. */
int users_reload(struct users *users, struct text *problem);

unsigned users_count(const struct users *users);

/* The file, lent. */
const char *users_path(const struct users *users);

/* The name of the user with that token, lent until the next reload; NULL if there is none. Takes as
 * long for a token that is nearly right as for any other. */
const char *users_find(const struct users *users, struct span token);

/* Gives a user a new token, which replaces an older one, and writes the file atomically: then it is
 * on the disk, with the users that other processes add at the same time. Returns 0, or -1 with a
 * sentence. */
int users_add(const char *path, const char *name, char token[USERS_TOKEN_BYTES],
              struct text *problem);

#endif
