#ifndef REFEREE_CLI_CHECK_SCENARIOS_H
#define REFEREE_CLI_CHECK_SCENARIOS_H

/* The matches that `referee check` plays. */

#include "game/allegra.h"
#include "wire/mangle.h"

#include <stdbool.h>
#include <stddef.h>

/* One kind of match. */
struct scenario {
    const char *name;
    const char *rules; /* changes, "key=value key=value"; NULL: none */
    enum allegra_edition edition;
    unsigned seats;
    unsigned seat;     /* of the bot; the other seats answer at random */
    unsigned mangling; /* a sum of enum mangle_kind */
    /* The first question to the bot, after forced moves; ALLEGRA_QUESTION_NONE: no forced moves. */
    enum allegra_question opens;
    bool has_own_rules; /* not with rules that the user chose */
    bool has_quitter;   /* its left neighbour is dismissed during the match */
    bool is_twice;      /* two matches in one process, if the bot offers it */
    bool is_courtesy;   /* the referee never does this, so a fault is only worth a look */
    bool is_rich;       /* has everything in it, so it is repeated for what is missing */
};

size_t scenario_count(void);
const struct scenario *scenario_at(size_t index);

#endif
