/* Each entry adds its kind, its path below the folder, and its contents: of a file the bytes, of a
 * symbolic link where it points to, of a folder nothing more. Numbers and names end with a NUL, so
 * that no two folders give the same hash. Dates and owners do not count. */

#include "base/directory_hash.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 32

static void add(crypto_hash_sha256_state *state, const char *text)
{
    crypto_hash_sha256_update(state, (const unsigned char *)text, strlen(text) + 1);
}

/* Only a lasting error counts as empty: a temporary one must not change the identity of a bot. */
static bool is_for_ever(int error)
{
    return error == EACCES || error == EPERM;
}

int directory_hash_file(crypto_hash_sha256_state *state, const char *path)
{
    FILE *file = fopen(path, "re");
    unsigned char bytes[16384];
    size_t length;
    int error;

    if (file == NULL)
        return is_for_ever(errno) ? 0 : -1;
    while ((length = fread(bytes, 1, sizeof bytes, file)) > 0)
        crypto_hash_sha256_update(state, bytes, length);
    error = ferror(file) ? errno : 0;
    fclose(file);
    errno = error;
    return error == 0 ? 0 : -1;
}

static int add_file(crypto_hash_sha256_state *state, const char *path, const struct stat *status)
{
    char size[32];

    snprintf(size, sizeof size, "file %lld", (long long)status->st_size);
    add(state, size);
    return directory_hash_file(state, path);
}

static void add_link(crypto_hash_sha256_state *state, const char *path)
{
    char target[PATH_MAX] = "";

    add(state, "link");
    if (readlink(path, target, sizeof target - 1) < 0)
        target[0] = '\0';
    add(state, target);
}

static int add_folder(crypto_hash_sha256_state *state, const char *folder, unsigned depth);

static int add_entry(crypto_hash_sha256_state *state, const char *folder, const char *name,
                     unsigned depth)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = xcalloc(size, 1);
    struct stat status;
    int result = 0;

    snprintf(path, size, "%s/%s", folder, name);
    add(state, name);
    if (lstat(path, &status) != 0)
        add(state, "nothing");
    else if (S_ISREG(status.st_mode))
        result = add_file(state, path, &status);
    else if (S_ISLNK(status.st_mode))
        add_link(state, path);
    else if (S_ISDIR(status.st_mode) && depth < DEPTH_MAX)
        result = add_folder(state, path, depth + 1);
    else
        add(state, "special");
    free(path);
    return result;
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int compare_names(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

static int add_folder(crypto_hash_sha256_state *state, const char *folder, unsigned depth)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_entry, compare_names);
    int result = count >= 0 || is_for_ever(errno) ? 0 : -1;

    add(state, "folder");
    for (int i = 0; i < count; i++) {
        if (result == 0)
            result = add_entry(state, folder, entries[i]->d_name, depth);
        free(entries[i]);
    }
    add(state, "end");
    free(entries);
    return result;
}

int directory_hash(crypto_hash_sha256_state *state, const char *folder)
{
    return add_folder(state, folder, 0);
}
