#ifndef REFEREE_CLI_OPTIONS_MATCH_H
#define REFEREE_CLI_OPTIONS_MATCH_H

/* What every command that plays matches can be told about them: rules and clocks. */

#include "bot/clock_rule.h"
#include "cli/options.h"
#include "game/rules.h"

/* Rows for the table of such a command, in this order, followed by its own. */
#define OPTIONS_MATCH_ROWS                                                                         \
    {"--edition", "NAME", "the rules of this edition (de2026)"},                                   \
        {"--set", "KEY=VALUE", "change a rule; see `referee rules`"},                              \
        {"--rounds", "N", "the same as --set rounds=N"},                                           \
        {"--move-ms", "MS", "time for each answer (1000)"},                                        \
        {"--start-ms", "MS", "time to say hello (10000)"},                                         \
        {"--bank-ms", "MS", "extra time for the whole match (0)"},                                 \
    {                                                                                              \
        "--clock", "RULE", "fair: what the machine withheld is not charged; or wall"               \
    }

/* How many rows that are: the number of a command's first own row. */
#define OPTIONS_MATCH_COUNT 7

struct options_match {
    struct allegra_rules rules;
    bool has_edition; /* or a key, so that none may come any more */
    enum clock_rule clock;
    long start_ms;
    long move_ms;
    long bank_ms;
};

struct options_match options_match_default(void);

/* Takes one of the rows above. Returns 0, or -1 after it said what is wrong. */
int options_match_take(struct options_match *options, size_t row, const char *value);

/* Reads a number for the option `name`. Returns 0, or -1 after it said what is wrong. */
int options_match_number(const char *name, const char *value, long least, long most, long *number);

#endif
