/* Messages go to stderr as whole lines, whatever is in them; fatal() ends with its own code. The
 * clock is too small for a suite of its own. */

#include "base/clock.h"
#include "base/message.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <string.h>

Test(message, a_message_is_a_line_after_the_name_of_the_program, .init = cr_redirect_stderr)
{
    message_say("there are %d seats", 4);
    message_set_program("bot");
    message_say("%s", "no 100%d format");
    fflush(stderr);
    cr_assert_stderr_eq_str("referee: there are 4 seats\nbot: no 100%d format\n");
}

Test(message, a_long_message_keeps_its_line_end, .init = cr_redirect_stderr)
{
    char words[5000];
    char expected[2048];

    memset(words, 'w', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    memset(expected, 'w', sizeof expected);
    memcpy(expected, "referee: ", 9);
    memcpy(expected + sizeof expected - 2, "\n", 2);
    message_say("%s", words);
    fflush(stderr);
    cr_assert_stderr_eq_str(expected);
}

Test(message, fatal_exits_with_70, .exit_code = 70)
{
    fatal("this sentence belongs to a test");
}

/* A step is large when this process does not run meanwhile, but hardly in each of so many. */
Test(clock, time_goes_on_in_small_steps_and_never_back)
{
    int64_t last_us = clock_now_us();
    int64_t smallest_us = INT64_MAX;

    cr_assert_gt(last_us, 0);
    for (unsigned steps = 0; steps < 1000;) {
        int64_t now_us = clock_now_us();

        cr_assert_geq(now_us, last_us);
        if (now_us > last_us && now_us - last_us < smallest_us)
            smallest_us = now_us - last_us;
        steps += now_us > last_us;
        last_us = now_us;
    }
    cr_assert_lt(smallest_us, 1000);
}
