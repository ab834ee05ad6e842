/* An entry is a folder with the hash as its name. Its files are packed again when they are used for
 * the first time by this process, and must give that hash. A build has a file next to it with the
 * hash of what it had left when it ended. The time of the folder is when it was used last. */

#include "tournament/distribute/bot_cache.h"

#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/file_read.h"
#include "base/memory.h"
#include "tournament/distribute/parcel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUILD_HEX 16

struct known {
    char path[SEAL_HASH_HEX + BUILD_HEX + 20]; /* below the folder */
    struct known *next;
};

struct bot_cache {
    char *folder;
    int64_t most_bytes;
    int lock;
    struct known *known; /* what was looked at */
};

struct bot_cache *bot_cache_open(const char *folder, int64_t most_bytes, struct text *problem)
{
    struct bot_cache *cache = xcalloc(1, sizeof *cache);
    char *lock;

    cache->folder = xstrdup(folder);
    cache->most_bytes = most_bytes;
    cache->lock = -1;
    lock = directory_join(folder, "lock");
    if (directory_make(folder) == 0)
        cache->lock = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    free(lock);
    if (cache->lock >= 0 && flock(cache->lock, LOCK_EX | LOCK_NB) == 0)
        return cache;
    text_printf(problem, "%s: %s", folder,
                errno == EWOULDBLOCK ? "another worker uses this cache; name another one with "
                                       "--cache"
                                     : strerror(errno));
    bot_cache_free(cache);
    return NULL;
}

void bot_cache_free(struct bot_cache *cache)
{
    if (cache == NULL)
        return;
    while (cache->known != NULL) {
        struct known *first = cache->known;

        cache->known = first->next;
        free(first);
    }
    if (cache->lock >= 0)
        close(cache->lock);
    free(cache->folder);
    free(cache);
}

static void write_name(struct text *text, const char *hash, const char *build)
{
    char hex[SEAL_HASH_HEX];

    text_add(text, hash);
    if (build == NULL) {
        text_add(text, "/files");
        return;
    }
    seal_hash(span_of(build), hex);
    text_printf(text, "/built-%.*s", BUILD_HEX, hex);
}

static char *path_of(const struct bot_cache *cache, const char *hash, const char *build,
                     const char *ending)
{
    char name[SEAL_HASH_HEX + BUILD_HEX + 40];
    struct text text;

    text_start(&text, name, sizeof name);
    write_name(&text, hash, build);
    text_add(&text, ending);
    return directory_join(cache->folder, name);
}

char *bot_cache_path(const struct bot_cache *cache, const char *hash, const char *build)
{
    return path_of(cache, hash, build, "");
}

static bool is_known(const struct bot_cache *cache, const char *name)
{
    for (const struct known *known = cache->known; known != NULL; known = known->next) {
        if (strcmp(known->path, name) == 0)
            return true;
    }
    return false;
}

static void note(struct bot_cache *cache, const char *hash, const char *build)
{
    struct known *known = xcalloc(1, sizeof *known);
    struct text text;

    text_start(&text, known->path, sizeof known->path);
    write_name(&text, hash, build);
    known->next = cache->known;
    cache->known = known;
}

/* Forgets what was known about an entry. */
static void forget(struct bot_cache *cache, const char *hash)
{
    struct known **link = &cache->known;

    while (*link != NULL) {
        struct known *known = *link;

        if (strncmp(known->path, hash, strlen(hash)) != 0) {
            link = &known->next;
            continue;
        }
        *link = known->next;
        free(known);
    }
}

static void remove_entry(struct bot_cache *cache, const char *hash)
{
    char *path = directory_join(cache->folder, hash);

    forget(cache, hash);
    (void)directory_tree_remove(path);
    free(path);
}

/* The hash of what is in a folder now; "" if it cannot be read. */
static void hash_folder(const char *path, char hash[SEAL_HASH_HEX])
{
    struct parcel parcel = {0};

    hash[0] = '\0';
    if (access(path, F_OK) == 0 && parcel_add(&parcel, path, "") == 0) {
        parcel_finish(&parcel);
        memcpy(hash, parcel.hash, SEAL_HASH_HEX);
    }
    parcel_free(&parcel);
}

/* Looks at files or a build. */
static bool is_intact(const struct bot_cache *cache, const char *hash, const char *build)
{
    char *path = bot_cache_path(cache, hash, build);
    char *note_path = path_of(cache, hash, build, ".hash");
    struct file_read file = {0};
    char found[SEAL_HASH_HEX];
    bool is_same;

    hash_folder(path, found);
    if (build == NULL)
        is_same = strcmp(found, hash) == 0;
    else
        is_same = found[0] != '\0' && file_read(&file, note_path, SEAL_HASH_HEX) == 0 &&
                  strcmp(file.bytes, found) == 0;
    free(file.bytes);
    free(note_path);
    free(path);
    return is_same;
}

