#ifndef REFEREE_SERVE_QUEUE_USERS_H
#define REFEREE_SERVE_QUEUE_USERS_H

/* Users with tokens: a file with one line per user, the name and the SHA-256 of the token. The
 * tokens themselves are not stored. After these two, a line may have the word `organiser`, and
 * `id=ID`: what the user is called in lists of grades, such as a student number. */

#include "base/text.h"

#include <stdbool.h>

#define USERS_TOKEN_BYTES 33 /* 32 hexadecimal digits and a NUL */
#define USERS_NAME_MAX 32    /* as span_is_name(); not `owner`, `guest`, `uid-…` */
#define USERS_ID_MAX 64      /* printable ASCII without spaces and commas */

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

/* Whether the user of that name is an organiser; the id of that user, lent until the next reload,
 * or "". */
bool users_is_organiser(const struct users *users, const char *name);
const char *users_id(const struct users *users, const char *name);

/* A user who is added, or gets a new token. */
struct new_user {
    const char *name;
    const char *id;    /* NULL: as before, or none */
    bool is_organiser; /* false: as before */
};

/* Gives a user a new token, which replaces an older one, and writes the file atomically: then it is
 * on the disk, with the users that other processes add at the same time. Returns 0, or -1 with a
 * sentence. */
int users_add(const char *path, const struct new_user *new, char token[USERS_TOKEN_BYTES],
              struct text *problem);

#endif
