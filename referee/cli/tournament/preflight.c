/* Each bot is built and started as a match would do it, says hello and is let go, one after the
 * other. Builds go to a folder of their own, so that a store that exists stays as it is. */

#include "cli/tournament/preflight.h"

#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "base/message.h"
#include "bot/bot.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options_sandbox.h"
#include "match/seat_reply.h"
#include "wire/bot_line.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define GRACE_MS 500

struct greeting {
    struct event_base *base;
    struct bot *bot;
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

    printf("%s: %s\n", bot_outcome_name(failure->outcome), failure->message);
    if (failure->line[0] != '\0')
        printf("    its line: `%s`\n", failure->line);
    if (failure->stderr_tail[0] != '\0')
        printf("    the end of its stderr:\n%s\n", failure->stderr_tail);
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

/* Starts the bot and waits for its hello. Returns whether it came, after it has printed what
 * did. */
static bool greet(struct event_base *base, const struct tournament *tournament,
                  const struct bot_setup *bot_setup)
{
    struct greeting greeting = {.base = base};
    struct bot_listener listener = {on_line, on_failure, &greeting};
    struct bot_spec spec = {
        .argv = (const char *const *)bot_setup->command.argv,
        .folder = bot_setup->folder,
        .is_folder_shared = bot_setup->is_folder_shared,
        .environment = bot_setup->environment,
        .memory_mb = bot_setup->memory_mb,
        .clock = tournament->config->clock,
        .label = bot_setup->name,
        .cpu = -1,
        .sandbox = tournament->sandbox,
    };
    char line[200];
    struct text text;

    greeting.bot = bot_start(base, &spec);
    if (greeting.bot == NULL) {
        puts("the machine has no room to start it");
        return false;
    }
    text_start(&text, line, sizeof line);
    bot_line_write_greeting(&text, REFEREE_VERSION);
    bot_tell(greeting.bot, line, text.length);
    bot_ask(greeting.bot, tournament->config->start_ms * 1000, true, &listener);
    while (!greeting.is_done && interrupt_count() == 0)
        event_base_dispatch(base);
    if (greeting.is_welcome)
        printf("says hello as %s after %.0f ms\n", greeting.hello.name,
               (double)greeting.time.wall_us / 1e3);
    if (greeting.is_done)
        bot_leave(greeting.bot, GRACE_MS, on_left, &greeting);
    while (greeting.is_done && greeting.bot != NULL && interrupt_count() == 0)
        event_base_dispatch(base);
    bot_free(greeting.bot);
    return greeting.is_welcome;
}

/* Builds and greets one bot. Returns whether it could play. */
static bool try_bot(struct event_base *base, struct tournament *tournament, unsigned index,
                    const struct bot_setup_builds *builds)
{
    struct config alone = *tournament->config;
    const struct bot_setup *bot_setup;
    struct bot_setup_list *list;
    bool is_good = false;

    alone.bots = &tournament->config->bots[index];
    alone.bot_count = 1;
    printf("  %s: ", alone.bots[0].name);
    if (alone.bots[0].remote != NULL) {
        puts("plays from elsewhere and is not started");
        return true;
    }
    (void)fflush(stdout);
    list =
        bot_setup_list_new(&alone, builds, tournament->sandbox, tournament_on_problem, tournament);
    bot_setup = bot_setup_list_get(list);
    if (bot_setup->problem != NULL)
        puts(alone.bots[0].build != NULL ? "cannot be built" : "cannot be started");
    else if (options_sandbox_admit(tournament->sandbox, &bot_setup->command, bot_setup->folder,
                                   bot_setup->is_folder_shared) == 0)
        is_good = greet(base, tournament, bot_setup);
    else
        puts("cannot be started");
    (void)fflush(stdout);
    bot_setup_list_free(list);
    return is_good;
}

/* A folder with a mark, so that no bot can read the builds of another one. Free it. */
static char *make_folder(void)
{
    const char *parent = getenv("TMPDIR");
    char path[300];

    snprintf(path, sizeof path, "%.200s/referee-start-XXXXXX", parent != NULL ? parent : "/tmp");
    if (mkdtemp(path) == NULL || directory_mark(path) != 0) {
        message_say("%s: a folder to build in cannot be made", path);
        return NULL;
    }
    return xstrdup(path);
}

static int try_all(struct tournament *tournament, const char *folder)
{
    struct bot_setup_builds builds = {.folder = folder, .limit_s = tournament->build_seconds};
    struct event_base *base = event_base_new();
    struct interrupt *interrupt = interrupt_watch(base, NULL, NULL);
    unsigned bots = tournament->config->bot_count;
    unsigned good = 0;

    puts("\neach bot is built, started and greeted:");
    for (unsigned i = 0; i < bots && interrupt_count() == 0; i++)
        good += try_bot(base, tournament, i, &builds);
    interrupt_free(interrupt);
    event_base_free(base);
    if (interrupt_count() > 0) {
        message_say("stopped");
        return CLI_FAILED;
    }
    printf("%u of %u bots can play\n", good, bots);
    return good == bots ? CLI_FINE : CLI_BOT_FAULT;
}

int preflight(struct tournament *tournament)
{
    char *folder;
    char *builds;
    int code = CLI_FAILED;

    (void)signal(SIGPIPE, SIG_IGN);
    interrupt_catch();
    folder = make_folder();
    if (folder != NULL) {
        builds = directory_join(folder, "bots");
        code = try_all(tournament, builds);
        (void)directory_tree_remove(folder);
        free(builds);
    }
    free(folder);
    return code;
}
