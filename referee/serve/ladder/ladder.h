#ifndef REFEREE_SERVE_LADDER_LADDER_H
#define REFEREE_SERVE_LADDER_LADDER_H

/* The ladders of a daemon. In a ladder every bot plays all the time, as long as there is something
 * to learn: each new version at once, against the opponents that say most about its rank
 * (ladder_choose.h). After the deadline no version enters, and a round robin is played by itself.
 *
 * A ladder submits jobs to the queue like a user, as `ladder:NAME`: a table as a match of some
 * deals, the final as a tournament. The ledger, the stores of tables that are over and the file of
 * results (ladder_results.h) are all it has on the disk; everything else follows from them.
 *
 *   FOLDER/ladders/NAME.ndjson    the places and the luck of all matches
 *   FOLDER/ladders/NAME.history   earlier ratings, for people (ladder_history.h)
 */

#include "serve/ladder/ladder_history.h"
#include "serve/ladder/ladder_luck.h"
#include "serve/ladder/ladder_rating.h"
#include "serve/queue/queue.h"
#include "tournament/config/ladder_file.h"

struct event_base;
struct ladder;
struct ladders;

#define LADDERS_MAX 16

struct ladders_setup {
    struct event_base *base;
    struct queue *queue;
    const char *program;      /* as queue_setup has it */
    const char *const *files; /* one per ladder; NULL ends them. Lent for good */
    bool is_salvage;          /* a file of results may be damaged */
};

/* Starts all ladders. Returns NULL with a sentence in `problem`. */
struct ladders *ladders_new(const struct ladders_setup *setup, struct text *problem);
void ladders_free(struct ladders *ladders); /* NULL is fine */

/* Reads the files again. Returns 0, or -1 with a sentence: then nothing has changed. */
int ladders_reload(struct ladders *ladders, struct text *problem);

/* NULL has no ladders. */
unsigned ladders_count(const struct ladders *ladders);
const struct ladder *ladders_at(const struct ladders *ladders, unsigned index);
const struct ladder *ladders_find(const struct ladders *ladders, const char *name); /* or NULL */

/* One version in a ladder. */
struct ladder_row {
    unsigned place;              /* in the ledger */
    bool is_active;              /* it plays; others have played */
    bool is_broken;              /* it is left out: its last tables failed, whoever it met */
    unsigned deals;              /* that it has played */
    unsigned long matches, wins; /* shared first places count as wins */
    struct ladder_rating rating; /* its points are NaN until it is rated */
    struct ladder_luck luck;     /* of its choices, when it was rated last */
};

enum ladder_state {
    LADDER_OPEN,    /* before the deadline, or there is none */
    LADDER_PLAYING, /* the final is being played */
    LADDER_OVER,    /* it is over */
    LADDER_STATE_COUNT,
};

extern const char *const ladder_state_names[LADDER_STATE_COUNT];

const struct ladder_file *ladder_config(const struct ladder *ladder);
enum ladder_state ladder_state(const struct ladder *ladder);

/* The job of the final; 0 before. */
unsigned ladder_final(const struct ladder *ladder);

/* The rows: active ones first, the best rating first; then older versions. Lent until the loop goes
 * on. */
const struct ladder_row *ladder_rows(const struct ladder *ladder, unsigned *count);

/* What is known about earlier ratings, the oldest first: of all versions that ever played, also of
 * bots that are not there any more. */
const struct ladder_moment *ladder_moments(const struct ladder *ladder, unsigned *count);

/* How many active versions there are, and all matches that were played. */
unsigned ladder_active_count(const struct ladder *ladder);
unsigned long ladder_match_count(const struct ladder *ladder);

#endif
