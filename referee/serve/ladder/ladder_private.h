#ifndef REFEREE_SERVE_LADDER_LADDER_PRIVATE_H
#define REFEREE_SERVE_LADDER_LADDER_PRIVATE_H

/* What the files of a ladder share: the ladder itself. */

#include "serve/ladder/ladder.h"
#include "serve/ladder/ladder_history.h"
#include "serve/queue/child.h"

struct event;

struct ladder {
    struct ladders *all;
    struct ladder_file *file;
    char *user; /* "ladder:NAME" */
    struct ladder_results *results;
    struct ladder_history *history;
    unsigned pruned;     /* tables from the front whose logs are removed */
    unsigned open_count; /* of its tables, in the queue or being played */
    unsigned final;      /* the job, or 0 */
    struct ladder_row *rows;
    unsigned row_count;
    /* Rating. */
    struct child *child;           /* is at it; or NULL */
    struct ladder_rating *ratings; /* the last ones */
    unsigned rating_count;
    struct ladder_rating *fresh; /* that come in */
    unsigned fresh_count;
    struct ladder_luck *lucks; /* the last ones */
    unsigned luck_count;
    struct ladder_luck *fresh_lucks; /* that come in with the ratings */
    unsigned fresh_luck_count;
    bool is_stale;         /* something has changed since the child began */
    int64_t began_us;      /* when the child began */
    int64_t rest_until_us; /* no other begins before that */
    struct event *on_rested;
};

struct ladders {
    struct ladders_setup setup;
    struct broadcast_watcher *watcher;
    struct event *on_change; /* something has happened: look at everything */
    struct event *on_time;   /* a deadline may have passed */
    struct ladder *list[LADDERS_MAX];
    unsigned count;
};

/* "NAME@VERSION" of a place in the ledger. */
void ladder_name_version(const struct ledger *ledger, unsigned place,
                         char version[LADDER_VERSION_MAX]);

/* The deadline has passed. */
bool ladder_is_closed(const struct ladder *ladder);

/* Takes the results of tables that are over and not taken yet, counts those that are not over,
 * finds the final, and removes old logs (ladder_take.c). Returns whether there are new results. */
bool ladder_take_results(struct ladder *ladder);

/* Makes the rows again (ladder_rows.c). Returns whether other versions are active than before. */
bool ladder_make_rows(struct ladder *ladder);

/* Submits tables, as many as may wait, or the final (ladder_submit.c). */
void ladder_submit(struct ladder *ladder);

#endif
