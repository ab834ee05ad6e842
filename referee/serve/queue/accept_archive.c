/* An archive is unpacked by a process of its own, before it counts: into a folder below
 * `unpacking`, which becomes the folder of the version. A daemon that dies in between has
 * acknowledged nothing; what is left below `unpacking` is removed when the next one starts. */

#include "base/directory.h"
#include "base/memory.h"
#include "serve/queue/queue_private.h"
#include "wire/request.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "unpacking"
#define AT_ONCE_MAX 8
#define AT_ONCE_OF_USER 2
#define SECONDS_MAX 60

struct unpacking {
    struct queue *queue;
    char user[64];
    bool is_owner, is_organiser;
    struct new_bot bot; /* its texts are ours */
    char *folder;
    struct child *child;
    struct event *on_overdue;
    char line[CHILD_LINE_MAX + 1]; /* the last one of the process */
    queue_unpacked_fn *on_unpacked;
    void *context;
    struct unpacking *next;
};

static char *copy_of(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

static void end_unpacking(struct unpacking *unpacking)
{
    struct unpacking **link = &unpacking->queue->unpackings;

    while (*link != unpacking)
        link = &(*link)->next;
    *link = unpacking->next;
    child_free(unpacking->child);
    event_free(unpacking->on_overdue);
    queue_discard(unpacking->queue, unpacking->folder);
    free((void *)unpacking->bot.name);
    free((void *)unpacking->bot.command);
    free((void *)unpacking->bot.build);
    free((void *)unpacking->bot.file);
    free((void *)unpacking->bot.unpacked);
    free(unpacking->folder);
    free(unpacking);
}

/* A process that waits for the disk does not die at once, so the rest follows when it has; until
 * then it counts for its user. */
void unpacking_free(struct unpacking *unpacking)
{
    if (unpacking == NULL)
        return;
    unpacking->on_unpacked = NULL;
    child_kill(unpacking->child);
}

void queue_stop_unpacking(struct queue *queue)
{
    while (queue->unpackings != NULL)
        end_unpacking(queue->unpackings);
}

/* The version is submitted as any other upload, with what is in the folder. */
static int submit(struct unpacking *unpacking, int status, struct request_error *error)
{
    struct caller caller = {.user = unpacking->user,
                            .is_owner = unpacking->is_owner,
                            .is_organiser = unpacking->is_organiser};
    struct span rest = span_of(unpacking->line);
    struct span word = span_cut_word(&rest);
    long bytes;

    if (status != 0 || (!span_is(word, "ok") && !span_is(word, "bad")))
        return request_error_set(
            error, REQUEST_ERROR_VALUE,
            "the archive cannot be unpacked: it takes too much memory or time, "
            "or the machine has no room");
    if (span_is(word, "bad"))
        return request_error_set(error, REQUEST_ERROR_VALUE, "%s",
                                 unpacking->line + strlen("bad "));
    if (span_read_number(span_cut_word(&rest), 0, LONG_MAX, &bytes) != 0)
        bytes = 0;
    unpacking->bot.length = (size_t)bytes;
    return queue_submit_bot(unpacking->queue, &caller, &unpacking->bot, error);
}

static void on_line(void *context, const char *line)
{
    struct unpacking *unpacking = context;

    snprintf(unpacking->line, sizeof unpacking->line, "%s", line);
}

static void on_end(void *context, int status)
{
    struct unpacking *unpacking = context;
    queue_unpacked_fn *on_unpacked = unpacking->on_unpacked;
    void *other = unpacking->context;
    struct request_error error;
    int version = on_unpacked != NULL ? submit(unpacking, status, &error) : -1;

    end_unpacking(unpacking);
    if (on_unpacked != NULL)
        on_unpacked(other, version, &error);
}

static void on_overdue(evutil_socket_t fd, short what, void *context)
{
    struct unpacking *unpacking = context;

    (void)fd;
    (void)what;
    child_kill(unpacking->child);
}

static int check_room(const struct queue *queue, const char *user, struct request_error *error)
{
    unsigned count = 0, own = 0;

    for (const struct unpacking *other = queue->unpackings; other != NULL; other = other->next) {
        count++;
        own += strcmp(other->user, user) == 0;
    }
    if (count < AT_ONCE_MAX && own < AT_ONCE_OF_USER)
        return 0;
    return request_error_set(error, REQUEST_ERROR_BUSY,
                             "too many archives at once: try again later");
}

static int write_archive(const char *path, struct span bytes)
{
    FILE *file = fopen(path, "wxe");
    int result =
        file != NULL && fwrite(bytes.start, 1, bytes.length, file) == bytes.length ? 0 : -1;

    if (file != NULL && fclose(file) != 0)
        result = -1;
    return result;
}

static int start_child(struct unpacking *unpacking, struct span bytes)
{
    char *archive = directory_join(unpacking->folder, "archive");
    char *messages = directory_join(unpacking->folder, "messages");
    const char *argv[] = {unpacking->queue->setup.program, "unpack", archive, unpacking->folder,
                          NULL};
    struct child_setup setup = {.argv = argv,
                                .stderr_path = messages,
                                .on_line = on_line,
                                .on_end = on_end,
                                .context = unpacking};
    struct timeval limit = {.tv_sec = SECONDS_MAX};

    if (directory_make(unpacking->folder) == 0 && write_archive(archive, bytes) == 0)
        unpacking->child = child_start(unpacking->queue->setup.base, &setup);
    (void)event_add(unpacking->on_overdue, &limit);
    free(messages);
    free(archive);
    return unpacking->child != NULL ? 0 : -1;
}

static struct unpacking *unpacking_new(struct queue *queue, const struct caller *caller,
                                       const struct new_bot *bot)
{
    struct unpacking *unpacking = xcalloc(1, sizeof *unpacking);
    char name[40];

    unpacking->queue = queue;
    unpacking->next = queue->unpackings;
    queue->unpackings = unpacking;
    snprintf(unpacking->user, sizeof unpacking->user, "%s", caller->user);
    unpacking->is_owner = caller->is_owner;
    unpacking->is_organiser = caller->is_organiser;
    snprintf(name, sizeof name, FOLDER "/%lu", ++queue->unpacked);
    unpacking->folder = directory_join(queue->folder, name);
    unpacking->bot = (struct new_bot){
        .name = xstrdup(bot->name),
        .command = copy_of(bot->command),
        .build = copy_of(bot->build),
        .file = xstrdup(bot->file),
        .unpacked = directory_join(unpacking->folder, "files"),
        .memory_mb = bot->memory_mb,
    };
    unpacking->on_overdue = evtimer_new(queue->setup.base, on_overdue, unpacking);
    return unpacking;
}

struct unpacking *queue_submit_archive(struct queue *queue, const struct caller *caller,
                                       const struct new_bot *bot, const struct queue_unpacked *then,
                                       struct request_error *error)
{
    struct unpacking *unpacking;

    if (queue_check_bot(queue, caller, bot, error) != 0 ||
        check_room(queue, caller->user, error) != 0)
        return NULL;
    unpacking = unpacking_new(queue, caller, bot);
    unpacking->on_unpacked = then->on_unpacked;
    unpacking->context = then->context;
    if (start_child(unpacking, (struct span){bot->bytes, bot->length}) == 0)
        return unpacking;
    (void)queue_error_disk(error, "the archive");
    end_unpacking(unpacking);
    return NULL;
}

void queue_clear_unpacked(struct queue *queue)
{
    char *folder = directory_join(queue->folder, FOLDER);

    queue_discard(queue, folder);
    free(folder);
}
