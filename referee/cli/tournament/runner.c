/* The first signal asks the coordinator to stop, which ends the loop by itself later; the second
 * one breaks the loop. The workers ignore what a terminal sends to all processes, so that the
 * matches that are running can end. */

#include "cli/tournament/runner.h"

#include "base/memory.h"
#include "base/message.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

struct runner {
    struct runner_setup setup;
    struct event_base *base;
    struct event *on_signal[ARRAY_LEN(signals)]; /* NULL: that signal is ignored */
    struct coordinator *coordinator;
    struct progress *progress; /* NULL: none is shown */
    bool is_stopping;
    bool is_aborted;
    enum coordinator_end end;
};

struct store *runner_open_store(const char *folder)
{
    char message[600];
    struct text problem;
    struct store *store;

    text_start(&problem, message, sizeof message);
    store = store_open(folder, false, &problem);
    if (store == NULL)
        message_say("%s", message);
    else if (store_dropped(store) > 0)
        message_say("the last record was cut off in the middle (%zu bytes) and is dropped; its "
                    "match is played again",
                    store_dropped(store));
    return store;
}

static void on_message(void *context, const char *message)
{
    struct runner *runner = context;

    if (runner->setup.on_message != NULL)
        runner->setup.on_message(runner->setup.context, message);
    else
        progress_say(runner->progress, message);
}

static void on_end(void *context, enum coordinator_end end)
{
    struct runner *runner = context;

    runner->end = end;
    event_base_loopbreak(runner->base);
}

static void on_signal(evutil_socket_t number, short what, void *context)
{
    struct runner *runner = context;

    (void)number;
    (void)what;
    if (runner->is_stopping) {
        runner_abort(runner);
        return;
    }
    runner->is_stopping = true;
    if (runner->setup.on_message == NULL)
        progress_say(runner->progress,
                     "finishing the running matches; press Ctrl-C again to stop now");
    coordinator_stop(runner->coordinator);
}

/* nohup(1) starts a program with SIGHUP ignored, and so it stays. */
static void watch_signals(struct runner *runner)
{
    (void)signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        struct sigaction before;

        if (signals[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 &&
            before.sa_handler == SIG_IGN)
            continue;
        runner->on_signal[i] = evsignal_new(runner->base, signals[i], on_signal, runner);
        evsignal_add(runner->on_signal[i], NULL);
    }
}

struct runner *runner_new(const struct runner_setup *setup)
{
    struct runner *runner = xcalloc(1, sizeof *runner);
    struct coordinator_setup coordinator = {
        .tasks = setup->tasks,
        .workers = setup->workers,
        .store = setup->store,
        .source = setup->source,
        .on_message = on_message,
        .on_end = on_end,
        .context = runner,
    };

    runner->setup = *setup;
    runner->end = COORDINATOR_STOPPED;
    runner->base = event_base_new();
    if (runner->base == NULL) {
        message_say("the event loop could not be set up");
        runner_free(runner);
        return NULL;
    }
    watch_signals(runner);
    runner->coordinator = coordinator_new(runner->base, &coordinator);
    if (!setup->is_quiet && setup->on_message == NULL)
        runner->progress = progress_new(runner->base, &setup->view);
    return runner;
}

void runner_free(struct runner *runner)
{
    if (runner == NULL)
        return;
    progress_free(runner->progress);
    coordinator_free(runner->coordinator);
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        if (runner->on_signal[i] != NULL)
            event_free(runner->on_signal[i]);
    }
    if (runner->base != NULL)
        event_base_free(runner->base);
    free(runner);
}

struct event_base *runner_base(const struct runner *runner)
{
    return runner->base;
}

const struct coordinator *runner_coordinator(const struct runner *runner)
{
    return runner->coordinator;
}

enum coordinator_end runner_play(struct runner *runner)
{
    if (!runner->is_aborted)
        event_base_dispatch(runner->base);
    progress_free(runner->progress);
    runner->progress = NULL;
    coordinator_free(runner->coordinator);
    runner->coordinator = NULL;
    return runner->is_aborted ? COORDINATOR_ABORTED : runner->end;
}

void runner_abort(struct runner *runner)
{
    runner->is_aborted = true;
    event_base_loopbreak(runner->base);
}
