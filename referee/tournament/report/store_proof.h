#ifndef REFEREE_TOURNAMENT_REPORT_STORE_PROOF_H
#define REFEREE_TOURNAMENT_REPORT_STORE_PROOF_H

/* Proves a tournament from its store: the journal, the commitments, every published log by its hash
 * and by playing it again, that logs, journal and schedule say the same, and the tables. Nothing is
 * changed, and the tournament may be running. */

#include "wire/log_record.h"

#include <stdbool.h>

/* Called for everything that is wrong, with the path of the file. */
typedef void store_proof_problem_fn(void *context, const char *path, const char *why);

/* What became of the file `master`. */
enum store_proof_master {
    STORE_PROOF_MASTER_UNTRIED, /* the journal is wrong already */
    STORE_PROOF_MASTER_MISSING,
    STORE_PROOF_MASTER_UNREADABLE, /* for our user, or it is damaged */
    STORE_PROOF_MASTER_COMPARED,
};

struct store_proof {
    unsigned long matches;  /* whose logs are published and were verified, right or wrong */
    unsigned long waiting;  /* whose logs are not published yet */
    unsigned long pruned;   /* whose logs were deleted on purpose */
    char pruned_blocks[80]; /* "1 to 500, 502", the first of them */
    unsigned long attempts; /* logs of void matches, which prove nothing */
    unsigned long others;   /* files and folders that are not of the store */
    char other_names[220];  /* the first of them */
    /* Whose luck another version of the measure has measured, so that it was not compared. */
    unsigned long other_luck;
    unsigned long problems; /* how many were reported */
    unsigned long records;  /* of the journal */
    size_t dropped_bytes;   /* after them, which do not count */
    bool has_schedule;      /* it is a tournament */
    bool is_comparison;     /* it has neither a schedule nor tables */
    bool is_finished;
    enum store_proof_master master;
    char sum[LOG_RECORD_HASH_HEX]; /* of the last record; "" if the journal cannot be read */
};

struct store_proof store_proof_check(const char *folder, store_proof_problem_fn *on_problem,
                                     void *context);

#endif
