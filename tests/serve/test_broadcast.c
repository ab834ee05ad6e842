/* Who watches, and what he hears. */

#include "serve/hub.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct hub *hub;
static char heard[1000];
static struct hub_watcher *leaver;

static void begin(void)
{
    hub = hub_new();
    heard[0] = '\0';
    leaver = NULL;
}

static void end(void)
{
    hub_free(hub);
}

TestSuite(hub, .init = begin, .fini = end);

/* Notes what was heard under the name in `context`; `-` leaves, and takes the leaver along. */
static void hear(void *context, unsigned work, const char *line)
{
    size_t length = strlen(heard);

    (void)work;
    snprintf(heard + length, sizeof heard - length, "%s:%s;", (const char *)context, line);
    if (strcmp(context, "-") == 0) {
        hub_leave(leaver);
        leaver = NULL;
    }
}

Test(hub, everybody_hears_what_he_watches_in_the_order_of_coming)
{
    hub_join(hub, 2, hear, "two");
    hub_join(hub, 0, hear, "all");
    hub_join(hub, 1, hear, "one");
    hub_tell(hub, 1, "match %d.%d", 3, 1);
    hub_tell(hub, 2, "playing");
    hub_tell(hub, 0, "ending");
    cr_expect_str_eq(heard, "all:1 match 3.1;one:1 match 3.1;two:2 playing;all:2 playing;"
                            "all:0 ending;");
    cr_expect_eq(hub_count(hub), 3);
}

Test(hub, who_has_left_hears_nothing_more)
{
    struct hub_watcher *one = hub_join(hub, 0, hear, "one");

    hub_join(hub, 0, hear, "two");
    hub_leave(one);
    hub_leave(NULL);
    hub_tell(hub, 5, "playing");
    cr_expect_str_eq(heard, "two:5 playing;");
    cr_expect_eq(hub_count(hub), 1);
}

Test(hub, a_watcher_may_leave_and_take_the_next_along_while_he_is_told)
{
    hub_join(hub, 0, hear, "first");
    hub_join(hub, 0, hear, "-");
    leaver = hub_join(hub, 0, hear, "next");
    hub_join(hub, 0, hear, "last");
    hub_tell(hub, 1, "a");
    cr_expect_str_eq(heard, "first:1 a;-:1 a;last:1 a;");
    cr_expect_eq(hub_count(hub), 3);
}

Test(hub, a_line_that_is_too_long_is_cut_and_harms_nobody)
{
    static char words[10000];

    memset(words, 'x', sizeof words - 1);
    hub_join(hub, 0, hear, "one");
    hub_tell(hub, 1, "%s", words);
    cr_expect_eq(strncmp(heard, "one:1 xxx", 9), 0);
}
