#ifndef REFEREE_TOURNAMENT_PLAY_RESUME_CHECK_H
#define REFEREE_TOURNAMENT_PLAY_RESUME_CHECK_H

/* The terms of a tournament: what its file says must be what its store began with. A change that would
 * make old and new results incomparable is refused; others are made if the organiser says so. */

#include "tournament/play/task.h"
#include "tournament/config/config.h"
#include "tournament/store/store.h"

/* One sentence for the organiser. */
typedef void resume_say_fn(void *context, const char *words);

struct resume_options {
    bool accepts_changes;
    const char *seed_words; /* for a new store, or NULL */
    resume_say_fn *say;
    void *context;
};

/* Begins a new store by the plan, or compares the plan with what the store began with, and writes down
 * changes that are accepted. `bot setups` are the bots of the plan, in its order. Returns 0; or -1 after
 * it has said what is in the way and what can be done. */
int resume_check(struct store *store, const struct config *config,
                 const struct bot_setup *bot_setups, const struct resume_options *options);

#endif
