#ifndef REFEREE_TOURNAMENT_TERMS_H
#define REFEREE_TOURNAMENT_TERMS_H

/* The terms of a tournament: what its file says must be what its store began with. A change that would
 * make old and new results incomparable is refused; others are made if the organiser says so. */

#include "tournament/job.h"
#include "tournament/plan.h"
#include "tournament/store.h"

/* One sentence for the organiser. */
typedef void terms_say_fn(void *context, const char *words);

struct terms_options {
    bool accepts_changes;
    const char *seed_words; /* for a new store, or NULL */
    terms_say_fn *say;
    void *context;
};

/* Begins a new store by the plan, or compares the plan with what the store began with, and writes down
 * changes that are accepted. `entrants` are the bots of the plan, in its order. Returns 0; or -1 after
 * it has said what is in the way and what can be done. */
int terms_agree(struct store *store, const struct plan *plan, const struct entrant *entrants,
                const struct terms_options *options);

#endif
