/* A build is started like a bot, which never says hello: its question ends when the process does, and
 * then its exit status tells. What it writes to its output is sent to its stderr, where the beginning
 * and the end of it are kept; the pipe itself stays open, because its end would be taken for ours. */

#include "tournament/build.h"

#include "base/memory.h"
#include "bot/bot.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_US (INT64_C(600) * 1000000)
#define TAIL_BYTES 800

struct build {
    struct event_base *base;
    struct bot *bot;
};

static enum bot_verdict on_line(void *context, const char *line, size_t length,
                                enum bot_outcome *fault, const char **words)
{
    (void)context;
    (void)line;
    (void)length;
    (void)fault;
    (void)words;
    return BOT_GO_ON;
}

static void on_end(void *context, const struct bot_result *result)
{
    struct build *build = context;

    (void)result;
    event_base_loopbreak(build->base);
}

static int judge(const struct build *build, struct text *problem)
{
    const char *ending = bot_ending(build->bot);

    if (ending != NULL && strcmp(ending, "exit status 0") == 0)
        return 0;
    text_add(problem, "its build failed: ");
    text_add(problem, ending != NULL ? ending : "it took longer than ten minutes");
    text_add(problem, "\n");
    text_add(problem, bot_stderr_tail(build->bot, TAIL_BYTES));
    return -1;
}

static int run(struct build *build, const struct bot_spec *spec, struct text *problem)
{
    struct bot_listener listener = {on_line, on_end, build};
    int result;

    build->bot = bot_start(build->base, spec);
    if (build->bot == NULL) {
        text_add(problem, "its build could not be started: ");
        text_add(problem, strerror(errno));
        return -1;
    }
    bot_ask(build->bot, LIMIT_US, true, &listener);
    event_base_dispatch(build->base);
    result = judge(build, problem);
    bot_free(build->bot);
    return result;
}

int build_run(const struct plan_bot *bot, const char *folder, struct text *problem)
{
    size_t size = strlen(bot->build) + 20;
    char *line = xcalloc(size, 1);
    const char *argv[] = {"/bin/sh", "-c", line, NULL};
    struct bot_spec spec = {
        .argv = argv,
        .clock = CLOCK_WALL,
        .label = bot->name,
        .core = -1,
        .folder = folder,
        .environment = (const char *const *)bot->environment,
    };
    struct build build = {.base = event_base_new()};
    int result = -1;

    snprintf(line, size, "exec 3>&1 1>&2\n%s", bot->build);
    if (build.base == NULL)
        text_add(problem, "the event loop could not be set up");
    else
        result = run(&build, &spec, problem);
    if (build.base != NULL)
        event_base_free(build.base);
    free(line);
    return result;
}
