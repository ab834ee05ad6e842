/* A watcher of events puts jobs that are over into a list; slots run the command for one after the
 * other. The text for stdin is made when the event comes, because a job may be resumed later. */

#include "serve/hook.h"

#include "base/directory.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/queue/child.h"
#include "serve/queue/ledger_describe.h"
#include "wire/json_write.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_BYTES 200

/* What a command is run for. */
struct call {
    unsigned job;
    char *command;
    char *text;
    struct call *next;
};

struct slot {
    struct hook *hook;
    struct call *call; /* NULL: it is free */
    struct child *child;
    struct event *on_time; /* it has run too long */
    char *messages;        /* the file with its stderr */
    long limit_ms;
    bool is_late;
};

struct hook {
    struct event_base *base;
    struct queue *queue;
    struct broadcast_watcher *watcher;
    struct event *on_free; /* a slot is free */
    struct slot slots[HOOK_AT_ONCE];
    struct call *first, **last; /* that wait */
    unsigned waiting;
};

static void call_free(struct call *call)
{
    if (call == NULL)
        return;
    free(call->command);
    free(call->text);
    free(call);
}

/* The last line that a command wrote to stderr, as far as it is printable. */
static void read_last_line(const char *path, char line[LINE_BYTES])
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    off_t length = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    off_t start = length > LINE_BYTES - 1 ? length - LINE_BYTES + 1 : 0;
    ssize_t got = fd >= 0 ? pread(fd, line, LINE_BYTES - 1, start) : 0;
    char *end;

    if (fd >= 0)
        close(fd);
    while (got > 0 && line[got - 1] == '\n')
        got--;
    line[got > 0 ? got : 0] = '\0';
    for (char *at = line; *at != '\0'; at++) {
        if (*at != '\n' && (*at < ' ' || *at > '~'))
            *at = '?';
    }
    end = strrchr(line, '\n');
    if (end != NULL)
        memmove(line, end + 1, strlen(end + 1) + 1);
}

static void report_end(const struct slot *slot, int status)
{
    char line[LINE_BYTES];
    char how[60];

    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    if (slot->is_late)
        snprintf(how, sizeof how, "it was killed after %ld ms", slot->limit_ms);
    else if (WIFEXITED(status))
        snprintf(how, sizeof how, "exit code %d", WEXITSTATUS(status));
    else
        snprintf(how, sizeof how, "signal %d", WTERMSIG(status));
    read_last_line(slot->messages, line);
    message_say("on_result for job %u: %s%s%s", slot->call->job, how, line[0] != '\0' ? ": " : "",
                line);
}

