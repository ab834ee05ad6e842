/* Who watches, and what he hears. */

#include "serve/queue/broadcast.h"

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

/* Notes what was heard under the name in `context`; `-` leaves, and takes the leaver along. */
static void hear(void *context, unsigned job, const char *line)
{
    size_t length = strlen(heard);

    (void)job;
    snprintf(heard + length, sizeof heard - length, "%s:%s;", (const char *)context, line);
    if (strcmp(context, "-") == 0) {
        broadcast_leave(leaver);
        leaver = NULL;
    }
}

Test(broadcast, everybody_hears_what_he_watches_in_the_order_of_coming)
{
    broadcast_join(broadcast, 2, hear, "two");
    broadcast_join(broadcast, 0, hear, "all");
    broadcast_join(broadcast, 1, hear, "one");
    broadcast_send(broadcast, 1, "match %d.%d", 3, 1);
    broadcast_send(broadcast, 2, "playing");
    broadcast_send(broadcast, 0, "ending");
    cr_expect_str_eq(heard, "all:1 match 3.1;one:1 match 3.1;two:2 playing;all:2 playing;"
                            "all:0 ending;");
    cr_expect_eq(broadcast_count(broadcast), 3);
}

Test(broadcast, who_has_left_hears_nothing_more)
{
    struct broadcast_watcher *one = broadcast_join(broadcast, 0, hear, "one");

    broadcast_join(broadcast, 0, hear, "two");
    broadcast_leave(one);
    broadcast_leave(NULL);
    broadcast_send(broadcast, 5, "playing");
    cr_expect_str_eq(heard, "two:5 playing;");
    cr_expect_eq(broadcast_count(broadcast), 1);
}

Test(broadcast, a_watcher_may_leave_and_take_the_next_along_while_he_is_told)
{
    broadcast_join(broadcast, 0, hear, "first");
    broadcast_join(broadcast, 0, hear, "-");
    leaver = broadcast_join(broadcast, 0, hear, "next");
    broadcast_join(broadcast, 0, hear, "last");
    broadcast_send(broadcast, 1, "a");
    cr_expect_str_eq(heard, "first:1 a;-:1 a;last:1 a;");
    cr_expect_eq(broadcast_count(broadcast), 3);
}

Test(broadcast, a_line_that_is_too_long_is_cut_and_harms_nobody)
{
    static char words[10000];

    memset(words, 'x', sizeof words - 1);
    broadcast_join(broadcast, 0, hear, "one");
    broadcast_send(broadcast, 1, "%s", words);
    cr_expect_eq(strncmp(heard, "one:1 xxx", 9), 0);
}
