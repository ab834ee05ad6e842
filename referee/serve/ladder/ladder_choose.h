#ifndef REFEREE_SERVE_LADDER_LADDER_CHOOSE_H
#define REFEREE_SERVE_LADDER_LADDER_CHOOSE_H

/* Who plays next in a ladder: the table from which most can be learned about the order of the bots.
 * Pure and deterministic. */

#include <stdbool.h>

/* One version. Those that do not play any more say how strong the opponents of the others were. */
struct ladder_entrant {
    double strength; /* log; 0 for one that has not played */
    bool may_play;
    bool is_due; /* it has not played enough yet; others that may play only fill tables */
};

struct ladder_choice {
    unsigned count;
    struct ladder_entrant *entrants; /* to be filled in */
    float *pairs;                    /* internal: what was learned about each two */
    double *variances, *means;       /* internal: what is known about each */
};

struct ladder_choice *ladder_choice_new(unsigned count);
void ladder_choice_free(struct ladder_choice *choice);

/* So many matches were played at a table, or are being played. `table` has places in `entrants`,
 * whose strengths must be there. */
void ladder_choice_learn(struct ladder_choice *choice, const unsigned *table, unsigned seats,
                         double matches);

/* Chooses a table at which so many matches are played. Returns false if nobody is due, or if there
 * are too few for a table. `table` gets the places of the chosen ones; the first one is due. */
bool ladder_choice_make(struct ladder_choice *choice, unsigned seats, double matches,
                        unsigned *table);

#endif
