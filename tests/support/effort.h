#ifndef TESTS_SUPPORT_EFFORT_H
#define TESTS_SUPPORT_EFFORT_H

/* How much a test does whose proof grows with the number of its cases. `make check` is to be quick, so
 * what is written in the tests is little; EFFORT=20 in the environment, as in `make fuzz`, does twenty
 * times as much. */

#include <stdlib.h>

static inline unsigned effort(unsigned usual)
{
    const char *words = getenv("EFFORT");
    long factor = words != NULL ? strtol(words, NULL, 10) : 1;

    return usual * (unsigned)(factor > 0 ? factor : 1);
}

#endif
