/* A build is started like a bot, which never says hello: its question ends when the process does, and
 * then its exit status tells. What it writes to its output is sent to its stderr, where the beginning
 * and the end of it are kept; the pipe itself stays open, because its end would be taken for ours. */

#include "tournament/play/bot_build.h"

#include "base/memory.h"
#include "bot/bot.h"
#include "base/directory_tree.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_US (INT64_C(600) * 1000000)
#define TAIL_BYTES 800
#define WORKSHOP "build"

struct bot_build {
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
    struct bot_build *build = context;

    (void)result;
    event_base_loopbreak(build->base);
}

static int judge(const struct bot_build *build, struct text *problem)
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

/* What was built in the scratch folder takes the place of what it was built from. */
static int fetch(const struct bot_build *build, const char *folder, struct text *problem)
{
    size_t size = strlen(bot_scratch(build->bot)) + sizeof WORKSHOP + 1;
    char *path = xcalloc(size, 1);
    int result;

    snprintf(path, size, "%s/" WORKSHOP, bot_scratch(build->bot));
    result = directory_tree_copy(path, folder);
    if (result != 0) {
        text_add(problem, "what was built cannot be copied: ");
        text_add(problem, strerror(errno));
    }
    free(path);
    return result;
}

static int run(struct bot_build *build, const struct bot_spec *spec, struct text *problem)
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
    if (result == 0 && bot_scratch(build->bot) != NULL)
        result = fetch(build, spec->folder, problem);
    bot_free(build->bot);
    return result;
}

/* A bubble keeps what is written in it to itself, so a build is never put into one. */
static int run_contained(struct bot_build *build, struct bot_spec *spec, struct sandbox *sandbox,
                         struct text *problem)
{
    int result = -1;

    if (sandbox_level(sandbox) == SANDBOX_SEALED)
        spec->sandbox = sandbox_new(SANDBOX_GUARDED, problem);
    else if (sandbox_level(sandbox) == SANDBOX_GUARDED)
        spec->sandbox = sandbox;
    if (spec->sandbox != NULL || sandbox_level(sandbox) == SANDBOX_NONE)
        result = run(build, spec, problem);
    if (spec->sandbox != sandbox)
        sandbox_free(spec->sandbox);
    return result;
}

/* The line for the shell: in a scratch folder the build works on a copy. */
static char *line_of(const struct config_bot *bot, bool is_contained)
{
    static const char to_workshop[] =
        "cp -R . \"$HOME/" WORKSHOP "\" && chmod -R u+w \"$HOME/" WORKSHOP
        "\" && cd \"$HOME/" WORKSHOP "\" || exit 1\n";
    size_t size = strlen(bot->build) + sizeof to_workshop + 40;
    char *line = xcalloc(size, 1);

    snprintf(line, size, "exec 3>&1 1>&2\n%s%s", is_contained ? to_workshop : "", bot->build);
    return line;
}

int bot_build_run(const struct config_bot *bot, const char *folder, struct sandbox *sandbox,
                  struct text *problem)
{
    char *line = line_of(bot, sandbox_level(sandbox) != SANDBOX_NONE);
    const char *argv[] = {"/bin/sh", "-c", line, NULL};
    struct bot_spec spec = {
        .argv = argv,
        .clock = CLOCK_WALL,
        .label = bot->name,
        .cpu = -1,
        .folder = folder,
        .environment = (const char *const *)bot->environment,
    };
    struct bot_build build = {.base = event_base_new()};
    int result = -1;

    if (build.base == NULL)
        text_add(problem, "the event loop could not be set up");
    else
        result = run_contained(&build, &spec, sandbox, problem);
    if (build.base != NULL)
        event_base_free(build.base);
    free(line);
    return result;
}
