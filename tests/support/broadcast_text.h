#ifndef TESTS_SUPPORT_BROADCAST_TEXT_H
#define TESTS_SUPPORT_BROADCAST_TEXT_H

/* Sends an event that is given as a line: "1 match 1.1 a 1 3.0 -". */

#include "serve/queue/broadcast.h"

#include <stdlib.h>

static inline void broadcast_text(struct broadcast *broadcast, const char *line)
{
    struct feed_line event;

    if (feed_line_read_event(&event, span_of(line)) != 0)
        abort();
    broadcast_send(broadcast, &event);
}

#endif
