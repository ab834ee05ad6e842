/* Files that nobody needs any more: of bots that were removed, and builds that belong to no bot.
 *
 * A tree of a stranger takes a while to delete, and the loop never waits: it is moved to DISCARDED,
 * and a process deletes all that is there. */

#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/queue/child.h"
#include "serve/queue/queue_private.h"
#include "tournament/play/built_bot.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DISCARDED "discarded"

/* Deleting. */

static void on_discard_line(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static void start_discarding(struct queue *queue);

static void on_discarded(void *context, int status)
{
    struct queue *queue = context;

    (void)status;
    child_free(queue->discarding);
    queue->discarding = NULL;
    if (queue->has_discarded)
        start_discarding(queue);
}

/* What it does not delete, because it is killed or the disk fails, is deleted with what is
 * discarded next, or when the daemon starts. */
static void start_discarding(struct queue *queue)
{
    char *path = directory_join(queue->folder, DISCARDED);
    const char *argv[] = {"/bin/rm", "-rf", "--", path, NULL};
    struct child_setup setup = {.argv = argv,
                                .stderr_path = "/dev/null",
                                .on_line = on_discard_line,
                                .on_end = on_discarded,
                                .context = queue};

    queue->has_discarded = false;
    queue->discarding = child_start(queue->setup.base, &setup);
    free(path);
}

/* Moves it to a name that is free. Returns 0, or -1 with errno. */
static int move_away(struct queue *queue, const char *path)
{
    char *folder = directory_join(queue->folder, DISCARDED);
    char name[24];
    char *target;
    int result;

    do {
        snprintf(name, sizeof name, "%lu", ++queue->discarded);
        target = directory_join(folder, name);
        result = directory_make(folder) == 0 ? rename(path, target) : -1;
        free(target);
    } while (result != 0 && (errno == EEXIST || errno == ENOTEMPTY));
    free(folder);
    return result;
}

void queue_discard(struct queue *queue, const char *path)
{
    struct stat status;

    if (lstat(path, &status) != 0)
        return;
    if (move_away(queue, path) != 0) {
        if (directory_tree_remove(path) != 0)
            message_say("%s cannot be deleted: %s", path, strerror(errno));
        return;
    }
    queue->has_discarded = true;
    if (queue->discarding == NULL)
        start_discarding(queue);
}

void queue_clear_discarded(struct queue *queue)
{
    char *path = directory_join(queue->folder, DISCARDED);

    if (queue->discarding == NULL && access(path, F_OK) == 0)
        start_discarding(queue);
    free(path);
}

/* What is in use. */

/* Whether a process may read the files of a version, or make some. */
static bool is_used(const struct queue *queue, unsigned place)
{
    if (queue_is_trying(queue, place))
        return true;
    for (const struct running_job *running = queue->running; running != NULL;
         running = running->next) {
        for (unsigned i = 0; i < running->job->bot_count; i++) {
            if (running->job->bots[i].place == place)
                return true;
        }
    }
    return false;
}

/* Versions with the same files and the same build command share what was built. */
static bool is_build_used(const struct queue *queue, const char *hash)
{
    for (unsigned i = 0; i < ledger_bot_count(queue->ledger); i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, i);

        if (bot->source_hash != NULL && strncmp(bot->source_hash, hash, QUEUE_HASH_LENGTH) == 0 &&
            (!bot->is_removed || is_used(queue, i)))
            return true;
    }
    return false;
}

/* Removed bots. */

static void discard_in(struct queue *queue, const char *folder, const char *name)
{
    char *parent = directory_join(queue->folder, folder);
    char *path = directory_join(parent, name);

    queue_discard(queue, path);
    free(path);
    free(parent);
}

static void discard_version(struct queue *queue, const struct ledger_bot *bot, const char *part)
{
    char name[CONFIG_NAME_MAX + 40];

    snprintf(name, sizeof name, "%s/%u", bot->name, bot->version);
    discard_in(queue, part, name);
}

/* The lock goes last: where it is not, there is nothing else. */
static void discard_build(struct queue *queue, const char *hash)
{
    char name[QUEUE_HASH_LENGTH + 20];
    char *folder = directory_join(queue->folder, QUEUE_BUILDS);
    char *lock;

    snprintf(name, sizeof name, "%.*s%s", QUEUE_HASH_LENGTH, hash,
             built_bot_endings[BUILT_BOT_ENDINGS - 1]);
    lock = directory_join(folder, name);
    if (access(lock, F_OK) == 0 && !is_build_used(queue, hash)) {
        for (unsigned i = 0; i < BUILT_BOT_ENDINGS; i++) {
            snprintf(name, sizeof name, "%.*s%s", QUEUE_HASH_LENGTH, hash, built_bot_endings[i]);
            discard_in(queue, QUEUE_BUILDS, name);
        }
    }
    free(lock);
    free(folder);
}

void queue_sweep_removed(struct queue *queue)
{
    for (unsigned i = 0; i < ledger_bot_count(queue->ledger); i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, i);

        if (!bot->is_removed || is_used(queue, i))
            continue;
        if (bot->is_upload)
            discard_version(queue, bot, "bots");
        discard_version(queue, bot, "trials");
        if (bot->source_hash != NULL)
            discard_build(queue, bot->source_hash);
    }
}

/* A daemon that was killed may have been building something that the ledger does not know. What a
 * job still needs of that is built again. */
void queue_sweep_builds(struct queue *queue)
{
    char *path = directory_join(queue->folder, QUEUE_BUILDS);
    DIR *folder = opendir(path);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.' && !is_build_used(queue, entry->d_name))
            discard_in(queue, QUEUE_BUILDS, entry->d_name);
    }
    if (folder != NULL)
        (void)closedir(folder);
    free(path);
}
