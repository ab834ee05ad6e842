/* Each bot is built and started as a match would do it, says hello and is let go, one after the
 * other. Builds go to a folder of their own, so that a store that exists stays as it is. */

#include "cli/tournament/preflight.h"

#include "base/directory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options_sandbox.h"
#include "cli/tournament/greeting.h"
#include "sandbox/scratch_dir.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool greet(struct event_base *base, const struct tournament *tournament,
                  const struct bot_setup *bot_setup)
{
    struct greeting_setup setup = {
        .bot = bot_setup,
        .clock = tournament->config->clock,
        .start_ms = tournament->config->start_ms,
        .sandbox = tournament->sandbox,
    };

    return greeting_run(base, &setup, stdout) == GREETING_FINE;
}

/* Builds and greets one bot. Returns whether it could play. */
static bool try_bot(struct event_base *base, struct tournament *tournament, unsigned index,
                    const struct built_bot_place *builds)
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

static int try_all(struct tournament *tournament, const char *folder)
{
    struct built_bot_place builds = {.folder = folder, .limit_s = tournament->build_seconds};
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
    int lock;
    int code = CLI_FAILED;

    (void)signal(SIGPIPE, SIG_IGN);
    interrupt_catch();
    /* It has a mark, so that no bot can read the builds of another one. */
    folder = scratch_dir_make_root(scratch_dir_place(true), &lock);
    if (folder != NULL) {
        builds = directory_join(folder, "bots");
        code = try_all(tournament, builds);
        (void)scratch_dir_remove(folder);
        close(lock);
        free(builds);
    } else {
        message_say("%s: a folder to build in cannot be made: %s", scratch_dir_place(true),
                    strerror(errno));
    }
    free(folder);
    return code;
}
