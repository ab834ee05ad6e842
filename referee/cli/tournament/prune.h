#ifndef REFEREE_CLI_TOURNAMENT_PRUNE_H
#define REFEREE_CLI_TOURNAMENT_PRUNE_H

#include <stdbool.h>

/* Deletes public logs of a store by a rule: `days=30` deletes those that are older, `best=8` those
 * of matches in which none of the best 8 bots played. Their results count as before. Says what it
 * did; for the daemon (`has_feed`) as `pruned LOGS BYTES`, where the bytes are those that the store
 * still has, and not through a link. Returns an enum cli_exit. */
int prune(const char *folder, const char *rule, bool has_feed);

#endif
