/* The list is sorted, so that a log is found quickly among many. */

#include "tournament/store/published_logs.h"

#include "base/directory.h"
#include "base/memory.h"
#include "tournament/store/store_private.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTEMPT ".attempt-"

static int compare(const void *one, const void *other)
{
    const struct published_log *a = one;
    const struct published_log *b = other;

    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return (a->rotation > b->rotation) - (a->rotation < b->rotation);
}

/* Only the name that the store gives a log is one: a second spelling would be a second log. */
static void read_name(struct published_log *log)
{
    char name[sizeof log->name];
    unsigned block = 0;
    unsigned rotation = 0;

    if (sscanf(log->name, "%9u/%9u", &block, &rotation) != 2 || rotation == 0)
        return;
    snprintf(name, sizeof name, "%06u/%02u" STORE_LOG, block, rotation);
    if (strcmp(name, log->name) != 0)
        return;
    log->block = block;
    log->rotation = rotation - 1;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name);

    return length >= strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

static void add_file(struct published_logs *logs, const char *block, const char *name)
{
    struct published_log log = {0};

    if ((!ends_with(name, STORE_LOG) && !ends_with(name, ".ndjson")) ||
        strstr(name, ATTEMPT) != NULL)
        return;
    snprintf(log.name, sizeof log.name, "%.40s/%.255s", block, name);
    read_name(&log);
    if ((logs->count & (logs->count - 1)) == 0)
        logs->list = xrealloc(logs->list, (2 * logs->count + 1) * sizeof *logs->list);
    logs->list[logs->count++] = log;
}

static void add_folder(struct published_logs *logs, const char *path, const char *block)
{
    char *inner = directory_join(path, block);
    DIR *folder = opendir(inner);
    struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL)
        add_file(logs, block, entry->d_name);
    if (folder != NULL)
        closedir(folder);
    free(inner);
}

struct published_logs published_logs_list(const char *folder)
{
    struct published_logs logs = {0};
    char *path = directory_join(folder, "logs");
    DIR *outer = opendir(path);
    struct dirent *entry;

    while (outer != NULL && (entry = readdir(outer)) != NULL) {
        if (entry->d_name[0] != '.')
            add_folder(&logs, path, entry->d_name);
    }
    if (outer != NULL)
        closedir(outer);
    if (logs.count > 0)
        qsort(logs.list, logs.count, sizeof *logs.list, compare);
    free(path);
    return logs;
}

void published_logs_free(struct published_logs *logs)
{
    free(logs->list);
    *logs = (struct published_logs){0};
}

bool published_logs_have(const struct published_logs *logs, unsigned block, unsigned rotation)
{
    struct published_log key = {.block = block, .rotation = rotation};

    return logs->count > 0 &&
           bsearch(&key, logs->list, logs->count, sizeof *logs->list, compare) != NULL;
}
