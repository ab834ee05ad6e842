/* The ledger says what the folders in `bots` and `jobs` are. If it was lost, or is an older copy, a
 * new bot or job would get the number of an old one: its files would be overwritten, or its logs be
 * taken for those of the new one. So a ledger that does not know the jobs that are there is
 * refused; and whatever the ledger does not know is moved out of the way, never removed.
 *
 * A job has a folder only after the ledger has counted it, so one that it does not know is a sure
 * sign. An upload is there a moment before it is counted, so it is none. */

#include "base/directory.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/queue/queue_private.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMED_MAX 3        /* folders that a message names */
#define NAME_MAX_BYTES 600 /* of a path in the folder: a folder of bots, a name, a version */

/* Calls `visit` for everything in a folder, if there is one, until that returns -1. Returns 0; or
 * -1 then, or with errno if the folder cannot be read. */
typedef int visit_fn(struct queue *queue, const char *name, void *context);

static int visit_all(struct queue *queue, const char *folder, visit_fn *visit, void *context)
{
    char *path = directory_join(queue->folder, folder);
    DIR *entries = opendir(path);
    const struct dirent *entry;
    int result = entries != NULL || errno == ENOENT ? 0 : -1;

    while (entries != NULL && result == 0 && (entry = readdir(entries)) != NULL) {
        char name[NAME_MAX_BYTES];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        result = visit(queue, name, context);
    }
    if (entries != NULL)
        closedir(entries);
    free(path);
    return result;
}

/* Setting aside. */

static bool is_there(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 || errno != ENOENT;
}

/* A path below QUEUE_SALVAGED that is free. */
static char *find_room(const struct queue *queue, const char *name)
{
    char room[NAME_MAX_BYTES + 40];
    char *path = NULL;

    for (unsigned i = 1; path == NULL || is_there(path); i++) {
        free(path);
        if (i == 1)
            snprintf(room, sizeof room, QUEUE_SALVAGED "/%s", name);
        else
            snprintf(room, sizeof room, QUEUE_SALVAGED "/%s.%u", name, i);
        path = directory_join(queue->folder, room);
    }
    return path;
}

static int move(const char *from, const char *to)
{
    char *parent = xstrndup(to, (size_t)(strrchr(to, '/') - to));
    int result = directory_make(parent);

    if (result == 0)
        result = rename(from, to);
    if (result == 0)
        result = directory_sync(parent);
    free(parent);
    return result == 0 ? directory_sync_parent(from) : -1;
}

int queue_set_aside(const struct queue *queue, const char *name)
{
    char *from = directory_join(queue->folder, name);
    char *to = NULL;
    int result = 0;

    if (is_there(from)) {
        to = find_room(queue, name);
        result = move(from, to);
        if (result == 0)
            message_say("%s is not in the ledger; it is now %s", name, to);
    }
    free(to);
    free(from);
    return result;
}

/* What the ledger does not know. */

static bool is_known_upload(const struct queue *queue, const char *name)
{
    for (unsigned i = 0; i < ledger_bot_count(queue->ledger); i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, i);

        if (bot->is_upload && bot->folder != NULL && strcmp(bot->folder, name) == 0)
            return true;
    }
    return false;
}

static bool is_known_job(const struct queue *queue, const char *name)
{
    long number;

    return span_read_number(span_of(name + strlen("jobs/")), 1, UINT32_MAX, &number) != 0 ||
           number <= (long)ledger_job_count(queue->ledger);
}

static int set_aside_upload(struct queue *queue, const char *name, void *context)
{
    (void)context;
    return is_known_upload(queue, name) ? 0 : queue_set_aside(queue, name);
}

static int set_aside_uploads(struct queue *queue, const char *name, void *context)
{
    return visit_all(queue, name, set_aside_upload, context);
}

static int set_aside_job(struct queue *queue, const char *name, void *context)
{
    (void)context;
    return is_known_job(queue, name) ? 0 : queue_set_aside(queue, name);
}

static int set_aside_all(struct queue *queue, struct text *problem)
{
    if (visit_all(queue, "bots", set_aside_uploads, NULL) == 0 &&
        visit_all(queue, "jobs", set_aside_job, NULL) == 0)
        return 0;
    text_printf(problem, "%s: cannot move what the ledger does not know to " QUEUE_SALVAGED ": %s",
                queue->folder, strerror(errno));
    return -1;
}

/* Whether it can be trusted. */

static int refuse_any(struct queue *queue, const char *name, void *context)
{
    text_printf(context,
                "%s/" QUEUE_LEDGER " is missing or empty, but there is %s: put the ledger back, or "
                "start once with --salvage, which moves all bots and jobs to %s/" QUEUE_SALVAGED
                " and starts with an empty one",
                queue->folder, name, queue->folder);
    return -1;
}

static int refuse_unknown_job(struct queue *queue, const char *name, void *context)
{
    if (is_known_job(queue, name))
        return 0;
    text_printf(context,
                "%s/" QUEUE_LEDGER " does not know %s, so it is incomplete or an old copy: put the "
                "newest one back, or start once with --salvage, which moves what the ledger does "
                "not know to %s/" QUEUE_SALVAGED,
                queue->folder, name, queue->folder);
    return -1;
}

