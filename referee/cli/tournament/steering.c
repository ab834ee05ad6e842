/* Only the last line counts, and a line that is not understood changes nothing. When stdin ends,
 * nothing changes any more: the one that wrote it is gone, and the feed notices. */

#include "cli/tournament/steering.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 2048

struct steering {
    struct coordinator *coordinator;
    struct event *on_input;
    char line[LINE_MAX_BYTES];
    size_t length;
};

static void take_line(struct steering *steering)
{
    unsigned count = coordinator_workers(steering->coordinator);
    bool *may_play = xcalloc(count, sizeof *may_play);
    struct span rest = {steering->line, steering->length};
    bool is_known = span_is(span_cut_word(&rest), "slots");
    struct span word = span_cut_word(&rest);
    long number;

    for (; word.length > 0 && is_known; word = span_cut_word(&rest)) {
        is_known = span_read_number(word, 0, (long)count - 1, &number) == 0;
        if (is_known)
            may_play[number] = true;
    }
    if (is_known)
        coordinator_steer(steering->coordinator, may_play);
    free(may_play);
}

static void on_input(evutil_socket_t fd, short what, void *context)
{
    struct steering *steering = context;
    char bytes[LINE_MAX_BYTES];
    ssize_t got = read(fd, bytes, sizeof bytes);

    (void)what;
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        (void)event_del(steering->on_input);
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n') {
            take_line(steering);
            steering->length = 0;
        } else if (steering->length < sizeof steering->line) {
            steering->line[steering->length++] = bytes[i];
        }
    }
}

struct steering *steering_new(struct event_base *base, struct coordinator *coordinator)
{
    struct steering *steering = xcalloc(1, sizeof *steering);

    steering->coordinator = coordinator;
    steering->on_input = event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_input, steering);
    (void)event_add(steering->on_input, NULL);
    return steering;
}

void steering_free(struct steering *steering)
{
    if (steering == NULL)
        return;
    event_free(steering->on_input);
    free(steering);
}
