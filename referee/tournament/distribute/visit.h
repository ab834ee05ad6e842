#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_VISIT_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_VISIT_H

/* A tournament of another machine as a worker sees it: its settings and bots, read from what
 * travels (travel.h), with the bots where the cache of this machine has them. */

#include "tournament/distribute/bot_cache.h"
#include "tournament/play/task.h"

struct visit;

/* A bot of it. */
struct visit_bot {
    const char *parcel; /* the hash of its files; "": it has none */
    const char *build;  /* NULL: it is not built */
};

/* Where and how it is played here. Lent. */
struct visit_place {
    const struct bot_cache *cache;
    const char *folder; /* for logs */
    const char *machine;
    const bool *levels; /* by sandbox level: whether bots may be run at it */
    long speed;
    unsigned most_tables;
    unsigned silence_ms; /* as in task_setup */
};

/* Reads the settings. Returns NULL with one sentence. */
struct visit *visit_new(struct span settings, const struct visit_place *place,
                        struct text *problem);
void visit_free(struct visit *visit);

const struct task_setup *visit_tasks(const struct visit *visit);
const char *visit_store(const struct visit *visit); /* its id */
unsigned visit_bot_count(const struct visit *visit);

/* A bot by its number. Its name is "" if it does not play. */
struct visit_bot visit_bot(const struct visit *visit, unsigned number);
const struct bot_setup *visit_bot_setup(const struct visit *visit, unsigned number);

#endif
