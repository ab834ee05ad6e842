#ifndef REFEREE_CLI_OPTIONS_RULES_H
#define REFEREE_CLI_OPTIONS_RULES_H

/* The options about rules, for all commands that play by rules of the user's choice. */

#include "cli/options.h"
#include "game/rules.h"

struct options_rules {
    struct allegra_rules rules;
    char variant[RULES_VARIANT_NAME_MAX + 1]; /* the name of the rules; "": they have none */
    bool is_given; /* an edition or a key was given, so no edition may follow */
    bool is_named; /* --variant was given, so nothing else about rules may follow */
};

extern const struct option_row options_rules_rows[];

/* All of them, as one row of the table of a command. */
#define OPTIONS_RULES(type, member)                                                                \
    OPTION_GROUP(type, member, struct options_rules, options_rules_rows)

struct options_rules options_rules_default(void);

/* Reads an edition, a bundled variant or the file of a variant. Returns 0; or -1 after it has
 * reported all mistakes, with `what` before one that is not inside a file. */
int options_rules_read_edition(struct options_rules *rules, const char *word, const char *what);

#endif
