#ifndef REFEREE_CLI_CHECK_SCENARIOS_H
#define REFEREE_CLI_CHECK_SCENARIOS_H

/* The matches that `referee check` plays. */

#include "game/answer.h"
#include "game/rules.h"
#include "wire/mangle.h"

#include <stdbool.h>
#include <stddef.h>

/* One kind of match. */
struct scenario {
    const char *name;
    const char *rules; /* changes, "key=value key=value"; NULL: none */
    enum allegra_rules_edition edition;
    unsigned seats;
    unsigned seat;     /* of the bot; the other seats answer at random */
    unsigned mangling; /* a sum of enum mangle_kind */
    enum allegra_question
        opens; /* its first question, all before it being given; ALLEGRA_QUESTION_NONE: its own */
    bool has_own_rules; /* its changes make another game: not for a bot of one edition */
    bool has_quitter;   /* its left neighbour is dismissed on the way */
    bool is_twice;      /* two matches in one process, if the bot offers that */
    bool is_courtesy;   /* the referee never does that: a fault is only worth a look */
    bool is_rich;       /* has everything in it, so it is played again for what is missing */
};

size_t scenario_count(void);
const struct scenario *scenario_at(size_t index);

#endif
