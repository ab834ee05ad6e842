#ifndef REFEREE_TOURNAMENT_CONFIG_VARIANT_H
#define REFEREE_TOURNAMENT_CONFIG_VARIANT_H

/* Rules with a name. Wherever an edition can be given, a variant can: by the name of a bundled one,
 * or as a file {"name": ..., "edition": ..., "rules": {...}}, JSON with comments like the
 * tournament file. */

#include "base/text.h"
#include "game/rules.h"

#include <stdbool.h>

struct variant {
    struct allegra_rules rules;
    char name[RULES_VARIANT_NAME_MAX + 1]; /* "": an edition, or rules without a name */
};

/* Called for each mistake with one sentence and its place: "FILE:LINE:COLUMN: ", or "" if it is not
 * inside a file. */
typedef void variant_problem_fn(void *context, const char *place, const char *sentence);

/* Whether a word is the path of a file rather than a name: it has a `/`, or ends in ".json". */
bool variant_is_file(const char *word);

/* Reads the edition, the bundled variant or the file. Returns 0; or -1 after reporting all
 * mistakes. */
int variant_read(const char *word, struct variant *variant, variant_problem_fn *problem,
                 void *context);

/* The same from the bytes of a file; `path` is its name. */
int variant_read_bytes(struct span file, const char *path, struct variant *variant,
                       variant_problem_fn *problem, void *context);

#endif