static void touch(const struct bot_cache *cache, const char *hash)
{
    char *path = directory_join(cache->folder, hash);

    (void)utimensat(AT_FDCWD, path, NULL, 0);
    free(path);
}

bool bot_cache_has(struct bot_cache *cache, const char *hash, const char *build)
{
    char name[SEAL_HASH_HEX + BUILD_HEX + 40];
    struct text text;

    text_start(&text, name, sizeof name);
    write_name(&text, hash, build);
    if (!is_known(cache, name)) {
        if (!is_intact(cache, hash, build)) {
            if (build == NULL)
                remove_entry(cache, hash);
            return false;
        }
        note(cache, hash, build);
    }
    touch(cache, hash);
    return true;
}

/* Making room. */

static bool is_pinned(const char *name, const char *const *pinned)
{
    for (; pinned != NULL && *pinned != NULL; pinned++) {
        if (strcmp(*pinned, name) == 0)
            return true;
    }
    return false;
}

static bool is_hash(const char *name)
{
    return strlen(name) == SEAL_HASH_HEX - 1 &&
           strspn(name, "0123456789abcdef") == SEAL_HASH_HEX - 1;
}

/* What the entries use together, and the one that was not used for the longest time; "" if all are
 * pinned. */
static int64_t weigh(const struct bot_cache *cache, const char *const *pinned,
                     char oldest[SEAL_HASH_HEX])
{
    DIR *folder = opendir(cache->folder);
    const struct dirent *entry;
    struct timespec first = {0};
    int64_t bytes = 0;

    oldest[0] = '\0';
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct stat status;
        char *path;

        if (!is_hash(entry->d_name))
            continue;
        path = directory_join(cache->folder, entry->d_name);
        bytes += directory_tree_disk(path);
        if (!is_pinned(entry->d_name, pinned) && stat(path, &status) == 0 &&
            (oldest[0] == '\0' || status.st_mtim.tv_sec < first.tv_sec ||
             (status.st_mtim.tv_sec == first.tv_sec && status.st_mtim.tv_nsec < first.tv_nsec))) {
            first = status.st_mtim;
            memcpy(oldest, entry->d_name, SEAL_HASH_HEX);
        }
        free(path);
    }
    if (folder != NULL)
        closedir(folder);
    return bytes;
}

/* Returns 0, or -1 with ENOSPC. */
static int make_room(struct bot_cache *cache, int64_t bytes, const char *const *pinned)
{
    char oldest[SEAL_HASH_HEX];

    while (weigh(cache, pinned, oldest) + bytes > cache->most_bytes) {
        if (oldest[0] == '\0') {
            errno = ENOSPC;
            return -1;
        }
        remove_entry(cache, oldest);
    }
    return 0;
}

int bot_cache_add(struct bot_cache *cache, const char *hash, struct span parcel,
                  const char *const *pinned)
{
    char found[SEAL_HASH_HEX];
    char *entry = directory_join(cache->folder, hash);
    char *files = bot_cache_path(cache, hash, NULL);
    int result = -1;
    int error;

    seal_hash(parcel, found);
    errno = EINVAL;
    if (strcmp(found, hash) == 0 && make_room(cache, (int64_t)parcel.length, pinned) == 0) {
        remove_entry(cache, hash);
        if (mkdir(entry, 0755) == 0)
            result = parcel_unpack(parcel, files);
    }
    error = errno;
    if (result == 0)
        note(cache, hash, NULL);
    else if (strcmp(found, hash) == 0)
        remove_entry(cache, hash);
    free(files);
    free(entry);
    errno = error;
    return result;
}

int bot_cache_begin_build(struct bot_cache *cache, const char *hash, const char *build)
{
    char *path = bot_cache_path(cache, hash, build);
    char *note_path = path_of(cache, hash, build, ".hash");
    int result;

    (void)unlink(note_path);
    result = directory_tree_remove(path);
    free(note_path);
    free(path);
    return result;
}

int bot_cache_end_build(struct bot_cache *cache, const char *hash, const char *build)
{
    char *path = bot_cache_path(cache, hash, build);
    char *note_path = path_of(cache, hash, build, ".hash");
    char found[SEAL_HASH_HEX];
    FILE *file = NULL;
    int result = -1;

    hash_folder(path, found);
    if (found[0] != '\0')
        file = fopen(note_path, "we");
    if (file != NULL)
        result = fputs(found, file) >= 0 ? 0 : -1;
    if (file != NULL && fclose(file) != 0)
        result = -1;
    if (result == 0)
        note(cache, hash, build);
    free(note_path);
    free(path);
    return result;
}
