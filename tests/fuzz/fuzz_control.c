/* Sends any bytes to the daemon as a client, in pieces. The first byte chooses the kind of
 * connection and the size of the pieces. Each request must get one reply as the protocol defines
 * it, and the connection must end after the end of the input. The queue is real, in its own folder,
 * but plays nothing, because its event loop does not run. */

#include "serve/control/control_private.h"
#include "base/directory_tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOOPS_MAX 1000000
#define RECEIVED_MAX ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz {
    char folder[40];
    struct event_base *base;
    struct event_base *idle_base;
    struct queue *queue;
    struct settings settings;
    struct users *users;
    struct remote_bots *remote_bots;
    struct control *control;
    int fd;
    bool is_over;
    char *received;
    size_t length, capacity;
};

static void on_shutdown(void *context, bool is_urgent)
{
    (void)context;
    (void)is_urgent;
}

static void on_arrival(void *context)
{
    (void)context;
}

/* Start and end. */

static void submit(struct fuzz *fuzz, const char *name, const char *user)
{
    struct caller caller = {.user = user};
    struct new_bot offer = {.name = name, .is_remote = true};
    struct request_error error;

    if (queue_submit_bot(fuzz->queue, &caller, &offer, &error) != 1)
        abort();
}

static void open_queue(struct fuzz *fuzz)
{
    char message[300];
    struct text problem;
    struct queue_setup setup = {.base = fuzz->idle_base,
                                .folder = fuzz->folder,
                                .program = "/bin/false",
                                .level = SANDBOX_GUARDED,
                                .settings = &fuzz->settings,
                                .socket = "socket"};

    fuzz->settings = settings_default();
    text_start(&problem, message, sizeof message);
    fuzz->queue = queue_new(&setup, &problem);
    fuzz->users = users_open("/nonexistent", &problem);
    if (fuzz->queue == NULL || fuzz->users == NULL)
        abort();
    submit(fuzz, "far", "owner");
    submit(fuzz, "near", "guest");
}

static void start(struct fuzz *fuzz, bool has_remote_bots, enum control_address address)
{
    struct control_setup setup = {.connections = 2, .on_shutdown = on_shutdown};
    int ends[2];

    snprintf(fuzz->folder, sizeof fuzz->folder, "%s/referee-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(fuzz->folder) == NULL ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        abort();
    fuzz->base = event_base_new();
    fuzz->idle_base = event_base_new();
    open_queue(fuzz);
    fuzz->remote_bots = has_remote_bots ? remote_bots_new(fuzz->base, on_arrival, NULL) : NULL;
    setup.base = fuzz->base;
    setup.queue = fuzz->queue;
    setup.users = fuzz->users;
    setup.remote_bots = fuzz->remote_bots;
    fuzz->control = control_new(&setup);
    client_start(fuzz->control, ends[1], address, NULL);
    fuzz->fd = ends[0];
}

static void stop(struct fuzz *fuzz)
{
    (void)close(fuzz->fd);
    control_free(fuzz->control);
    remote_bots_free(fuzz->remote_bots);
    users_free(fuzz->users);
    queue_free(fuzz->queue);
    event_base_free(fuzz->base);
    event_base_free(fuzz->idle_base);
    if (directory_tree_remove(fuzz->folder) != 0)
        abort();
    free(fuzz->received);
}

/* Sending and receiving. */

static void run_loop(struct fuzz *fuzz)
{
    ssize_t count;

    (void)event_base_loop(fuzz->base, EVLOOP_NONBLOCK);
    if (fuzz->capacity - fuzz->length < 65536) {
        fuzz->capacity = 2 * fuzz->capacity + 65536;
        fuzz->received = realloc(fuzz->received, fuzz->capacity);
    }
    count = read(fuzz->fd, fuzz->received + fuzz->length, fuzz->capacity - fuzz->length);
    if (count > 0)
        fuzz->length += (size_t)count;
    else if (count == 0 || errno != EAGAIN)
        fuzz->is_over = true;
    if (fuzz->length > RECEIVED_MAX)
        abort();
}

static void send_bytes(struct fuzz *fuzz, const char *bytes, size_t length)
{
    while (length > 0 && !fuzz->is_over) {
        ssize_t sent = send(fuzz->fd, bytes, length, MSG_NOSIGNAL);

        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno != EAGAIN) {
            break;
        }
        run_loop(fuzz);
    }
}

