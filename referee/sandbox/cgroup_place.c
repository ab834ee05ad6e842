/* The kernel says in two files where we are: one lists what is mounted where, and which part of a
 * hierarchy it shows; the other lists our group in each hierarchy. The folder is the mount point
 * and the path of our group below the part that is shown. */

#include "sandbox/cgroup_place.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES 65536
#define MOUNT_ROOT 3 /* fields of a line about a mount, counted from 0 */
#define MOUNT_POINT 4

/* Whether a list of words has that word. */
static bool has_word(struct span list, char separator, const char *word)
{
    while (list.start != NULL)
        if (span_is(span_cut(&list, separator), word))
            return true;
    return false;
}

/* Whether a mount is the hierarchy that is looked for. `tail` is the type, the source and the
 * options. */
static bool is_hierarchy(struct span tail, const char *controller)
{
    struct span type = span_cut(&tail, ' ');

    (void)span_cut(&tail, ' ');
    if (controller == NULL)
        return span_is(type, "cgroup2");
    return span_is(type, "cgroup") && has_word(tail, ',', controller);
}

/* Finds the mount: what it shows, and where. */
static bool find_mount(const char *mounts, const char *controller, struct span *root,
                       struct span *point)
{
    struct span rest = span_of(mounts);

    while (rest.start != NULL) {
        struct span line = span_cut(&rest, '\n');
        struct span field = {0};
        unsigned fields = 0;

        for (; line.start != NULL && !span_is(field, "-"); fields++) {
            field = span_cut(&line, ' ');
            if (fields == MOUNT_ROOT)
                *root = field;
            else if (fields == MOUNT_POINT)
                *point = field;
        }
        if (line.start != NULL && fields > MOUNT_POINT && is_hierarchy(line, controller))
            return true;
    }
    return false;
}

/* Finds the path of our group. Its line is "NUMBER:CONTROLLERS:PATH", without controllers in
 * version 2. */
static bool find_group(const char *groups, const char *controller, struct span *path)
{
    struct span rest = span_of(groups);

    while (rest.start != NULL) {
        struct span line = span_cut(&rest, '\n');
        struct span controllers;

        (void)span_cut(&line, ':');
        controllers = span_cut(&line, ':');
        *path = line;
        if (line.start != NULL &&
            (controller != NULL ? has_word(controllers, ',', controller) : controllers.length == 0))
            return true;
    }
    return false;
}

/* What is left of a path below `root`; false if it is not below it. */
static bool cut_root(struct span *path, struct span root)
{
    if (span_is(root, "/"))
        return true;
    if (path->length < root.length || strncmp(path->start, root.start, root.length) != 0)
        return false;
    path->start += root.length;
    path->length -= root.length;
    return path->length == 0 || path->start[0] == '/';
}

char *cgroup_place_read(const char *mounts, const char *groups, const char *controller)
{
    struct span root = {0};
    struct span point = {0};
    struct span path;
    char *folder;

    if (!find_mount(mounts, controller, &root, &point) || !find_group(groups, controller, &path) ||
        !cut_root(&path, root) ||
        asprintf(&folder, "%.*s%.*s", (int)point.length, point.start, (int)path.length,
                 path.start) < 0)
        return NULL;
    return folder;
}

/* All of a file, as far as it fits. One read would give only a page of it. */
static void read_file(const char *path, char buffer[FILE_BYTES])
{
    FILE *file = fopen(path, "re");
    size_t length = file != NULL ? fread(buffer, 1, FILE_BYTES - 1, file) : 0;

    buffer[length] = '\0';
    if (file != NULL)
        fclose(file);
}

char *cgroup_place_find(const char *controller)
{
    char *mounts = xcalloc(1, FILE_BYTES);
    char *groups = xcalloc(1, FILE_BYTES);
    char *folder;

    read_file("/proc/self/mountinfo", mounts);
    read_file("/proc/self/cgroup", groups);
    folder = cgroup_place_read(mounts, groups, controller);
    free(mounts);
    free(groups);
    return folder;
}
