#ifndef REFEREE_TOURNAMENT_STORE_STORE_INVENTORY_H
#define REFEREE_TOURNAMENT_STORE_STORE_INVENTORY_H

/* Everything that lies in the folder of a store, by name and kind, and whether a referee can have
 * put it there. What is in the files is for others to check. */

#include "tournament/store/store.h"

struct store_inventory;

/* Lists the folder. To be called before the journal is read: whatever is public by then has a
 * result in it. */
struct store_inventory *store_inventory_take(const char *folder);
void store_inventory_free(struct store_inventory *inventory);

/* Whether there is a public log of that match. */
bool store_inventory_has_log(const struct store_inventory *inventory, unsigned block,
                             unsigned rotation);

enum store_inventory_finding {
    STORE_INVENTORY_ATTEMPT, /* the log of a void match */
    STORE_INVENTORY_OTHER,   /* it is not of the store, and nobody takes it for a part of it */
    STORE_INVENTORY_WRONG,   /* it is in the place of something else, or among the public logs */
};

/* Called for everything that is not simply a part of the store. `path` is from the folder on, and
 * printable whatever the name is; `why` is one sentence about what is wrong, or NULL. */
typedef void store_inventory_fn(void *context, enum store_inventory_finding finding,
                                const char *path, const char *why);

/* Judges what was found by the results of the store. */
void store_inventory_judge(const struct store_inventory *inventory, const struct store *store,
                           store_inventory_fn *on_finding, void *context);

#endif
