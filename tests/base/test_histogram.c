#include "base/histogram.h"

#include <criterion/criterion.h>

TestSuite(histogram);

Test(histogram, boxes_follow_each_other_without_a_gap)
{
    unsigned before = 0;

    for (int64_t value = 0; value < 1000000; value++) {
        unsigned box = histogram_box(value);

        cr_assert(box == before || box == before + 1, "%lld", (long long)value);
        before = box;
    }
}

Test(histogram, the_middle_of_a_box_is_in_it_and_near_its_values)
{
    for (unsigned box = 0; box < HISTOGRAM_BOXES; box++)
        cr_assert_eq(histogram_box(histogram_middle(box)), box);
    for (int64_t value = 16; value < 100000000; value += value / 7) {
        double ratio = (double)histogram_middle(histogram_box(value)) / (double)value;

        cr_assert(ratio > 0.93 && ratio < 1.07, "%lld", (long long)value);
    }
}

Test(histogram, values_out_of_range_count_in_the_first_and_last_box)
{
    cr_assert_eq(histogram_box(-5), 0);
    cr_assert_eq(histogram_box(INT64_MAX), HISTOGRAM_BOXES - 1);
}

Test(histogram, quantiles_are_right_to_some_percent)
{
    struct histogram histogram = {0};

    cr_assert_eq(histogram_quantile(&histogram, 0.5), 0);
    for (int64_t value = 1; value <= 10000; value++)
        histogram_add(&histogram, value);
    cr_assert_float_eq((double)histogram_quantile(&histogram, 0.5), 5000, 350);
    cr_assert_float_eq((double)histogram_quantile(&histogram, 0.99), 9900, 700);
    cr_assert_float_eq((double)histogram_quantile(&histogram, 1), 10000, 700);
    cr_assert_eq(histogram_quantile(&histogram, 0), 1);
}
