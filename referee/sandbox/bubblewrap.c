/* bubblewrap makes new namespaces, puts together a root from what it is told to bind, and runs a program
 * there. Everything that can be written to in that root would be memory that nobody counts, so the root
 * itself and /dev are made read-only in the end, /dev holds no more than a few devices, and the only
 * place to write to is of a fixed size. */

#include "sandbox/sandbox_private.h"

#include "base/memory.h"
#include "sandbox/landlock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORD_BYTES 4096

/* A list of words that grows. */
struct words {
    char **list;
    size_t count;
    size_t room;
};

static void add(struct words *words, const char *word)
{
    if (words->count + 1 >= words->room) {
        words->room = words->room * 2 + 64;
        words->list = xrealloc(words->list, words->room * sizeof *words->list);
    }
    words->list[words->count++] = xstrdup(word);
    words->list[words->count] = NULL;
}

static void add_three(struct words *words, const char *option, const char *from, const char *to)
{
    add(words, option);
    add(words, from);
    add(words, to);
}

/* /bin is a link into /usr on most machines. */
static void add_link(struct words *words, const char *path)
{
    char target[WORD_BYTES];
    ssize_t length = readlink(path, target, sizeof target - 1);

    target[length > 0 ? length : 0] = '\0';
    add_three(words, "--symlink", target, path);
}

static void add_system(struct words *words)
{
    for (size_t i = 0; i < LANDLOCK_PLACES; i++) {
        const struct landlock_place *place = &landlock_places[i];
        struct stat status;

        if (place->is_virtual || lstat(place->path, &status) != 0)
            continue;
        if (S_ISLNK(status.st_mode))
            add_link(words, place->path);
        else
            add_three(words, S_ISDIR(status.st_mode) ? "--ro-bind" : "--dev-bind", place->path,
                      place->path);
    }
    add(words, "--proc");
    add(words, "/proc");
}

static void add_scratch(struct words *words, const struct sandbox *sandbox)
{
    char size[40];

    (void)snprintf(size, sizeof size, "%lld", (long long)sandbox->limits.scratch_mb * 1024 * 1024);
    add(words, "--perms");
    add(words, "0700");
    add_three(words, "--size", size, "--tmpfs");
    add(words, BUBBLEWRAP_SCRATCH);
}

static void add_namespaces(struct words *words)
{
    char fd[20];

    (void)snprintf(fd, sizeof fd, "%d", BUBBLEWRAP_SECCOMP_FD);
    add(words, "bwrap");
    add(words, "--unshare-all");
    add(words, "--die-with-parent");
    add_three(words, "--cap-drop", "ALL", "--seccomp");
    add(words, fd);
}

char **bubblewrap_argv(const struct sandbox *sandbox, const struct program_files *files)
{
    struct words words = {0};

    add_namespaces(&words);
    add_system(&words);
    add_scratch(&words, sandbox);
    for (size_t i = 0; files->readable != NULL && files->readable[i] != NULL; i++)
        add_three(&words, "--ro-bind", files->readable[i], files->readable[i]);
    add_three(&words, "--remount-ro", "/", "--chdir");
    add(&words, files->folder != NULL ? files->folder : BUBBLEWRAP_SCRATCH);
    add(&words, "--");
    for (size_t i = 0; files->argv[i] != NULL; i++)
        add(&words, files->argv[i]);
    return words.list;
}

void bubblewrap_free(char **words)
{
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        free(words[i]);
    free(words);
}
