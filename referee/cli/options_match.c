/* Options about rules and clocks. An edition sets every rule key, so it must come before those that
 * change one. */

#include "cli/options_match.h"

#include "base/message.h"

#define TIME_MAX_MS 86400000

enum { ROW_EDITION, ROW_SET, ROW_ROUNDS, ROW_MOVE_MS, ROW_START_MS, ROW_BANK_MS, ROW_CLOCK };

struct options_match options_match_default(void)
{
    return (struct options_match){
        .rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026),
        .clock = CLOCK_FAIR,
        .start_ms = 10000,
        .move_ms = 1000,
    };
}

int options_match_number(const char *name, const char *value, long least, long most, long *number)
{
    if (span_read_number(span_of(value), least, most, number) == 0)
        return 0;
    message_say("%s takes a number from %ld to %ld, not `%s`", name, least, most, value);
    return -1;
}

static int set_rule(struct options_match *options, const char *name, const char *value)
{
    char words[300];
    struct text problem;

    options->has_edition = true;
    text_start(&problem, words, sizeof words);
    if (name == NULL ? rules_set_pair(&options->rules, span_of(value), &problem) == 0
                     : rules_set(&options->rules, span_of(name), span_of(value), &problem) == 0)
        return 0;
    message_say("%s", words);
    return -1;
}

static int set_edition(struct options_match *options, const char *value)
{
    char words[200];
    struct text problem;

    text_start(&problem, words, sizeof words);
    if (options->has_edition) {
        message_say("--edition must come once, and before --set and --rounds");
        return -1;
    }
    if (rules_read_edition(span_of(value), &options->rules, &problem) != 0) {
        message_say("%s", words);
        return -1;
    }
    options->has_edition = true;
    return 0;
}

static int set_clock(struct options_match *options, const char *value)
{
    if (clock_rule_read(span_of(value), &options->clock) == 0)
        return 0;
    message_say("--clock is fair or wall, not `%s`", value);
    return -1;
}

int options_match_take(struct options_match *options, size_t row, const char *value)
{
    switch (row) {
    case ROW_EDITION:
        return set_edition(options, value);
    case ROW_SET:
        return set_rule(options, NULL, value);
    case ROW_ROUNDS:
        return set_rule(options, "rounds", value);
    case ROW_MOVE_MS:
        return options_match_number("--move-ms", value, 1, TIME_MAX_MS, &options->move_ms);
    case ROW_START_MS:
        return options_match_number("--start-ms", value, 1, TIME_MAX_MS, &options->start_ms);
    case ROW_BANK_MS:
        return options_match_number("--bank-ms", value, 0, TIME_MAX_MS, &options->bank_ms);
    default:
        return set_clock(options, value);
    }
}
