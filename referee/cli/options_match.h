#ifndef REFEREE_CLI_OPTIONS_MATCH_H
#define REFEREE_CLI_OPTIONS_MATCH_H

/* The options about rules and clocks, for all commands that play matches. */

#include "bot/clock_rule.h"
#include "cli/options.h"
#include "cli/options_rules.h"

#define OPTIONS_MATCH_TIME_MAX_MS 86400000

struct options_match {
    struct options_rules game;
    enum clock_rule clock;
    long start_ms;
    long move_ms;
    long bank_ms;
};

extern const struct option_row options_match_rows[];

/* All of them, as one row of the table of a command. */
#define OPTIONS_MATCH(type, member)                                                                \
    OPTION_GROUP(type, member, struct options_match, options_match_rows)

struct options_match options_match_default(void);

#endif
