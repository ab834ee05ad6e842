#ifndef TESTS_SUPPORT_EFFORT_H
#define TESTS_SUPPORT_EFFORT_H

/* How many cases a test with random cases tries. The numbers in the tests are small, so that
 * `make check` is quick; EFFORT=20 in the environment multiplies them by twenty. */

#include <stdlib.h>

static inline unsigned effort(unsigned usual)
{
    const char *value = getenv("EFFORT");
    long factor = value != NULL ? strtol(value, NULL, 10) : 1;

    return usual * (unsigned)(factor > 0 ? factor : 1);
}

#endif
