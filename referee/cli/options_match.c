/* Options about rules and clocks. */

#include "cli/options_match.h"

#include "base/text.h"

struct options_match options_match_default(void)
{
    return (struct options_match){
        .game = options_rules_default(),
        .clock = CLOCK_FAIR,
        .start_ms = 10000,
        .move_ms = 1000,
    };
}

static int read_clock(void *destination, const char *name, const char *value)
{
    (void)name;
    return clock_rule_read(span_of(value), destination);
}

#define TIME(member, least)                                                                        \
    OPTION_NUMBER(struct options_match, member, least, OPTIONS_MATCH_TIME_MAX_MS)

const struct option_row options_match_rows[] = {
    {OPTIONS_RULES(struct options_match, game)},
    {"--move-ms", "MS", "time per answer (1000)", TIME(move_ms, 1)},
    {"--start-ms", "MS", "time until the hello (10000)", TIME(start_ms, 1)},
    {"--bank-ms", "MS", "extra time for the whole match (0)", TIME(bank_ms, 0)},
    {"--clock", "RULE", "fair: a bot is not charged while it waits for a CPU; or wall",
     OPTION_READ(struct options_match, clock, read_clock, "fair or wall")},
    {.name = NULL},
};
