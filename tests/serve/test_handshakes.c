/* The rate of handshakes, with a clock of the test. */

#include "serve/tls/handshakes.h"

#include <criterion/criterion.h>
#include <string.h>

#define SECOND_US 1000000

static const struct handshakes_limits limits = {.per_address = 10, .in_all = 40};

static struct handshakes *handshakes;

static void begin(void)
{
    handshakes = handshakes_new();
}

static void end(void)
{
    handshakes_free(handshakes);
}

TestSuite(handshakes, .init = begin, .fini = end);

/* How many of so many an address may begin at that time. */
static unsigned try(unsigned address, unsigned count, int64_t now_us)
{
    unsigned char origin[HANDSHAKES_ORIGIN_BYTES] = {0};
    unsigned admitted = 0;

    memcpy(origin, &address, sizeof address);
    for (unsigned i = 0; i < count; i++)
        admitted += handshakes_admit(handshakes, origin, &limits, now_us);
    return admitted;
}

Test(handshakes, an_address_has_so_many_at_once_and_then_so_many_per_second)
{
    cr_expect_eq(try(1, 1000, SECOND_US), 10 * HANDSHAKES_BURST_S);
    cr_expect_eq(try(1, 1000, 2 * SECOND_US), 10);
    cr_expect_eq(try(1, 1000, 2 * SECOND_US + SECOND_US / 2), 5);
    cr_expect_eq(try(1, 1000, 100 * SECOND_US), 10 * HANDSHAKES_BURST_S);
}

Test(handshakes, all_together_have_a_limit_too)
{
    unsigned admitted = 0;

    for (unsigned address = 0; address < 5000; address++)
        admitted += try(address, 3, SECOND_US);
    cr_expect_eq(admitted, 40 * HANDSHAKES_BURST_S);
    admitted = 0;
    for (unsigned address = 5000; address < 9000; address++)
        admitted += try(address, 3, 2 * SECOND_US);
    cr_expect_eq(admitted, 40);
}

Test(handshakes, addresses_that_take_all_they_may_keep_no_other_out)
{
    unsigned greedy = 0;

    for (int64_t second = 1; second < 60; second++) {
        for (unsigned address = 0; address < 20; address++)
            greedy += try(address, 100, second * SECOND_US);
        cr_expect_eq(try(1000 + (unsigned)second, 1, second * SECOND_US), 1, "second %d",
                     (int)second);
    }
    cr_expect_gt(greedy, 1000);
}

Test(handshakes, the_table_forgets_those_that_it_need_not_know)
{
    for (unsigned address = 0; address < 3000; address++)
        cr_expect_eq(try(address, 1, (int64_t)address * SECOND_US), 1);
    cr_expect_eq(try(1, 1000, (int64_t)3100 * SECOND_US), 10 * HANDSHAKES_BURST_S);
}
