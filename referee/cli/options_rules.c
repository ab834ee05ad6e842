/* Options about rules. An edition sets every rule key, so it must come before the options that
 * change one. The name of a variant belongs to its rules as they are: a key that changes them takes
 * it away, and --variant, which gives them a name, comes last. */

#include "cli/options_rules.h"

#include "base/message.h"
#include "tournament/config/variant.h"

#include <stdio.h>
#include <unistd.h>

struct options_rules options_rules_default(void)
{
    return (struct options_rules){.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026)};
}

/* Mistakes in a file have a place, as those in a tournament file. */
static void on_problem(void *context, const char *place, const char *sentence)
{
    const char *what = context;

    if (place[0] != '\0')
        fprintf(stderr, "%s%s\n", place, sentence);
    else
        message_say("%s%s", what, sentence);
}

int options_rules_read_edition(struct options_rules *rules, const char *word, const char *what)
{
    struct variant variant;

    if (variant_read(word, &variant, on_problem, (void *)what) != 0) {
        /* A name without a slash or an extension is never a file. */
        if (strpbrk(word, "/.") == NULL && access(word, R_OK) == 0)
            message_say("if you mean the file of that name, write ./%s", word);
        return -1;
    }
    rules->rules = variant.rules;
    memcpy(rules->variant, variant.name, sizeof rules->variant);
    return 0;
}

static int read_edition(void *destination, const char *name, const char *value)
{
    struct options_rules *rules = destination;

    if (rules->is_given || rules->is_named) {
        message_say("%s: it must come once, and before --set, --rounds and --variant", name);
        return -1;
    }
    rules->is_given = true;
    return options_rules_read_edition(rules, value, "--edition: ");
}

/* --set KEY=VALUE or --rounds N. */
static int read_rule(void *destination, const char *name, const char *value)
{
    struct options_rules *rules = destination;
    struct allegra_rules before = rules->rules;
    char message[300];
    struct text problem;
    int result = -1;

    text_start(&problem, message, sizeof message);
    if (rules->is_named)
        text_add(&problem, "it must come before --variant");
    else if (strcmp(name, "--rounds") == 0)
        result = rules_set(&rules->rules, span_of("rounds"), span_of(value), &problem);
    else
        result = rules_set_pair(&rules->rules, span_of(value), &problem);
    if (result != 0)
        message_say("%s: %s", name, message);
    rules->is_given = true;
    if (!rules_are_same(&before, &rules->rules))
        rules->variant[0] = '\0';
    return result;
}

static int read_variant(void *destination, const char *name, const char *value)
{
    struct options_rules *rules = destination;
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (rules_variant_check_name(span_of(value), &rules->rules, &problem) != 0) {
        message_say("%s: %s", name, message);
        return -1;
    }
    snprintf(rules->variant, sizeof rules->variant, "%s", value);
    rules->is_named = true;
    return 0;
}

#define READ(function) .kind = OPTION_KIND_READ, .read = (function)

const struct option_row options_rules_rows[] = {
    {"--edition", "EDITION", "play by this edition or variant, or a variant's FILE (de2026)",
     READ(read_edition)},
    {"--set", "KEY=VALUE", "change a rule; see `referee rules`", READ(read_rule)},
    {"--rounds", "N", "the same as --set rounds=N", READ(read_rule)},
    {"--variant", "NAME", "give the rules a name, for bots, logs and tables", READ(read_variant)},
    {.name = NULL},
};
