#ifndef REFEREE_CLI_TOURNAMENT_GREETING_H
#define REFEREE_CLI_TOURNAMENT_GREETING_H

/* Whether a bot starts and says hello, without a match. */

#include "bot/clock_rule.h"
#include "tournament/play/task.h"

#include <stdio.h>

struct event_base;

/* All is lent for the call. */
struct greeting_setup {
    const struct bot_setup *bot; /* without a problem, and admitted to the sandbox */
    enum clock_rule clock;
    long start_ms;
    struct sandbox *sandbox;
};

enum greeting_end {
    GREETING_FINE,    /* it said hello */
    GREETING_FAULT,   /* it did not, or said something else */
    GREETING_NO_ROOM, /* the machine could not start it */
    GREETING_STOPPED, /* the user has interrupted us */
};

/* Starts the bot, waits for its hello and lets it go. Writes to `report` what came: one line, and
 * after a fault the line of the bot and the end of its stderr. */
enum greeting_end greeting_run(struct event_base *base, const struct greeting_setup *setup,
                               FILE *report);

#endif
