/* The bot is started as a match would do it, is greeted and has its time for the hello; then it may
 * leave as after a match. */

#include "cli/tournament/greeting.h"

#include "base/escape.h"
#include "bot/bot.h"
#include "cli/interrupt.h"
#include "match/seat_reply.h"
#include "wire/bot_line.h"

#include <event2/event.h>
#include <stdlib.h>

#define GRACE_MS 500

struct greeting {
    struct event_base *base;
    struct bot *bot;
    FILE *report;
    struct bot_line_hello hello;
    struct bot_time time;
    bool is_done;
    bool is_welcome; /* it has said hello */
};

static enum bot_verdict on_line(void *context, struct span line, const struct bot_time *time,
                                struct bot_refusal *refusal)
{
    struct greeting *greeting = context;
    enum bot_verdict verdict = seat_reply_take_hello(&greeting->hello, line, refusal);

    if (verdict == BOT_ACCEPT) {
        greeting->time = *time;
        greeting->is_done = greeting->is_welcome = true;
        event_base_loopbreak(greeting->base);
    }
    return verdict;
}

static void on_failure(void *context, const struct bot_failure *failure)
{
    struct greeting *greeting = context;

    fprintf(greeting->report, "%s: %s\n", bot_outcome_name(failure->outcome), failure->message);
    if (failure->line[0] != '\0')
        fprintf(greeting->report, "    its line: `%s`\n", failure->line);
    if (failure->stderr_tail[0] != '\0') {
        char *readable = escape_readable(failure->stderr_tail);

        fprintf(greeting->report, "    the end of its stderr:\n%s\n", readable);
        free(readable);
    }
    greeting->is_done = true;
    event_base_loopbreak(greeting->base);
}

static void on_left(void *context, struct bot *bot)
{
    struct greeting *greeting = context;

    (void)bot;
    greeting->bot = NULL;
    event_base_loopbreak(greeting->base);
}

static struct bot *start(struct event_base *base, const struct greeting_setup *setup)
{
    struct bot_spec spec = {
        .argv = (const char *const *)setup->bot->command.argv,
        .folder = setup->bot->folder,
        .is_folder_shared = setup->bot->is_folder_shared,
        .environment = setup->bot->environment,
        .memory_mb = setup->bot->memory_mb,
        .clock = setup->clock,
        .label = setup->bot->name,
        .cpu = -1,
        .sandbox = setup->sandbox,
    };

    return bot_start(base, &spec);
}

enum greeting_end greeting_run(struct event_base *base, const struct greeting_setup *setup,
                               FILE *report)
{
    struct greeting greeting = {.base = base, .report = report};
    struct bot_listener listener = {on_line, on_failure, &greeting};
    char line[200];
    struct text text;

    greeting.bot = start(base, setup);
    if (greeting.bot == NULL) {
        fputs("the machine has no room to start it\n", report);
        return GREETING_NO_ROOM;
    }
    text_start(&text, line, sizeof line);
    bot_line_write_greeting(&text, REFEREE_VERSION);
    bot_tell(greeting.bot, line, text.length);
    bot_ask(greeting.bot, setup->start_ms * 1000, true, &listener);
    while (!greeting.is_done && interrupt_count() == 0)
        event_base_dispatch(base);
    if (greeting.is_welcome)
        fprintf(report, "says hello as %s after %.0f ms\n", greeting.hello.name,
                (double)greeting.time.wall_us / 1e3);
    if (greeting.is_done)
        bot_leave(greeting.bot, GRACE_MS, on_left, &greeting);
    while (greeting.is_done && greeting.bot != NULL && interrupt_count() == 0)
        event_base_dispatch(base);
    bot_free(greeting.bot);
    if (!greeting.is_done)
        return GREETING_STOPPED;
    return greeting.is_welcome ? GREETING_FINE : GREETING_FAULT;
}
