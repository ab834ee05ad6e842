/* The file is read as a whole and kept as a list. A token is looked up by its hash, and every hash
 * is compared in full, so that the time reveals nothing. */

#include "serve/queue/users.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_HEX (2 * crypto_hash_sha256_BYTES + 1)
#define LINE_BYTES 300

struct user {
    char name[USERS_NAME_MAX + 1];
    char hash[HASH_HEX];
    char id[USERS_ID_MAX + 1];
    bool is_organiser;
};

struct users {
    char *path;
    struct user *list;
    unsigned count;
};

static void hash_token(struct span token, char hex[HASH_HEX])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, (const unsigned char *)token.start, token.length);
    sodium_bin2hex(hex, HASH_HEX, hash, sizeof hash);
}

/* Names of users without a token: nobody else may have them. */
static bool is_reserved(struct span name)
{
    return span_is(name, "owner") || span_is(name, "guest") ||
           (name.length > 4 && strncmp(name.start, "uid-", 4) == 0);
}

static bool is_user(struct span name)
{
    return span_is_name(name, USERS_NAME_MAX) && !is_reserved(name);
}

static bool is_hash(struct span word)
{
    for (size_t i = 0; i < word.length; i++) {
        if (!isxdigit((unsigned char)word.start[i]))
            return false;
    }
    return word.length == HASH_HEX - 1;
}

/* Reading. */

static int complain(struct text *problem, const char *path, const char *why)
{
    text_printf(problem, "%s: %s", path, why);
    return -1;
}

/* It is a word of a line, and a cell of a table with commas. A spreadsheet takes some beginnings
 * for a formula. */
static bool is_id(struct span id)
{
    for (size_t i = 0; i < id.length; i++) {
        if (id.start[i] <= ' ' || id.start[i] > '~' || strchr(",;\"'", id.start[i]) != NULL)
            return false;
    }
    return id.length >= 1 && id.length <= USERS_ID_MAX && strchr("=+-@", id.start[0]) == NULL;
}

/* A word after the hash. */
static int take_word(struct user *user, struct span word)
{
    if (span_is(word, "organiser")) {
        user->is_organiser = true;
        return 0;
    }
    if (!span_is(span_cut(&word, '='), "id") || word.start == NULL || !is_id(word))
        return -1;
    snprintf(user->id, sizeof user->id, "%.*s", (int)word.length, word.start);
    return 0;
}

static int take_line(struct users *users, const char *line)
{
    struct span rest = span_of(line);
    struct span name = span_cut_word(&rest);
    struct span hash = span_cut_word(&rest);
    struct span word = span_cut_word(&rest);
    struct user user = {.is_organiser = false};

    if (name.length == 0 || name.start[0] == '#')
        return 0;
    if (!is_user(name) || !is_hash(hash))
        return -1;
    for (; word.length > 0; word = span_cut_word(&rest)) {
        if (take_word(&user, word) != 0)
            return -1;
    }
    memcpy(user.name, name.start, name.length);
    memcpy(user.hash, hash.start, hash.length);
    users->list = xrealloc(users->list, (users->count + 1) * sizeof *users->list);
    users->list[users->count++] = user;
    return 0;
}

static int read_lines(struct users *users, FILE *file, struct text *problem)
{
    char line[LINE_BYTES];

    for (long number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        bool is_whole = strchr(line, '\n') != NULL || feof(file);

        if (is_whole && take_line(users, line) == 0)
            continue;
        text_printf(problem, "%s: line %ld is not a name and the SHA-256 of a token", users->path,
                    number);
        return -1;
    }
    return ferror(file) ? complain(problem, users->path, strerror(errno)) : 0;
}

