/* The pages, and the artifacts and logs of jobs. Only the queue opens artifacts and logs, by
 * number; they are sent from the disk. The viewer is made in memory, so there is a limit for all
 * viewers that are being sent. */

#include "serve/http/http_private.h"

#include "base/memory.h"
#include "web/viewer.h"

#include <errno.h>
#include <event2/buffer.h>
#include <stdlib.h>
#include <unistd.h>

void http_answer_page(struct http_call *call)
{
    http_reply_page(call, 200, call->route->page);
}

void http_answer_missing(struct http_call *call)
{
    http_reply_page(call, 404, PAGE_MISSING);
}

void http_answer_job_page(struct http_call *call)
{
    bool is_there = ledger_job(queue_ledger(call->http->setup.queue), call->numbers[0]) != NULL;

    http_reply_page(call, is_there ? 200 : 404, is_there ? PAGE_JOB : PAGE_MISSING);
}

void http_answer_bot_page(struct http_call *call)
{
    const struct ledger *ledger = queue_ledger(call->http->setup.queue);
    int place = ledger_find_bot(ledger, call->name);
    const struct ledger_bot *bot = place >= 0 ? ledger_bot(ledger, (unsigned)place) : NULL;
    bool is_there = bot != NULL && strcmp(bot->name, call->name) == 0 && !bot->is_removed;

    http_reply_page(call, is_there ? 200 : 404, is_there ? PAGE_BOT : PAGE_MISSING);
}

void http_answer_artifact(struct http_call *call)
{
    struct request_error error;
    char header[100];
    size_t length = 0;
    int fd = queue_open_artifact(call->http->setup.queue, call->numbers[0], call->route->artifact,
                                 &length, &error);

    if (fd < 0) {
        if (error.code == REQUEST_ERROR_NO_LOG && call->route->kind != HTTP_REPORT)
            http_reply_nothing(call);
        else
            http_reply_error(call, &error);
        return;
    }
    if (call->route->file != NULL) {
        snprintf(header, sizeof header, "attachment; filename=\"%s-%u.csv\"", call->route->file,
                 call->numbers[0]);
        http_add_header(call, "Content-Disposition", header);
    }
    http_reply_file(call, call->route->kind, fd, length);
}

static int open_log(struct http_call *call, size_t *length)
{
    struct request_error error;
    struct caller caller = http_caller(call);
    struct log_name name = {call->numbers[0], call->numbers[1], call->numbers[2], NULL};
    int fd = queue_open_log(call->http->setup.queue, &caller, &name, length, &error);

    if (fd < 0)
        http_reply_error(call, &error);
    return fd;
}

void http_answer_log(struct http_call *call)
{
    char header[100];
    size_t length = 0;
    int fd = open_log(call, &length);

    if (fd < 0)
        return;
    snprintf(header, sizeof header, "attachment; filename=\"%s-%u-%u.%u.ndjson\"",
             call->route->file, call->numbers[0], call->numbers[1], call->numbers[2]);
    http_add_header(call, "Content-Disposition", header);
    http_reply_file(call, HTTP_LOG, fd, length);
}

void http_answer_stderr(struct http_call *call)
{
    struct request_error error;
    struct caller caller = http_caller(call);
    struct log_name name = {call->numbers[0], call->numbers[1], call->numbers[2], call->name};
    size_t length = 0;
    int fd = queue_open_stderr(call->http->setup.queue, &caller, &name, &length, &error);

    if (fd >= 0)
        http_reply_file(call, HTTP_TEXT, fd, length);
    else
        http_reply_error(call, &error);
}

void http_answer_output(struct http_call *call)
{
    struct request_error error;
    struct caller caller = http_caller(call);
    char name[HTTP_NAME_MAX + 16];
    size_t length = 0;
    int fd;

    snprintf(name, sizeof name, "%s@%u", call->name, call->numbers[0]);
    fd = queue_open_trial(call->http->setup.queue, &caller, name, call->route->step, &length,
                          &error);
    if (fd >= 0)
        http_reply_file(call, HTTP_TEXT, fd, length);
    else
        http_reply_error(call, &error);
}

