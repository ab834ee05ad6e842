#ifndef TESTS_SUPPORT_ARENA_H
#define TESTS_SUPPORT_ARENA_H

/* Matches of real processes for benchmarks: several at once in one loop. */

#include "bot/bot_command.h"
#include "match/match_host.h"

#include <stdbool.h>

struct arena;

/* What one match came to. */
struct arena_match {
    unsigned long answers;
    double seconds;     /* from the deal to the result */
    double cpu_seconds; /* of this process meanwhile; of no use with several matches at once */
    bool is_void;
    enum bot_outcome faults[ALLEGRA_SEATS_MAX];
    uint8_t places[ALLEGRA_SEATS_MAX]; /* 1 is best */
    int32_t total_halves[ALLEGRA_SEATS_MAX];
    long log_bytes;
};

/* What to play. `bots` has a command for each seat; `folder` is where logs go, or NULL. */
struct arena_setup {
    struct allegra_rules rules;
    unsigned seats;
    const char *bots[ALLEGRA_SEATS_MAX];
    long move_ms;
    const char *folder;
    struct sandbox *sandbox; /* how strictly bots are kept; NULL: not at all */
    bool keeps_logs;         /* the caller removes FOLDER/NUMBER.ndjson */
};

struct arena *arena_new(void);
void arena_free(struct arena *arena);

/* Plays `count` matches at once to their end; match i is dealt from a seed of its own. */
void arena_play(struct arena *arena, const struct arena_setup *setup, unsigned count,
                unsigned first_number, struct arena_match *results);

/* Opens `count` matches, lets them run until `seconds` have passed, and returns how much memory
 * this process has then; the matches are broken off. */
long arena_resident_kb(struct arena *arena, const struct arena_setup *setup, unsigned count);

/* Pins this process, and so all bots that it starts, to one core; -1 lets it go again. */
void arena_pin(int cpu);

#endif
