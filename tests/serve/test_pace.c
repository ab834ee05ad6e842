/* How long jobs are likely to take. */

#include "serve/queue/pace.h"

#include <criterion/criterion.h>

#define SECOND ((int64_t)1000000)

Test(pace, is_unknown_before_a_match_is_decided)
{
    struct pace pace = {0};

    pace_note(&pace, 100 * SECOND, 0);
    pace_note(&pace, 200 * SECOND, 0);
    cr_expect_eq(pace_seconds(pace.match_us, 10, 0), -1);
}

Test(pace, does_not_count_what_was_decided_before_the_job_resumed)
{
    struct pace pace = {0};

    pace_note(&pace, 100 * SECOND, 500);
    pace_note(&pace, 120 * SECOND, 510);
    cr_expect_eq(pace.match_us, 2 * SECOND);
    cr_expect_eq(pace_seconds(pace.match_us, 30, 0), 60);
}

Test(pace, takes_off_the_time_that_has_passed_but_never_more_than_all)
{
    cr_expect_eq(pace_seconds(2 * SECOND, 30, 15 * SECOND), 45);
    cr_expect_eq(pace_seconds(2 * SECOND, 30, 90 * SECOND), 0);
}

Test(pace, of_too_many_matches_is_unknown)
{
    cr_expect_eq(pace_seconds(2 * SECOND, (unsigned long)INT64_MAX, 0), -1);
}