static void on_line(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static void on_end(void *context, int status)
{
    struct slot *slot = context;
    struct timeval at_once = {0};

    report_end(slot, status);
    (void)event_del(slot->on_time);
    child_free(slot->child);
    slot->child = NULL;
    call_free(slot->call);
    slot->call = NULL;
    (void)event_add(slot->hook->on_free, &at_once);
}

static void on_time(evutil_socket_t fd, short what, void *context)
{
    struct slot *slot = context;

    (void)fd;
    (void)what;
    slot->is_late = true;
    child_kill(slot->child);
}

/* Takes the call. */
static void run(struct slot *slot, struct call *call)
{
    const char *argv[] = {"/bin/sh", "-c", call->command, NULL};
    long ms = queue_settings(slot->hook->queue)->on_result_ms;
    struct timeval limit = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    struct child_setup setup = {
        .argv = argv,
        .stderr_path = slot->messages,
        .on_line = on_line,
        .on_end = on_end,
        .context = slot,
    };

    slot->child = child_start(slot->hook->base, &setup);
    if (slot->child == NULL) {
        message_say("on_result for job %u: %s", call->job, strerror(errno));
        call_free(call);
        return;
    }
    slot->call = call;
    slot->limit_ms = ms;
    slot->is_late = false;
    if (child_send(slot->child, span_of(call->text)) != 0)
        message_say("on_result for job %u: the command does not get the whole event", call->job);
    child_end_input(slot->child);
    (void)event_add(slot->on_time, &limit);
}

static void on_free(evutil_socket_t fd, short what, void *context)
{
    struct hook *hook = context;

    (void)fd;
    (void)what;
    for (unsigned i = 0; i < HOOK_AT_ONCE && hook->first != NULL; i++) {
        struct call *call = hook->first;

        if (hook->slots[i].call != NULL)
            continue;
        hook->first = call->next;
        if (hook->first == NULL)
            hook->last = &hook->first;
        hook->waiting--;
        run(&hook->slots[i], call);
    }
}

static char *describe(const struct hook *hook, const struct job *job)
{
    struct json_writer *json = json_writer_new(false);
    size_t length;
    char *text;

    json_open_map(json);
    json_put_text(json, "event", "over");
    ledger_describe_job_json(json, queue_ledger(hook->queue), job, true);
    json_close_map(json);
    text = xcalloc(strlen(json_writer_bytes(json, &length)) + 2, 1);
    memcpy(text, json_writer_bytes(json, &length), length);
    text[length] = '\n';
    json_writer_free(json);
    return text;
}

/* The tables of a ladder are many, and nobody has asked for them one by one. */
static bool is_wanted(const struct hook *hook, const struct job *job)
{
    return queue_settings(hook->queue)->on_result[0] != '\0' && job != NULL &&
           !(job->is_match && strncmp(job->user, LEDGER_LADDER, strlen(LEDGER_LADDER)) == 0);
}

static void on_event(void *context, const char *line)
{
    struct hook *hook = context;
    struct timeval at_once = {0};
    struct feed_line event;
    const struct job *job;
    struct call *call;

    if (feed_line_read_event(&event, span_of(line)) != 0 || event.kind != FEED_LINE_OVER)
        return;
    job = ledger_job(queue_ledger(hook->queue), (unsigned)event.job);
    if (!is_wanted(hook, job))
        return;
    if (hook->waiting == HOOK_WAITING_MAX) {
        message_say("on_result for job %u: %d events wait already, so this one is dropped",
                    job->number, HOOK_WAITING_MAX);
        return;
    }
    call = xcalloc(1, sizeof *call);
    call->job = job->number;
    call->command = xstrdup(queue_settings(hook->queue)->on_result);
    call->text = describe(hook, job);
    *hook->last = call;
    hook->last = &call->next;
    hook->waiting++;
    (void)event_add(hook->on_free, &at_once);
}

struct hook *hook_new(struct event_base *base, struct queue *queue)
{
    struct hook *hook = xcalloc(1, sizeof *hook);

    hook->base = base;
    hook->queue = queue;
    hook->last = &hook->first;
    hook->on_free = evtimer_new(base, on_free, hook);
    for (unsigned i = 0; i < HOOK_AT_ONCE; i++) {
        char name[40];

        snprintf(name, sizeof name, "on_result.%u.messages", i + 1);
        hook->slots[i].hook = hook;
        hook->slots[i].messages = directory_join(queue_folder(queue), name);
        hook->slots[i].on_time = evtimer_new(base, on_time, &hook->slots[i]);
    }
    hook->watcher = broadcast_listen(queue_broadcast(queue), on_event, hook);
    return hook;
}

void hook_free(struct hook *hook)
{
    if (hook == NULL)
        return;
    broadcast_leave(hook->watcher);
    for (unsigned i = 0; i < HOOK_AT_ONCE; i++) {
        child_free(hook->slots[i].child);
        call_free(hook->slots[i].call);
        event_free(hook->slots[i].on_time);
        free(hook->slots[i].messages);
    }
    while (hook->first != NULL) {
        struct call *call = hook->first;

        hook->first = call->next;
        call_free(call);
    }
    event_free(hook->on_free);
    free(hook);
}
