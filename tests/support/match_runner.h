#ifndef TESTS_SUPPORT_MATCH_RUNNER_H
#define TESTS_SUPPORT_MATCH_RUNNER_H

/* Plays matches of real bot processes for benchmarks, several at once in one event loop. */

#include "bot/bot_command.h"
#include "match/match_host.h"

#include <stdbool.h>

struct match_runner;

/* The result of one match. */
struct match_runner_result {
    unsigned long answers;
    double seconds;     /* from the deal to the result */
    double cpu_seconds; /* of this process meanwhile; only meaningful for a single match */
    bool is_void;
    enum bot_outcome faults[ALLEGRA_SEATS_MAX];
    uint8_t places[ALLEGRA_SEATS_MAX]; /* 1 is best */
    int32_t total_halves[ALLEGRA_SEATS_MAX];
    long log_bytes;
};

/* What to play. `bots` has a command per seat; logs go to `folder`, or nowhere if it is NULL. */
struct match_runner_setup {
    struct allegra_rules rules;
    unsigned seats;
    const char *bots[ALLEGRA_SEATS_MAX];
    long move_ms;
    const char *folder;
    struct sandbox *sandbox; /* NULL: none */
    bool keeps_logs;         /* if set, the caller removes FOLDER/NUMBER.ndjson */
    bool packs_logs;         /* FOLDER/NUMBER.ndjson.zst instead */
};

struct match_runner *match_runner_new(void);
void match_runner_free(struct match_runner *runner);

/* Plays `count` matches at once to their end, each with its own seed. */
void match_runner_play(struct match_runner *runner, const struct match_runner_setup *setup,
                       unsigned count, unsigned first_number, struct match_runner_result *results);

/* Starts `count` matches, runs them until each has 20 decisions, and returns the resident memory of
 * this process. The matches are then aborted. */
long match_runner_resident_kb(struct match_runner *runner, const struct match_runner_setup *setup,
                              unsigned count);

/* Pins this process, and so all bots that it starts, to one core; -1 unpins it. */
void match_runner_pin(int cpu);

#endif
