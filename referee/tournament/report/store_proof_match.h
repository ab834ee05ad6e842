#ifndef REFEREE_TOURNAMENT_REPORT_STORE_PROOF_MATCH_H
#define REFEREE_TOURNAMENT_REPORT_STORE_PROOF_MATCH_H

/* One match of a store: its log, held against the journal. */

#include "base/text.h"
#include "tournament/store/store.h"

struct store_proof_match {
    const struct store *store;      /* as it was when the result was recorded */
    const struct json_node *record; /* of the result */
    const struct result *result;    /* the same, read */
    const char *commitment;         /* to the seed of its deal, in hexadecimal */
    const char *path;               /* of the log */
};

/* Returns 0 if the log is right and says what the journal says; or -1 with one sentence. */
int store_proof_match_check(const struct store_proof_match *match, struct text *problem);

/* Whether its luck was measured by this version of the measure: only then it can be compared. */
bool store_proof_match_has_our_luck(const struct store_proof_match *match);

#endif
