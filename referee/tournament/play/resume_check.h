#ifndef REFEREE_TOURNAMENT_PLAY_RESUME_CHECK_H
#define REFEREE_TOURNAMENT_PLAY_RESUME_CHECK_H

/* Compares a tournament file with the store that it resumes. A change that would make old and new
 * results incomparable is refused; others are made if the organiser accepts them. */

#include "tournament/config/config.h"
#include "tournament/play/task.h"
#include "tournament/store/store.h"

struct resume_options {
    bool accepts_changes;
    const char *seed_text; /* for a new store, or NULL */
    /* Bots whose matches will all be played again, up to a NULL: these may be changed in any case.
     * What follows a `=` is not part of the name. Or NULL. */
    const char *const *replayed;
    /* One sentence for the organiser. */
    void (*on_message)(void *context, const char *message);
    void *context;
};

/* Begins a new store with the settings of the config, or compares them with those of the store and
 * writes the changes that are accepted. `bot_setups` are the bots of the config, in its order.
 * Returns 0; or -1 after it has said what is wrong and what can be done. */
int resume_check(struct store *store, const struct config *config,
                 const struct bot_setup *bot_setups, const struct resume_options *options);

/* Whether a tournament has such a setting, and whether it may get another value later. */
bool resume_has_setting(const char *key);
bool resume_may_change(const char *key);

#endif