static char *read_all(int fd, size_t length)
{
    char *bytes = xrealloc(NULL, length);
    size_t done = 0;

    while (done < length) {
        ssize_t part = read(fd, bytes + done, length - done);

        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0) {
            free(bytes);
            return NULL;
        }
        done += (size_t)part;
    }
    return bytes;
}

/* A viewer in memory until it has been sent. The library may release it after everything else is
 * freed, so the sum of all is a static variable. */
struct buffer {
    char *bytes;
    size_t length;
};

static size_t viewer_bytes;

static void free_buffer(const void *bytes, size_t length, void *context)
{
    struct buffer *buffer = context;

    (void)bytes;
    (void)length;
    viewer_bytes -= buffer->length;
    free(buffer->bytes);
    free(buffer);
}

/* How many missing blocks are skipped in search of a neighbour: blocks are published as they are
 * decided, not in order. */
#define BLOCKS_SKIPPED 16
/* More matches than a block can have. */
#define BLOCK_MATCHES 1000

static bool has_log(const struct http_call *call, unsigned block, unsigned match)
{
    struct request_error error;
    struct caller caller = http_caller(call);
    struct log_name name = {call->numbers[0], block, match, NULL};
    size_t length = 0;
    int fd = queue_open_log(call->http->setup.queue, &caller, &name, &length, &error);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static struct viewer_match find_next(const struct http_call *call)
{
    unsigned block = call->numbers[1], match = call->numbers[2];

    if (has_log(call, block, match + 1))
        return (struct viewer_match){block, match + 1};
    for (unsigned i = 1; i <= BLOCKS_SKIPPED; i++) {
        if (has_log(call, block + i, 1))
            return (struct viewer_match){block + i, 1};
    }
    return (struct viewer_match){0, 0};
}

static struct viewer_match find_previous(const struct http_call *call)
{
    unsigned block = call->numbers[1], match = call->numbers[2];

    if (match > 1 && has_log(call, block, match - 1))
        return (struct viewer_match){block, match - 1};
    for (unsigned i = 1; i <= BLOCKS_SKIPPED && i < block; i++) {
        unsigned last = 0;

        while (last < BLOCK_MATCHES && has_log(call, block - i, last + 1))
            last++;
        if (last > 0)
            return (struct viewer_match){block - i, last};
    }
    return (struct viewer_match){0, 0};
}

static void send_viewer(struct http_call *call, const char *log, size_t length)
{
    struct buffer *buffer = xcalloc(1, sizeof *buffer);
    struct evbuffer *body = evbuffer_new();
    FILE *file = open_memstream(&buffer->bytes, &buffer->length);
    struct viewer_links links = {call->numbers[0], find_previous(call), find_next(call)};
    struct viewer_content content = {.log = log, .log_length = length, .links = &links};

    if (file != NULL) {
        viewer_write(file, &content);
        fclose(file);
    }
    viewer_bytes += buffer->length;
    if (buffer->bytes == NULL ||
        evbuffer_add_reference(body, buffer->bytes, buffer->length, free_buffer, buffer) != 0)
        free_buffer(NULL, 0, buffer);
    http_reply(call, 200, HTTP_VIEWER, body);
}

void http_answer_viewer(struct http_call *call)
{
    size_t length = 0;
    int fd = open_log(call, &length);
    char *log;

    if (fd < 0)
        return;
    log = length <= HTTP_LOG_MAX && viewer_bytes <= HTTP_VIEWERS_MAX ? read_all(fd, length) : NULL;
    close(fd);
    if (log != NULL) {
        send_viewer(call, log, length);
        free(log);
    } else if (length > HTTP_LOG_MAX) {
        http_reply_text(call, 413, "This log is too large for the viewer; please download it.");
    } else {
        http_add_header(call, "Retry-After", "2");
        http_reply_text(call, 503, "Too many viewers at once, or the log cannot be read.");
    }
}
