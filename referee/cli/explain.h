#ifndef REFEREE_CLI_EXPLAIN_H
#define REFEREE_CLI_EXPLAIN_H

/* The game in five minutes, for a person who has never seen it. */

#include "game/allegra.h"

#include <stdio.h>

/* Prints the page: of one edition, or of a variant of it that has a name; or, without rules, of all
 * editions, with the examples of the default one. The first chapter of protocol.md is the page of
 * all, without its title. */
void explain_print(FILE *file, const struct allegra_rules *edition, const char *variant);

#endif
