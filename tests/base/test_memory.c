/* Memory is there, or the program ends with a sentence. */

#include "base/memory.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

Test(memory, new_memory_is_zero_and_never_null)
{
    static const char zeros[60];
    char *things = xcalloc(6, 10);
    void *nothing = xcalloc(0, 10);

    cr_assert_arr_eq(things, zeros, sizeof zeros);
    cr_assert_not_null(nothing);
    free(things);
    free(nothing);
}

Test(memory, what_was_there_survives_growing)
{
    char *words = xstrdup("rules");

    words = xrealloc(words, 1000);
    cr_assert_str_eq(words, "rules");
    words = xrealloc(words, 0);
    cr_assert_not_null(words);
    free(words);
}

Test(memory, a_copy_of_some_bytes_ends_with_them_or_with_the_string)
{
    char *start = xstrndup("rules", 3);
    char *all = xstrndup("rules", 30);

    cr_assert_str_eq(start, "rul");
    cr_assert_str_eq(all, "rules");
    free(start);
    free(all);
}

/* No machine has this much, and a sanitizer would report the question itself. */
#ifndef __SANITIZE_ADDRESS__
Test(memory, more_than_there_is_ends_the_program, .exit_code = 70)
{
    volatile size_t too_much = SIZE_MAX / 2;

    free(xcalloc(too_much, 4));
}

Test(memory, growing_beyond_what_there_is_ends_the_program, .exit_code = 70)
{
    volatile size_t too_much = SIZE_MAX / 2;

    free(xrealloc(NULL, too_much));
}
#endif
