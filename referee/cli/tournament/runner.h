#ifndef REFEREE_CLI_TOURNAMENT_RUNNER_H
#define REFEREE_CLI_TOURNAMENT_RUNNER_H

/* Plays a store from the command line, the same way for `tournament` and `compare`: the event loop,
 * signals, the coordinator, messages and progress on stderr.
 *
 * SIGINT, SIGTERM and SIGHUP let the running matches end; a second one stops at once. */

#include "cli/tournament/progress.h"
#include "tournament/play/coordinator.h"
#include "tournament/store/store.h"

struct runner;

struct runner_setup {
    struct task_setup tasks;
    unsigned workers;  /* 0: one per core */
    bool is_steered;   /* stdin says which of them may play: "slots 0 2", counted from 0 */
    bool is_elsewhere; /* as in coordinator_setup */
    /* Opens the lane to other machines, and closes it; NULL: all is played here. */
    const struct lane *(*open_lane)(void *context, struct event_base *base);
    void (*close_lane)(void *context);
    struct store *store;
    struct block_source source;
    /* Of a steered one: a worker that may not play any more has finished. */
    void (*on_idle)(void *context, unsigned worker);
    struct progress_view view;
    bool is_quiet; /* no progress, only messages */
    /* Takes the messages instead of stderr, and there is no progress; or NULL. */
    void (*on_message)(void *context, const char *message);
    void *context;
};

/* Opens the store in a folder for playing, and says what was lost. Returns NULL after it has said
 * why not. */
struct store *runner_open_store(const char *folder, bool is_salvaging);

/* When everything about the store was checked: repairs it, and says what was moved or written
 * again. Returns 0, or -1 after it has said why not. */
int runner_repair_store(struct store *store);

/* Starts the workers. `setup` is copied; what it points to is lent. Returns NULL after it has said
 * why not. */
struct runner *runner_new(const struct runner_setup *setup);
void runner_free(struct runner *runner);

struct event_base *runner_base(const struct runner *runner);
const struct coordinator *runner_coordinator(const struct runner *runner);

/* Plays until everything is played or somebody stops it. */
enum coordinator_end runner_play(struct runner *runner);

/* Makes runner_play() return at once; the running matches are lost. */
void runner_abort(struct runner *runner);

#endif
