#ifndef REFEREE_TOURNAMENT_STORE_PUBLISHED_LOGS_H
#define REFEREE_TOURNAMENT_STORE_PUBLISHED_LOGS_H

/* Which logs lie in the folder `logs` of a store, by their names alone. */

#include <stdbool.h>
#include <stddef.h>

struct published_log {
    unsigned block;    /* from 1; 0: the name is not that of a log of a match */
    unsigned rotation; /* from 0 */
    char name[300];    /* "000012/03.ndjson.zst" */
};

struct published_logs {
    struct published_log *list; /* in order */
    size_t count;
};

/* Lists all files that are called like a log, compressed or not. Logs of attempts, and what bots
 * wrote to stderr, are left out. */
struct published_logs published_logs_list(const char *folder);
void published_logs_free(struct published_logs *logs);

bool published_logs_have(const struct published_logs *logs, unsigned block, unsigned rotation);

#endif