/* Whether bots or jobs are there although the ledger is not. */
static int refuse_if_lost(struct queue *queue, struct text *problem)
{
    static const char *const folders[] = {"bots", "jobs", "builds"};

    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        if (visit_all(queue, folders[i], refuse_any, problem) != 0)
            return -1;
    }
    return 0;
}

static void report_salvage(const struct queue *queue)
{
    const struct journal_loss *loss = ledger_loss(queue->ledger);
    unsigned bots = ledger_bot_count(queue->ledger);
    unsigned jobs = ledger_job_count(queue->ledger);

    if (loss->saved != NULL)
        message_say("the ledger was damaged in line %lu: from there on, %zu bytes are now in %s",
                    loss->line, loss->bytes, loss->saved);
    message_say("the ledger has %u version%s of bots and %u job%s%s", bots, bots == 1 ? "" : "s",
                jobs, jobs == 1 ? "" : "s",
                loss->saved != NULL ? "; jobs whose end was lost are played again" : "");
}

/* What the ledger knows, but the folder has lost: the first names, and how many there are. */
struct missing {
    char bytes[200];
    struct text names;
    unsigned count;
};

static void note_missing(struct missing *missing, const struct queue *queue, const char *name)
{
    char *path = directory_join(queue->folder, name);

    if (!is_there(path)) {
        missing->count++;
        if (missing->count <= NAMED_MAX)
            text_printf(&missing->names, "%s%.50s", missing->count > 1 ? ", " : "", name);
        else if (missing->count == NAMED_MAX + 1)
            text_add(&missing->names, ", ...");
    }
    free(path);
}

static void say_missing(const struct missing *missing, const char *what, const char *consequence)
{
    if (missing->count > 0)
        message_say("%u %s%s missing (%s): %s", missing->count, what,
                    missing->count == 1 ? " is" : "s are", missing->names.buffer, consequence);
}

/* A job that has decided something has a folder. */
static void report_missing(const struct queue *queue)
{
    struct missing uploads = {.count = 0};
    struct missing jobs = {.count = 0};

    text_start(&uploads.names, uploads.bytes, sizeof uploads.bytes);
    text_start(&jobs.names, jobs.bytes, sizeof jobs.bytes);
    for (unsigned i = 0; i < ledger_bot_count(queue->ledger); i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, i);

        if (bot->is_upload && bot->folder != NULL && !bot->is_removed)
            note_missing(&uploads, queue, bot->folder);
    }
    for (unsigned number = 1; number <= ledger_job_count(queue->ledger); number++) {
        const struct job *job = ledger_job(queue->ledger, number);
        char name[40];

        snprintf(name, sizeof name, "jobs/%u", number);
        if (job->state == JOB_DONE || job->state == JOB_PAUSED || job->decided > 0)
            note_missing(&jobs, queue, name);
    }
    say_missing(&uploads, "uploaded bot", "it cannot play until it is submitted again");
    say_missing(&jobs, "job folder",
                "its results and logs are lost, and a job that is not "
                "over starts over");
}

/* What is not in the ledger any more, and was never acknowledged unless the disk lost it. */
static void report_dropped(const struct queue *queue)
{
    char dropped[160];
    struct text text;

    text_start(&text, dropped, sizeof dropped);
    if (journal_write_dropped(&text, ledger_loss(queue->ledger)))
        message_say(QUEUE_LEDGER ": %s; a bot or job that was among them has to be submitted "
                                 "again, and a job whose end was among them is resumed",
                    dropped);
}

static int check_ledger(struct queue *queue, struct text *problem)
{
    bool is_salvage = queue->setup.is_salvage;
    bool is_blank = ledger_is_blank(queue->ledger);

    if (is_salvage ? set_aside_all(queue, problem) != 0
                   : (is_blank && refuse_if_lost(queue, problem) != 0) ||
                         visit_all(queue, "jobs", refuse_unknown_job, problem) != 0)
        return -1;
    if ((is_salvage && ledger_salvage(queue->ledger) != 0) ||
        (is_blank && ledger_begin(queue->ledger) != 0)) {
        text_printf(problem, "%s/" QUEUE_LEDGER ": %s", queue->folder, journal_error(errno));
        return -1;
    }
    if (is_salvage)
        report_salvage(queue);
    report_dropped(queue);
    report_missing(queue);
    return 0;
}

int queue_open_ledger(struct queue *queue, struct text *problem)
{
    char *path = directory_join(queue->folder, QUEUE_LEDGER);
    int result = 0;

    /* Before the file is made. */
    if (!queue->setup.is_salvage && !is_there(path))
        result = refuse_if_lost(queue, problem);
    if (result == 0)
        queue->ledger =
            ledger_open(path, queue->setup.is_salvage ? JOURNAL_SALVAGE : JOURNAL_WRITE, problem);
    free(path);
    result = queue->ledger != NULL ? check_ledger(queue, problem) : -1;
    if (result != 0 && problem->length == 0)
        text_printf(problem, "%s: its bots and jobs cannot be listed: %s", queue->folder,
                    strerror(errno));
    return result;
}
