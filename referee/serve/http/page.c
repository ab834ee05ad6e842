/* The pages, and the papers and logs of works. Papers and logs are opened by the queue alone, by number;
 * they are sent from the disk. The viewer is made in memory, so there is a limit to how much of that is
 * under way at once. */

#include "serve/http/http_private.h"

#include "base/memory.h"
#include "web/viewer.h"

#include <errno.h>
#include <event2/buffer.h>
#include <stdlib.h>
#include <unistd.h>

void http_answer_page(struct http_call *call)
{
    http_reply_page(call, 200, call->path->page);
}

void http_answer_job(struct http_call *call)
{
    bool is_there = ledger_job(queue_ledger(call->http->setup.queue), call->numbers[0]) != NULL;

    http_reply_page(call, is_there ? 200 : 404, is_there ? PAGE_JOB : PAGE_MISSING);
}

void http_answer_artifact(struct http_call *call)
{
    struct serve_error error;
    char words[100];
    size_t length = 0;
    int fd = queue_open_artifact(call->http->setup.queue, call->numbers[0], call->path->paper,
                                 &length, &error);

    if (fd < 0) {
        if (error.code == SERVE_ERROR_NO_LOG && call->path->kind != HTTP_REPORT)
            http_reply_nothing(call);
        else
            http_reply_error(call, &error);
        return;
    }
    if (call->path->file != NULL) {
        snprintf(words, sizeof words, "attachment; filename=\"%s-%u.csv\"", call->path->file,
                 call->numbers[0]);
        http_add_header(call, "Content-Disposition", words);
    }
    http_reply_file(call, call->path->kind, fd, length);
}

static int open_log(struct http_call *call, size_t *length)
{
    struct serve_error error;
    int fd = queue_open_log(call->http->setup.queue, call->numbers[0], call->numbers[1],
                            call->numbers[2], length, &error);

    if (fd < 0)
        http_reply_error(call, &error);
    return fd;
}

void http_answer_log(struct http_call *call)
{
    char words[100];
    size_t length = 0;
    int fd = open_log(call, &length);

    if (fd < 0)
        return;
    snprintf(words, sizeof words, "attachment; filename=\"%s-%u-%u.%u.ndjson\"", call->path->file,
             call->numbers[0], call->numbers[1], call->numbers[2]);
    http_add_header(call, "Content-Disposition", words);
    http_reply_file(call, HTTP_LOG, fd, length);
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

/* A page in memory until it has been sent. The library may give it back when the rest is gone already, so
 * their sum belongs to nobody. */
struct loan {
    char *bytes;
    size_t length;
};

static size_t lent_bytes;

static void end_loan(const void *bytes, size_t length, void *context)
{
    struct loan *loan = context;

    (void)bytes;
    (void)length;
    lent_bytes -= loan->length;
    free(loan->bytes);
    free(loan);
}

static void send_viewer(struct http_call *call, const char *log, size_t length)
{
    struct loan *loan = xcalloc(1, sizeof *loan);
    struct evbuffer *body = evbuffer_new();
    FILE *file = open_memstream(&loan->bytes, &loan->length);

    if (file != NULL) {
        viewer_write(file, log, length);
        fclose(file);
    }
    lent_bytes += loan->length;
    if (loan->bytes == NULL ||
        evbuffer_add_reference(body, loan->bytes, loan->length, end_loan, loan) != 0)
        end_loan(NULL, 0, loan);
    http_reply(call, 200, HTTP_VIEWER, body);
}

void http_answer_viewer(struct http_call *call)
{
    size_t length = 0;
    int fd = open_log(call, &length);
    char *log;

    if (fd < 0)
        return;
    log = length <= HTTP_LOG_MAX && lent_bytes <= HTTP_LENT_MAX ? read_all(fd, length) : NULL;
    close(fd);
    if (log != NULL) {
        send_viewer(call, log, length);
        free(log);
    } else if (length > HTTP_LOG_MAX) {
        http_reply_words(call, 413, "This log is too large for the viewer: please download it.");
    } else {
        http_add_header(call, "Retry-After", "2");
        http_reply_words(call, 503, "Too many look at once, or the log cannot be read.");
    }
}
