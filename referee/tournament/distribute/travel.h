#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_TRAVEL_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_TRAVEL_H

/* What a tournament gives to workers elsewhere, each thing once and by its hash: its settings, and
 * the files of its bots. */

#include "tournament/config/config.h"
#include "tournament/distribute/seal.h"
#include "tournament/play/task.h"

struct travel;

/* What travels. Lent for the call. */
struct travel_setup {
    const struct task_setup *tasks;
    enum sandbox_level level;                /* of the sandbox that bots have to be run in */
    const struct config_bot *const *sources; /* by number; NULL: that bot does not play */
    unsigned bot_count;
    const char *store; /* its id */
    long speed;        /* of this machine, if clocks are scaled by speed; else 0 */
};

/* Packs everything. Returns NULL with one sentence. */
struct travel *travel_new(const struct travel_setup *setup, struct text *problem);
void travel_free(struct travel *travel);

/* The hash of the settings, which name everything else. */
const char *travel_hash(const struct travel *travel);

/* What has that hash, compressed; NULL if nothing has. Lent. */
const char *travel_find(const struct travel *travel, const char *hash, size_t *length);

#endif
