/* Options about rules and clocks. An edition sets every rule key, so it must come before the
 * options that change one. */

#include "cli/options_match.h"

#include "base/message.h"
#include "game/rules.h"

struct options_match options_match_default(void)
{
    return (struct options_match){
        .rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026),
        .clock = CLOCK_FAIR,
        .start_ms = 10000,
        .move_ms = 1000,
    };
}

static int read_edition(void *destination, const char *name, const char *value)
{
    struct options_match *match = destination;
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (match->has_rules)
        text_printf(&problem, "%s must come once, and before --set and --rounds", name);
    else if (rules_read_edition(span_of(value), &match->rules, &problem) == 0) {
        match->has_rules = true;
        return 0;
    }
    message_say("%s", message);
    return -1;
}

/* --set KEY=VALUE or --rounds N. */
static int read_rule(void *destination, const char *name, const char *value)
{
    struct options_match *match = destination;
    char message[300];
    struct text problem;
    int result;

    text_start(&problem, message, sizeof message);
    match->has_rules = true;
    if (strcmp(name, "--rounds") == 0)
        result = rules_set(&match->rules, span_of("rounds"), span_of(value), &problem);
    else
        result = rules_set_pair(&match->rules, span_of(value), &problem);
    if (result != 0)
        message_say("%s", message);
    return result;
}

static int read_clock(void *destination, const char *name, const char *value)
{
    (void)name;
    return clock_rule_read(span_of(value), destination);
}

#define READ(function) .kind = OPTION_KIND_READ, .read = (function)
#define TIME(member, least)                                                                        \
    OPTION_NUMBER(struct options_match, member, least, OPTIONS_MATCH_TIME_MAX_MS)

const struct option_row options_match_rows[] = {
    {"--edition", "NAME", "play by the rules of this edition (de2026)", READ(read_edition)},
    {"--set", "KEY=VALUE", "change a rule; see `referee rules`", READ(read_rule)},
    {"--rounds", "N", "the same as --set rounds=N", READ(read_rule)},
    {"--move-ms", "MS", "time per answer (1000)", TIME(move_ms, 1)},
    {"--start-ms", "MS", "time until the hello (10000)", TIME(start_ms, 1)},
    {"--bank-ms", "MS", "extra time for the whole match (0)", TIME(bank_ms, 0)},
    {"--clock", "RULE", "fair: a bot is not charged while it waits for a CPU; or wall",
     OPTION_READ(struct options_match, clock, read_clock, "fair or wall")},
    {.name = NULL},
};
