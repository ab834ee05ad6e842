/* A bot never reads its files where they are: folders change, and what appears in one later, as the
 * store or the log of a match, is not the bot's. So its files are copied once, for all its
 * processes and for all bots of the same folder, without what belongs to the referee. If bots have
 * users of their own, a copy can be read only by a group that no other bot is in. */

#include "sandbox/program_copy.h"

#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "sandbox/scratch_dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool program_copy_is_reachable(const char *path)
{
    struct stat status;
    mode_t needed = S_IROTH;

    if (!scratch_dir_is_way_open(path) || stat(path, &status) != 0)
        return false;
    if ((status.st_mode & S_IXUSR) != 0)
        needed |= S_IXOTH;
    return (status.st_mode & needed) == needed;
}

static void free_copy(struct program_copy *copy)
{
    free(copy->from);
    free(copy->to);
    free(copy->folder);
    free(copy);
}

/* A file keeps its name, in a folder of its own. */
static int make_copy(struct program_copy *copy)
{
    bool is_alone = strcmp(copy->to, copy->folder) != 0;

    if (is_alone && mkdir(copy->folder, 0700) != 0)
        return -1;
    if (directory_tree_copy_for(copy->from, copy->to, copy->group) != 0)
        return -1;
    if (is_alone && (chmod(copy->folder, 0550) != 0 ||
                     (copy->group != 0 && chown(copy->folder, 0, copy->group) != 0)))
        return -1;
    return 0;
}

static struct program_copy *new_copy(struct program_copies *copies, const char *from)
{
    struct program_copy *copy = xcalloc(1, sizeof *copy);
    struct stat status;
    char folder[SCRATCH_DIR_NAME_BYTES];
    const char *name;

    scratch_dir_name(folder, "copy");
    if (stat(from, &status) != 0 || asprintf(&copy->folder, "%s/%s", copies->root, folder) < 0) {
        free(copy);
        return NULL;
    }
    copy->from = xstrdup(from);
    name = strrchr(from, '/') + 1;
    copy->to = S_ISDIR(status.st_mode) ? xstrdup(copy->folder) : directory_join(copy->folder, name);
    return copy;
}

static struct program_copy *look_up(const struct program_copies *copies, const char *from)
{
    struct program_copy *copy = copies->first;

    while (copy != NULL && strcmp(copy->from, from) != 0)
        copy = copy->next;
    return copy;
}

bool program_copy_fits(const struct program_copies *copies, const char *from)
{
    return look_up(copies, from) != NULL || directory_tree_fits(from);
}

const struct program_copy *program_copy_find(struct program_copies *copies, const char *from)
{
    struct program_copy *copy = look_up(copies, from);
    int error;

    if (copy != NULL)
        return copy;
    if (copies->root == NULL)
        copies->root = scratch_dir_make_root(scratch_dir_place(true), &copies->root_fd);
    copy = copies->root != NULL ? new_copy(copies, from) : NULL;
    if (copy == NULL)
        return NULL;
    if (copies->uids != NULL)
        copy->group = uid_pool_take(copies->uids);
    if ((copies->uids == NULL || copy->group != 0) && make_copy(copy) == 0) {
        copy->next = copies->first;
        copies->first = copy;
        return copy;
    }
    error = errno;
    (void)scratch_dir_remove(copy->folder);
    if (copy->group != 0)
        uid_pool_give_back(copies->uids, copy->group);
    free_copy(copy);
    errno = error;
    return NULL;
}

void program_copy_close(struct program_copies *copies)
{
    while (copies->first != NULL) {
        struct program_copy *copy = copies->first;

        copies->first = copy->next;
        if (copy->group != 0)
            uid_pool_give_back(copies->uids, copy->group);
        free_copy(copy);
    }
    if (copies->root != NULL) {
        (void)scratch_dir_remove(copies->root);
        close(copies->root_fd);
    }
    free(copies->root);
    copies->root = NULL;
}
