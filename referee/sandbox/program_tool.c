/* PREFIX/bin/program is installed in PREFIX. That may be much more than an installation, a folder
 * with a project for example, so its entries are taken one by one: a store that is among them, or
 * somewhere below one of them, is left out with it, and what is added to PREFIX later is not among
 * them. */

#include "sandbox/program_tool.h"

#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "sandbox/landlock.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What has more entries is something else than an installation. */
#define ENTRIES_MAX 64

bool program_tool_is_in_path(const char *program)
{
    const char *folders = getenv("PATH");
    struct span rest = span_of(folders != NULL ? folders : LANDLOCK_PATH);
    size_t length = (size_t)(strrchr(program, '/') - program);

    while (rest.start != NULL) {
        struct span folder = span_cut(&rest, ':');

        if (folder.length == length && strncmp(folder.start, program, length) == 0)
            return true;
    }
    return false;
}

/* PREFIX without links; NULL if there is none that can be lent. Free it. */
static char *prefix_of(const char *program)
{
    static const char *const names[] = {"/bin", "/sbin", "/shims"};
    char *prefix = xstrdup(program);
    char *end = strrchr(prefix, '/');
    char *real = NULL;

    *end = '\0';
    end = strrchr(prefix, '/');
    for (size_t i = 0; end != NULL && end != prefix && i < ARRAY_LEN(names) && real == NULL; i++) {
        if (strcmp(end, names[i]) == 0) {
            *end = '\0';
            real = realpath(prefix, NULL);
        }
    }
    free(prefix);
    if (real != NULL && !landlock_is_broad(real) && !directory_is_private(real))
        return real;
    free(real);
    return NULL;
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

char **program_tool_installation(const char *program)
{
    char *prefix = prefix_of(program);
    struct dirent **entries = NULL;
    int count = prefix != NULL ? scandir(prefix, &entries, is_entry, alphasort) : -1;
    char **paths =
        count >= 0 && count <= ENTRIES_MAX ? xcalloc((size_t)count + 1, sizeof *paths) : NULL;
    size_t length = 0;

    for (int i = 0; i < count; i++) {
        char *path = paths != NULL ? directory_join(prefix, entries[i]->d_name) : NULL;

        if (path != NULL && !directory_tree_holds_mark(path))
            paths[length++] = path;
        else
            free(path);
        free(entries[i]);
    }
    free(entries);
    free(prefix);
    return paths;
}

void program_tool_free(char **paths)
{
    for (size_t i = 0; paths != NULL && paths[i] != NULL; i++)
        free(paths[i]);
    free(paths);
}

char *program_tool_of_system(const char *program)
{
    struct span rest = span_of(LANDLOCK_PATH);

    while (rest.start != NULL) {
        struct span folder = span_cut(&rest, ':');
        char path[PATH_MAX];

        (void)snprintf(path, sizeof path, "%.*s%s", (int)folder.length, folder.start,
                       strrchr(program, '/'));
        if (access(path, X_OK) == 0)
            return xstrdup(path);
    }
    return NULL;
}
