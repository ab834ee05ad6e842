#include "base/spread.h"

#include <criterion/criterion.h>

TestSuite(spread);

Test(spread, boxes_follow_each_other_without_a_gap)
{
    unsigned before = 0;

    for (int64_t value = 0; value < 1000000; value++) {
        unsigned box = spread_box(value);

        cr_assert(box == before || box == before + 1, "%lld", (long long)value);
        before = box;
    }
}

Test(spread, the_middle_of_a_box_is_in_it_and_near_its_values)
{
    for (unsigned box = 0; box < SPREAD_BOXES; box++)
        cr_assert_eq(spread_box(spread_middle(box)), box);
    for (int64_t value = 16; value < 100000000; value += value / 7) {
        double ratio = (double)spread_middle(spread_box(value)) / (double)value;

        cr_assert(ratio > 0.93 && ratio < 1.07, "%lld", (long long)value);
    }
}

Test(spread, values_out_of_range_count_in_the_first_and_last_box)
{
    cr_assert_eq(spread_box(-5), 0);
    cr_assert_eq(spread_box(INT64_MAX), SPREAD_BOXES - 1);
}

Test(spread, quantiles_are_right_to_some_percent)
{
    struct spread spread = {0};

    cr_assert_eq(spread_quantile(&spread, 0.5), 0);
    for (int64_t value = 1; value <= 10000; value++)
        spread_add(&spread, value);
    cr_assert_float_eq((double)spread_quantile(&spread, 0.5), 5000, 350);
    cr_assert_float_eq((double)spread_quantile(&spread, 0.99), 9900, 700);
    cr_assert_float_eq((double)spread_quantile(&spread, 1), 10000, 700);
    cr_assert_eq(spread_quantile(&spread, 0), 1);
}
