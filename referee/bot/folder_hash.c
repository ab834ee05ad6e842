/* Each entry adds its kind, its path below the folder, and its contents: of a file the bytes, of a
 * symbolic link where it points to, of a folder nothing more. Numbers and names end with a NUL, so
 * that no two folders look alike. Dates and owners do not count. */

#include "bot/folder_hash.h"

#include "base/memory.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 32

static void add(crypto_hash_sha256_state *state, const char *words)
{
    crypto_hash_sha256_update(state, (const unsigned char *)words, strlen(words) + 1);
}

static void add_file(crypto_hash_sha256_state *state, const char *path, const struct stat *status)
{
    FILE *file = fopen(path, "re");
    unsigned char bytes[16384];
    char size[32];
    size_t length;

    snprintf(size, sizeof size, "file %lld", (long long)status->st_size);
    add(state, size);
    while (file != NULL && (length = fread(bytes, 1, sizeof bytes, file)) > 0)
        crypto_hash_sha256_update(state, bytes, length);
    if (file != NULL)
        fclose(file);
}

static void add_link(crypto_hash_sha256_state *state, const char *path)
{
    char target[PATH_MAX] = "";

    add(state, "link");
    if (readlink(path, target, sizeof target - 1) < 0)
        target[0] = '\0';
    add(state, target);
}

static void add_folder(crypto_hash_sha256_state *state, const char *folder, unsigned depth);

static void add_entry(crypto_hash_sha256_state *state, const char *folder, const char *name,
                      unsigned depth)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = xcalloc(size, 1);
    struct stat status;

    snprintf(path, size, "%s/%s", folder, name);
    add(state, name);
    if (lstat(path, &status) != 0)
        add(state, "nothing");
    else if (S_ISREG(status.st_mode))
        add_file(state, path, &status);
    else if (S_ISLNK(status.st_mode))
        add_link(state, path);
    else if (S_ISDIR(status.st_mode) && depth < DEPTH_MAX)
        add_folder(state, path, depth + 1);
    else
        add(state, "special");
    free(path);
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int compare_names(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

static void add_folder(crypto_hash_sha256_state *state, const char *folder, unsigned depth)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_entry, compare_names);

    add(state, "folder");
    for (int i = 0; i < count; i++) {
        add_entry(state, folder, entries[i]->d_name, depth);
        free(entries[i]);
    }
    add(state, "end");
    free(entries);
}

void folder_hash(crypto_hash_sha256_state *state, const char *folder)
{
    add_folder(state, folder, 0);
}
