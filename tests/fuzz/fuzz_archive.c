/* Reads any bytes as an archive. Whatever comes of it, paths stay below their folder and the files
 * within their size. */

#include "serve/archive/archive.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_path(const char *path)
{
    size_t length = strlen(path);

    if (length == 0 || length > ARCHIVE_PATH_MAX || path[0] == '/' || path[length - 1] == '/' ||
        strcmp(path, "..") == 0 || strncmp(path, "../", 3) == 0 || strstr(path, "/../") != NULL ||
        strstr(path, "//") != NULL || (length >= 3 && strcmp(path + length - 3, "/..") == 0))
        abort();
}

static int take_folder(void *context, const char *path)
{
    (void)context;
    check_path(path);
    return 0;
}

static int take_file(void *context, const char *path, struct span bytes)
{
    size_t *taken = context;

    check_path(path);
    *taken += bytes.length;
    if (*taken > ARCHIVE_BYTES_MAX)
        abort();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t taken = 0;
    struct archive_taker taker = {take_folder, take_file, &taken};
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (archive_read((struct span){(const char *)data, size}, &taker, &problem) == 0 &&
        problem.length > 0)
        abort();
    return 0;
}
