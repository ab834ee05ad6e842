/* One folder at a time, in /tmp. */

#include "support/scratch.h"

#include "base/memory.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATHS 4

static char folder[] = "/tmp/referee-test-XXXXXX";

void scratch_begin(void)
{
    memset(folder + sizeof folder - 7, 'X', 6);
    cr_assert_not_null(mkdtemp(folder));
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *position)
{
    (void)status;
    (void)kind;
    (void)position;
    return remove(path);
}

void scratch_end(void)
{
    cr_assert_eq(nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

const char *scratch_path(const char *name)
{
    static char paths[PATHS][300];
    static unsigned next;
    char *path = paths[next++ % PATHS];

    (void)snprintf(path, sizeof paths[0], "%s%s%s", folder, *name != '\0' ? "/" : "", name);
    return path;
}

void scratch_write(const char *name, const char *bytes, size_t length)
{
    const char *path = scratch_path(name);
    char *copy = xstrdup(path);
    FILE *file;

    for (char *slash = strchr(copy + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(copy, 0755);
        *slash = '/';
    }
    free(copy);
    file = fopen(path, "we");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    cr_assert_eq(fclose(file), 0);
}

char *scratch_read(const char *name, size_t *length)
{
    FILE *file = fopen(scratch_path(name), "re");
    struct stat status;
    char *bytes;

    cr_assert_not_null(file);
    cr_assert_eq(fstat(fileno(file), &status), 0);
    *length = (size_t)status.st_size;
    bytes = xcalloc(*length + 1, 1);
    cr_assert_eq(fread(bytes, 1, *length, file), *length);
    (void)fclose(file);
    return bytes;
}
