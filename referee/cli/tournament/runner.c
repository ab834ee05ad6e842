/* The first signal asks the coordinator to stop, which ends the loop by itself later; the second
 * one breaks the loop. The workers ignore what a terminal sends to all processes, so that the
 * matches that are running can end. */

#include "cli/tournament/runner.h"

#include "base/memory.h"
#include "base/message.h"
#include "cli/interrupt.h"
#include "cli/tournament/steering.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>

struct runner {
    struct runner_setup setup;
    struct event_base *base;
    struct interrupt *interrupt;
    struct coordinator *coordinator;
    struct steering *steering; /* or NULL */
    struct progress *progress; /* NULL: none is shown */
    bool is_aborted;
    enum coordinator_end end;
};

/* What was dropped from the journal. */
static void say_dropped(const struct store *store)
{
    char dropped[160];
    struct text text;

    text_start(&text, dropped, sizeof dropped);
    if (journal_write_dropped(&text, store_loss(store)))
        message_say("%s; a match whose result was among them is played again", dropped);
}

static void say_missing_logs(const struct store *store)
{
    char bytes[120];
    struct text names;
    unsigned long missing;

    text_start(&names, bytes, sizeof bytes);
    missing = store_missing_logs(store, &names);
    if (missing > 0)
        message_say("%lu log%s of decided matches %s missing: %s; the results still count", missing,
                    missing > 1 ? "s" : "", missing > 1 ? "are" : "is", bytes);
}

/* What was kept elsewhere. */
static void say_salvaged(const struct store *store)
{
    const struct journal_loss *loss = store_loss(store);
    const char *aside;
    unsigned long orphans = store_aside(store, &aside);
    size_t results;

    (void)store_results(store, &results);
    if (loss->bytes > 0 && loss->saved != NULL)
        message_say(
            "kept: lines 1 to %lu, with %zu result%s; the rest of the file, %zu bytes, is in %s",
            loss->line - 1, results, results == 1 ? "" : "s", loss->bytes, loss->saved);
    if (orphans > 0)
        message_say("%lu log%s without a result %s moved to %s; %s public, so the cards of %s can "
                    "be known to bots that play %s again",
                    orphans, orphans > 1 ? "s" : "", orphans > 1 ? "were" : "was", aside,
                    orphans > 1 ? "they were" : "it was",
                    orphans > 1 ? "these matches" : "this match", orphans > 1 ? "them" : "it");
}

int runner_repair_store(struct store *store)
{
    char message[700];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (store_repair(store, &problem) != 0) {
        message_say("%s", message);
        return -1;
    }
    say_salvaged(store);
    if (store_lost_commitments(store) != NULL)
        message_say("the file `commitments` %s: it is written again from `master`. It has the hash "
                    "that the journal recorded before the matches were played, so their cards are "
                    "the ones that were committed to",
                    store_lost_commitments(store));
    return 0;
}

struct store *runner_open_store(const char *folder, bool is_salvaging)
{
    char message[700];
    struct text problem;
    struct store *store;

    text_start(&problem, message, sizeof message);
    store = store_open(folder, is_salvaging ? JOURNAL_SALVAGE : JOURNAL_WRITE, &problem);
    if (store == NULL) {
        message_say("%s", message);
        return NULL;
    }
    if (store_is_restored(store))
        message_say("a start with --fresh was stopped before its first match: what was played "
                    "before is there again");
    if (!is_salvaging)
        say_dropped(store);
    say_missing_logs(store);
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

static void on_idle(void *context, unsigned worker)
{
    struct runner *runner = context;

    runner->setup.on_idle(runner->setup.context, worker);
}

static void on_end(void *context, enum coordinator_end end)
{
    struct runner *runner = context;

    runner->end = end;
    event_base_loopbreak(runner->base);
}

static void on_signal(void *context, unsigned count)
{
    struct runner *runner = context;

    if (count > 1) {
        runner_abort(runner);
        return;
    }
    if (runner->setup.on_message == NULL)
        progress_say(runner->progress,
                     "finishing the running matches; press Ctrl-C again to stop now");
    coordinator_stop(runner->coordinator);
}

struct runner *runner_new(const struct runner_setup *setup)
{
    struct runner *runner = xcalloc(1, sizeof *runner);
    struct coordinator_setup coordinator = {
        .tasks = setup->tasks,
        .workers = setup->workers,
        .is_steered = setup->is_steered,
        .is_elsewhere = setup->is_elsewhere,
        .store = setup->store,
        .source = setup->source,
        .on_idle = setup->is_steered ? on_idle : NULL,
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
    (void)signal(SIGPIPE, SIG_IGN);
    interrupt_catch();
    runner->interrupt = interrupt_watch(runner->base, on_signal, runner);
    if (setup->open_lane != NULL)
        coordinator.lane = setup->open_lane(setup->context, runner->base);
    runner->coordinator = coordinator_new(runner->base, &coordinator);
    if (setup->is_steered)
        runner->steering = steering_new(runner->base, runner->coordinator);
    if (!setup->is_quiet && setup->on_message == NULL)
        runner->progress = progress_new(runner->base, &setup->view);
    return runner;
}

static void close_lane(struct runner *runner)
{
    if (runner->setup.open_lane != NULL)
        runner->setup.close_lane(runner->setup.context);
    runner->setup.open_lane = NULL;
}

void runner_free(struct runner *runner)
{
    if (runner == NULL)
        return;
    progress_free(runner->progress);
    steering_free(runner->steering);
    coordinator_free(runner->coordinator);
    close_lane(runner);
    interrupt_free(runner->interrupt);
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
    steering_free(runner->steering);
    runner->steering = NULL;
    coordinator_free(runner->coordinator);
    runner->coordinator = NULL;
    close_lane(runner);
    (void)store_seal(runner->setup.store);
    return runner->is_aborted ? COORDINATOR_ABORTED : runner->end;
}

void runner_abort(struct runner *runner)
{
    runner->is_aborted = true;
    event_base_loopbreak(runner->base);
}
