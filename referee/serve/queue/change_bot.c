/* Disqualifying, reinstating and removing bots. As with jobs, a change is on the disk before it is
 * done. Then the bot leaves the jobs that are not over: its matches are cancelled, and tournaments
 * go on without it. */

#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/queue/child.h"
#include "serve/queue/queue_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DISCARDED "discarded"

/* The newest version of a bot that is not removed; else NULL with an error. */
static const struct ledger_bot *find_bot(const struct queue *queue, const char *name,
                                         struct request_error *error)
{
    int place = ledger_find_bot(queue->ledger, name);
    const struct ledger_bot *bot = place >= 0 ? ledger_bot(queue->ledger, (unsigned)place) : NULL;

    if (bot != NULL && strcmp(bot->name, name) == 0 && !bot->is_removed)
        return bot;
    (void)request_error_set(error, REQUEST_ERROR_NO_BOT, "there is no bot %.40s", name);
    return NULL;
}

static bool has_bot(const struct queue *queue, const struct job *job, const char *name)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, job->bots[i].place);

        if (bot != NULL && strcmp(bot->name, name) == 0)
            return true;
    }
    return false;
}

/* What cannot be written now is not lost: a job that is started leaves out bots that are out. */
static void leave_job(struct queue *queue, const struct job *job)
{
    struct caller owner = {.user = job->user, .is_owner = true};
    struct request_error error;

    if (job->is_match && queue_cancel(queue, &owner, job->number, &error) != 0)
        message_say("job %u cannot be cancelled: %s", job->number, error.message);
    if (!job->is_match)
        queue_restart_job(queue, job);
}

static void leave_jobs(struct queue *queue, const char *name)
{
    for (unsigned number = 1; number <= ledger_job_count(queue->ledger); number++) {
        const struct job *job = ledger_job(queue->ledger, number);

        if (!job_is_over(job->state) && has_bot(queue, job, name))
            leave_job(queue, job);
    }
}

static void report_mark(struct queue *queue, const char *name, const char *state, const char *why)
{
    broadcast_send(queue->broadcast, &(struct feed_line){.kind = FEED_LINE_MARKED,
                                                         .name = span_of(name),
                                                         .state = span_of(state),
                                                         .text = span_of(why)});
    queue_wake(queue);
}

static int refuse_others(const struct caller *caller, const char *what, struct request_error *error)
{
    if (caller_is_organiser(caller))
        return 0;
    return request_error_set(error, REQUEST_ERROR_FORBIDDEN, "only organisers %s", what);
}

int queue_disqualify(struct queue *queue, const struct caller *caller, const char *name,
                     const char *why, struct request_error *error)
{
    const struct ledger_bot *bot;

    if (refuse_others(caller, "disqualify bots", error) != 0 ||
        (bot = find_bot(queue, name, error)) == NULL)
        return -1;
    if (bot->is_disqualified && strcmp(bot->why, why) == 0)
        return 0;
    if (ledger_disqualify_bot(queue->ledger, name, caller->user, why) != 0)
        return queue_error_disk(error, "the ledger");
    leave_jobs(queue, name);
    report_mark(queue, name, "disqualified", why);
    return 0;
}

int queue_reinstate(struct queue *queue, const struct caller *caller, const char *name,
                    struct request_error *error)
{
    const struct ledger_bot *bot;

    if (refuse_others(caller, "reinstate bots", error) != 0 ||
        (bot = find_bot(queue, name, error)) == NULL)
        return -1;
    if (!bot->is_disqualified)
        return 0;
    if (ledger_reinstate_bot(queue->ledger, name, caller->user) != 0)
        return queue_error_disk(error, "the ledger");
    report_mark(queue, name, "reinstated", "");
    return 0;
}

/* A bot that is disqualified cannot be taken out of sight by its author. */
int queue_remove_bot(struct queue *queue, const struct caller *caller, const char *name,
                     struct request_error *error)
{
    const struct ledger_bot *bot = find_bot(queue, name, error);

    if (bot == NULL)
        return -1;
    if (strcmp(bot->user, caller->user) != 0 || bot->is_disqualified) {
        if (refuse_others(caller,
                          bot->is_disqualified ? "remove a disqualified bot"
                                               : "remove bots of others",
                          error) != 0)
            return -1;
    }
    if (ledger_remove_bot(queue->ledger, name, caller->user) != 0)
        return queue_error_disk(error, "the ledger");
    leave_jobs(queue, name);
    queue_stop_removed_trials(queue);
    report_mark(queue, name, "removed", "");
    queue_sweep_removed(queue);
    return 0;
}

/* Files. */

static bool is_played(const struct queue *queue, unsigned place)
{
    for (const struct running_job *running = queue->running; running != NULL;
         running = running->next) {
        for (unsigned i = 0; i < running->job->bot_count; i++) {
            if (running->job->bots[i].place == place)
                return true;
        }
    }
    return false;
}

/* Deleting. A tree of a stranger takes a while to delete, and the loop never waits: it is moved to
 * DISCARDED, and a process deletes all that is there. */

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

static void remove_folder(struct queue *queue, const struct ledger_bot *bot, const char *part)
{
    char name[CONFIG_NAME_MAX + 40];
    char *path;

    snprintf(name, sizeof name, "%s/%s/%u", part, bot->name, bot->version);
    path = directory_join(queue->folder, name);
    queue_discard(queue, path);
    free(path);
}

void queue_sweep_removed(struct queue *queue)
{
    for (unsigned i = 0; i < ledger_bot_count(queue->ledger); i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, i);

        if (!bot->is_removed || !bot->is_upload || is_played(queue, i))
            continue;
        remove_folder(queue, bot, "bots");
        remove_folder(queue, bot, "trials");
    }
}