static int read_file(struct users *users, struct text *problem)
{
    /* Nobody waits for a pipe in its place. */
    int fd = open(users->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    struct stat status;
    int result;

    if (file == NULL) {
        result = errno == ENOENT ? 0 : complain(problem, users->path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return result;
    }
    /* A user who can read the hashes can try tokens, and one who can write them can add a user. */
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        result = complain(problem, users->path, "it is not a regular file");
    else if ((status.st_mode & 077) != 0)
        result = complain(problem, users->path,
                          "others can read or write this file; `chmod 600` fixes that");
    else
        result = read_lines(users, file, problem);
    fclose(file);
    return result;
}

struct users *users_open(const char *path, struct text *problem)
{
    struct users *users = xcalloc(1, sizeof *users);

    users->path = xstrdup(path);
    if (read_file(users, problem) == 0)
        return users;
    users_free(users);
    return NULL;
}

void users_free(struct users *users)
{
    if (users == NULL)
        return;
    free(users->list);
    free(users->path);
    free(users);
}

int users_reload(struct users *users, struct text *problem)
{
    struct users *fresh = users_open(users->path, problem);
    struct users old = *users;

    if (fresh == NULL)
        return -1;
    *users = *fresh;
    *fresh = old;
    users_free(fresh);
    return 0;
}

unsigned users_count(const struct users *users)
{
    return users->count;
}

const char *users_path(const struct users *users)
{
    return users->path;
}

const char *users_find(const struct users *users, struct span token)
{
    char hash[HASH_HEX];
    const char *found = NULL;

    hash_token(token, hash);
    for (unsigned i = 0; i < users->count; i++) {
        if (sodium_memcmp(hash, users->list[i].hash, sizeof hash) == 0)
            found = users->list[i].name;
    }
    return found;
}

static struct user *find_name(const struct users *users, const char *name)
{
    for (unsigned i = 0; i < users->count; i++) {
        if (strcmp(users->list[i].name, name) == 0)
            return &users->list[i];
    }
    return NULL;
}

bool users_is_organiser(const struct users *users, const char *name)
{
    const struct user *user = find_name(users, name);

    return user != NULL && user->is_organiser;
}

const char *users_id(const struct users *users, const char *name)
{
    const struct user *user = find_name(users, name);

    return user != NULL ? user->id : "";
}

/* Writing. */

static void set_user(struct users *users, const struct new_user *new, const char *hash)
{
    struct user *user = find_name(users, new->name);

    if (user == NULL) {
        users->list = xrealloc(users->list, (users->count + 1) * sizeof *users->list);
        user = &users->list[users->count++];
        *user = (struct user){.is_organiser = false};
        memcpy(user->name, new->name, strlen(new->name));
    }
    memcpy(user->hash, hash, HASH_HEX);
    user->is_organiser = user->is_organiser || new->is_organiser;
    if (new->id != NULL)
        snprintf(user->id, sizeof user->id, "%s", new->id);
}

static void write_user(FILE *file, const struct user *user)
{
    fprintf(file, "%s %s%s", user->name, user->hash, user->is_organiser ? " organiser" : "");
    if (user->id[0] != '\0')
        fprintf(file, " id=%s", user->id);
    fputc('\n', file);
}

/* Writes the file under another name first. */
static int write_file(const struct users *users)
{
    size_t size = strlen(users->path) + 5;
    char *path = xcalloc(size, 1);
    FILE *file;
    int fd, result = -1;

    snprintf(path, size, "%s.new", users->path);
    (void)unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file != NULL) {
        for (unsigned i = 0; i < users->count; i++)
            write_user(file, &users->list[i]);
        if (fflush(file) == 0 && fsync(fd) == 0)
            result = 0;
        if (fclose(file) != 0 || (result == 0 && rename(path, users->path) != 0))
            result = -1;
    }
    free(path);
    return result;
}

/* Opens the folder that the file is in, which is locked while somebody changes the file. */
static int lock_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup(".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = -1;

    while (fd >= 0 && (result = flock(fd, LOCK_EX)) != 0 && errno == EINTR)
        ;
    free(folder);
    if (result == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static int add_token(const char *path, const struct new_user *new, const char *token,
                     struct text *problem)
{
    struct users *users = users_open(path, problem);
    char hash[HASH_HEX];
    int result;

    if (users == NULL)
        return -1;
    hash_token(span_of(token), hash);
    set_user(users, new, hash);
    result = write_file(users);
    if (result != 0)
        (void)complain(problem, path, strerror(errno));
    users_free(users);
    return result;
}

int users_add(const char *path, const struct new_user *new, char token[USERS_TOKEN_BYTES],
              struct text *problem)
{
    unsigned char bytes[(USERS_TOKEN_BYTES - 1) / 2];
    int folder, result;

    if (new->id != NULL && !is_id(span_of(new->id)))
        return complain(problem, new->id,
                        "an id is 1 to 64 printable characters without spaces, commas, semicolons "
                        "and quotes, and does not begin with = + - or @");
    if (!is_user(span_of(new->name)))
        return complain(problem, new->name,
                        "a user is 1 to 32 letters, digits, `.`, `-` and `_`, the first a letter "
                        "or digit; not owner, guest or uid-...");
    folder = lock_folder(path);
    if (folder < 0)
        return complain(problem, path, strerror(errno));
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(token, USERS_TOKEN_BYTES, bytes, sizeof bytes);
    result = add_token(path, new, token, problem);
    if (result == 0 && fsync(folder) != 0)
        result = complain(problem, path, strerror(errno));
    close(folder);
    return result;
}
