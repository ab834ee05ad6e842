/* Events and watchers. */

#include "serve/queue/broadcast.h"
#include "support/broadcast_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct broadcast *broadcast;
static char heard[1000];
static struct broadcast_watcher *leaver;

static void begin(void)
{
    broadcast = broadcast_new();
    heard[0] = '\0';
    leaver = NULL;
}

static void end(void)
{
    broadcast_free(broadcast);
}

TestSuite(broadcast, .init = begin, .fini = end);

/* Notes an event under the name in `context`; the watcher `-` lets the leaver leave. */
static void hear(void *context, const char *line)
{
    size_t length = strlen(heard);

    snprintf(heard + length, sizeof heard - length, "%s:%s;", (const char *)context, line);
    if (strcmp(context, "-") == 0) {
        broadcast_leave(leaver);
        leaver = NULL;
    }
}

Test(broadcast, watchers_get_the_events_of_their_job_in_the_order_of_joining)
{
    broadcast_join(broadcast, 2, hear, "two");
    broadcast_join(broadcast, 0, hear, "all");
    broadcast_join(broadcast, 1, hear, "one");
    broadcast_text(broadcast, "1 match 3.1");
    broadcast_text(broadcast, "2 playing");
    broadcast_text(broadcast, "0 ending");
    cr_expect_str_eq(heard, "all:1 match 3.1;one:1 match 3.1;two:2 playing;all:2 playing;"
                            "all:0 ending;");
    cr_expect_eq(broadcast_count(broadcast), 3);
}

Test(broadcast, a_watcher_that_has_left_gets_no_more_events)
{
    struct broadcast_watcher *one = broadcast_join(broadcast, 0, hear, "one");

    broadcast_join(broadcast, 0, hear, "two");
    broadcast_leave(one);
    broadcast_leave(NULL);
    broadcast_text(broadcast, "5 playing");
    cr_expect_str_eq(heard, "two:5 playing;");
    cr_expect_eq(broadcast_count(broadcast), 1);
}

Test(broadcast, a_watcher_may_leave_with_the_next_one_while_an_event_is_sent)
{
    broadcast_join(broadcast, 0, hear, "first");
    broadcast_join(broadcast, 0, hear, "-");
    leaver = broadcast_join(broadcast, 0, hear, "next");
    broadcast_join(broadcast, 0, hear, "last");
    broadcast_text(broadcast, "1 note a");
    cr_expect_str_eq(heard, "first:1 note a;-:1 note a;last:1 note a;");
    cr_expect_eq(broadcast_count(broadcast), 3);
}

Test(broadcast, a_line_that_is_too_long_is_cut_and_harms_nobody)
{
    static char text[10000];

    memset(text, 'x', sizeof text - 1);
    broadcast_join(broadcast, 0, hear, "one");
    broadcast_send(broadcast,
                   &(struct feed_line){.kind = FEED_LINE_NOTE, .job = 1, .text = span_of(text)});
    cr_expect_eq(strncmp(heard, "one:1 note xxx", 14), 0);
}
