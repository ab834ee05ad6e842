/* A name is right if it is the one that the store would write with the numbers in it: a second
 * spelling of a name would be a second file.
 *
 * Public logs are what others look at, so in `logs` anything else is wrong. Blocks that are not
 * public and builds of bots are not looked into: nobody is shown them. What --salvage has put
 * aside, what a killed process was writing, and what somebody has put next to all this are named,
 * but do no harm. */

#include "tournament/store/store_inventory.h"

#include "base/directory.h"
#include "base/escape.h"
#include "base/memory.h"
#include "tournament/store/store_private.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PUBLIC "logs"
#define ALIEN "no referee has put this here"

struct entry {
    char *path; /* from the folder on */
    mode_t kind;
};

struct store_inventory {
    struct entry *list; /* sorted by path, so that a log is found quickly among many */
    size_t count;
};

/* Listing. */

static void add(struct store_inventory *inventory, const char *path, mode_t kind)
{
    if ((inventory->count & (inventory->count - 1)) == 0)
        inventory->list =
            xrealloc(inventory->list, (2 * inventory->count + 1) * sizeof *inventory->list);
    inventory->list[inventory->count++] = (struct entry){xstrdup(path), kind};
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Lists a folder, whose path is `inner` from the folder of the store on; and the folders in it, as
 * deep as that. A file that is gone meanwhile is nobody's. */
static void list_folder(struct store_inventory *inventory, int parent, const char *inner,
                        unsigned depth)
{
    int fd = openat(parent, *inner != '\0' ? inner : ".",
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct stat status;
        char *path;

        if (is_dots(entry->d_name) || fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        path = *inner != '\0' ? directory_join(inner, entry->d_name) : xstrdup(entry->d_name);
        add(inventory, path, status.st_mode & S_IFMT);
        if (S_ISDIR(status.st_mode) && depth > 0)
            list_folder(inventory, parent, path, depth - 1);
        free(path);
    }
    if (folder != NULL)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
}

static int compare(const void *one, const void *other)
{
    return strcmp(((const struct entry *)one)->path, ((const struct entry *)other)->path);
}

struct store_inventory *store_inventory_take(const char *folder)
{
    struct store_inventory *inventory = xcalloc(1, sizeof *inventory);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return inventory;
    list_folder(inventory, fd, "", 0);
    list_folder(inventory, fd, PUBLIC, 1);
    close(fd);
    if (inventory->count > 0)
        qsort(inventory->list, inventory->count, sizeof *inventory->list, compare);
    return inventory;
}

bool store_inventory_has_log(const struct store_inventory *inventory, unsigned block,
                             unsigned rotation)
{
    char path[64];
    struct entry key = {.path = path};

    (void)snprintf(path, sizeof path, PUBLIC "/%06u/%02u" STORE_LOG, block, rotation + 1);
    return inventory->count > 0 && bsearch(&key, inventory->list, inventory->count,
                                           sizeof *inventory->list, compare) != NULL;
}

void store_inventory_free(struct store_inventory *inventory)
{
    for (size_t i = 0; i < inventory->count; i++)
        free(inventory->list[i].path);
    free(inventory->list);
    free(inventory);
}

/* Judging. */

struct judging {
    const struct store *store;
    store_inventory_fn *on_finding;
    void *context;
};

static void find(const struct judging *judging, enum store_inventory_finding finding,
                 const struct entry *entry, const char *why)
{
    char bytes[1200];
    struct text path;

    text_start(&path, bytes, sizeof bytes);
    escape_add(&path, span_of(entry->path));
    judging->on_finding(judging->context, finding, bytes, why);
}

/* Whether it is a file, or a folder, as it should be. */
static bool is_of_kind(const struct judging *judging, const struct entry *entry, mode_t kind)
{
    if (entry->kind == kind)
        return true;
    find(judging, STORE_INVENTORY_WRONG, entry,
         entry->kind == S_IFLNK ? "it is a link, and leads out of the store"
         : kind == S_IFDIR      ? "it is not a folder"
                                : "it is not a file");
    return false;
}

static void judge_outer(const struct judging *judging, const struct entry *entry)
{
    const char *name = entry->path;

    if (strcmp(name, DIRECTORY_MARK) == 0 || store_is_own_name(name))
        (void)is_of_kind(judging, entry, store_is_own_folder(name) ? S_IFDIR : S_IFREG);
    else
        find(judging, STORE_INVENTORY_OTHER, entry, NULL);
}

/* The files of a match: the forms of their names. */
static const struct {
    const char *form; /* of the match, from 1, and of another number */
    bool is_attempt;
    unsigned most; /* the largest other number */
} forms[] = {
    {"%02u" STORE_LOG, false, 0},
    {"%02u.ndjson.stderr.%u", false, ALLEGRA_SEATS_MAX - 1},
    {"%02u.attempt-%u.ndjson", true, 9999},
};

/* Reads the name of a file of a match. Returns its form, or -1. */
static int read_name(const char *name, unsigned *match)
{
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        char again[64];
        unsigned other = 0;

        *match = 0;
        if (sscanf(name, forms[i].form, match, &other) < 1 || *match == 0 || *match > 32 ||
            other > forms[i].most)
            continue;
        (void)snprintf(again, sizeof again, forms[i].form, *match, other);
        if (strcmp(again, name) == 0)
            return (int)i;
    }
    return -1;
}

static void judge_match(const struct judging *judging, const struct entry *entry, unsigned block,
                        const char *name)
{
    unsigned match;
    int form = read_name(name, &match);

    if (form < 0) {
        find(judging, STORE_INVENTORY_WRONG, entry, ALIEN);
        return;
    }
    if (!is_of_kind(judging, entry, S_IFREG))
        return;
    if (!(store_done(judging->store, block) >> (match - 1) & 1))
        find(judging, STORE_INVENTORY_WRONG, entry, "the journal has no result of this match");
    else if (forms[form].is_attempt)
        find(judging, STORE_INVENTORY_ATTEMPT, entry, NULL);
}

/* Something in the folder of the public logs: the folder of a block, or what is in one. */
static void judge_public(const struct judging *judging, const struct entry *entry, const char *name)
{
    const char *file = strchr(name, '/');
    char again[32];
    unsigned block = 0;
    int length;

    if (sscanf(name, "%9u", &block) != 1)
        block = 0;
    length = snprintf(again, sizeof again, "%06u", block);
    if (block == 0 || strncmp(again, name, (size_t)length) != 0 ||
        (name[length] != '\0' && name + length != file))
        find(judging, STORE_INVENTORY_WRONG, entry, ALIEN);
    else if (file != NULL)
        judge_match(judging, entry, block, file + 1);
    else if (is_of_kind(judging, entry, S_IFDIR) && store_done(judging->store, block) == 0)
        find(judging, STORE_INVENTORY_WRONG, entry, "the journal has no result of this block");
}

void store_inventory_judge(const struct store_inventory *inventory, const struct store *store,
                           store_inventory_fn *on_finding, void *context)
{
    struct judging judging = {store, on_finding, context};

    for (size_t i = 0; i < inventory->count; i++) {
        const struct entry *entry = &inventory->list[i];

        if (strncmp(entry->path, PUBLIC "/", sizeof PUBLIC) == 0)
            judge_public(&judging, entry, entry->path + sizeof PUBLIC);
        else
            judge_outer(&judging, entry);
    }
}