static void send_in_pieces(struct fuzz *fuzz, struct span bytes, size_t piece)
{
    unsigned loops = 0;

    while (bytes.length > 0 && !fuzz->is_over) {
        size_t length = piece > 0 && piece < bytes.length ? piece : bytes.length;

        send_bytes(fuzz, bytes.start, length);
        bytes.start += length;
        bytes.length -= length;
    }
    (void)shutdown(fuzz->fd, SHUT_WR);
    while (!fuzz->is_over || control_count(fuzz->control) > 0) {
        if (++loops > LOOPS_MAX)
            abort();
        run_loop(fuzz);
    }
}

/* The expected number of replies, by a second implementation of the protocol. */

static bool skip(struct span *rest, size_t length)
{
    if (length > rest->length)
        return false;
    rest->start += length;
    rest->length -= length;
    return true;
}

static bool is_good_hello(const struct request *request)
{
    return request->verb == REQUEST_HELLO && strcmp(request->arguments[0], "1") == 0 &&
           request->pair_count == 0;
}

/* Removes one request from `rest`. Returns whether another may follow. */
static bool expect_request(struct span *rest, bool is_first, unsigned *replies)
{
    static struct request request;
    struct request_error error;
    const char *line_end = memchr(rest->start, '\n', rest->length);
    struct span line = {rest->start, line_end == NULL ? 0 : (size_t)(line_end - rest->start)};

    (*replies)++;
    if (line_end == NULL || line.length > REQUEST_LINE_MAX + 1)
        return false;
    (void)skip(rest, line.length + 1);
    if (line.length > 0 && line.start[line.length - 1] == '\r')
        line.length--;
    if (request_read(&request, line, &error) != 0 &&
        (is_first || request.is_block_unknown || request.block_length > REQUEST_UPLOAD_MAX ||
         error.code == REQUEST_ERROR_TOO_LARGE))
        return false;
    if (is_first && !is_good_hello(&request))
        return false;
    return skip(rest, request.block_length);
}

static unsigned expected_replies(struct span rest)
{
    unsigned replies = 0;
    bool is_first = true;

    while (rest.length > 0 && expect_request(&rest, is_first, &replies))
        is_first = false;
    return replies;
}

/* The actual number of replies. */

static unsigned count_replies(const struct fuzz *fuzz)
{
    struct span rest = {fuzz->received, fuzz->length};
    unsigned count = 0;

    while (rest.length > 0) {
        struct span line = span_cut(&rest, '\n');
        struct span words = line;
        struct span word = span_cut(&words, ' ');
        long length;

        if (rest.start == NULL)
            abort();
        for (size_t i = 0; i < line.length; i++) {
            if (line.start[i] < ' ' || line.start[i] > '~')
                abort();
        }
        if (span_is(word, "event"))
            continue;
        count++;
        if (span_is(word, "block") &&
            (span_read_number(words, 0, LONG_MAX, &length) != 0 || !skip(&rest, (size_t)length)))
            abort();
        if (!span_is(word, "block") && !span_is(word, "ok") && !span_is(word, "error"))
            abort();
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {.fd = -1};
    struct span bytes = {(const char *)data + 1, size - 1};
    bool has_remote_bots;

    if (size == 0)
        return 0;
    has_remote_bots = (data[0] & 2) != 0;
    start(&fuzz, has_remote_bots, (data[0] & 1) != 0 ? CONTROL_LOCAL : CONTROL_LOOPBACK);
    send_in_pieces(&fuzz, bytes, data[0] >> 2);
    /* What follows a `play` is not a request. */
    if (!has_remote_bots && count_replies(&fuzz) != expected_replies(bytes))
        abort();
    if (fuzz.control->uploaded_bytes != 0 || broadcast_count(queue_broadcast(fuzz.queue)) != 0)
        abort();
    stop(&fuzz);
    return 0;
}
