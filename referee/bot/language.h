#ifndef REFEREE_BOT_LANGUAGE_H
#define REFEREE_BOT_LANGUAGE_H

/* The languages in which bots can be written on this machine: those of bots/languages whose program
 * a contained bot finds in its PATH. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define LANGUAGE_LIST_MAX 1000 /* bytes of language_add_installed() */

struct language {
    const char *name;
    const char *program; /* the compiler or interpreter */
    const char *file;    /* the name of a source */
    const char *build;   /* how such a file is built; NULL: it is not */
    const char *command; /* how it is run then */
};

size_t language_count(void);
const struct language *language_at(size_t index);

/* Whether a program of that name is in the PATH of contained programs. */
bool language_has_program(const char *program);

/* Whether a command begins with the name of a program, without a path, that is not there. */
bool language_is_missing(const char *command);

/* Adds "c (cc), python (python3), …": what is installed. */
void language_add_installed(struct text *text);

#endif
