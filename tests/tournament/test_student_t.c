#include "tournament/stats/student_t.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(student_t);

/* As in printed tables. */
static const struct {
    double share;
    double freedom;
    double value;
} table[] = {
    {0.975, 1, 12.706204736174705}, {0.975, 2, 4.302652729749464},   {0.975, 3, 3.182446305283708},
    {0.975, 4, 2.776445105197793},  {0.975, 9, 2.262157162798205},   {0.975, 19, 2.093024054408309},
    {0.975, 49, 2.009575237129235}, {0.975, 100, 1.983971518523552}, {0.95, 10, 1.812461122811676},
    {0.995, 5, 4.032142983557536},  {0.9995, 7, 5.407882521},        {0.75, 30, 0.682755693},
    {0.975, 1000, 1.962339080},     {0.975, 1e5, 1.959987708},
};

Test(student_t, quantiles_are_those_of_the_tables)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        double value = student_t_quantile(table[i].share, table[i].freedom);

        cr_assert_float_eq(value, table[i].value, 2e-9, "%zu: %.12f", i, value);
        cr_assert_float_eq(student_t_quantile(1 - table[i].share, table[i].freedom), -value, 1e-9);
        cr_assert_float_eq(student_t_below(value, table[i].freedom), table[i].share, 1e-12);
    }
}

Test(student_t, with_one_degree_is_that_of_cauchy)
{
    for (int value = -1000; value < 1000; value += 7)
        cr_assert_float_eq(student_t_below(value, 1), 0.5 + atan(value) / M_PI, 1e-13);
    cr_assert_float_eq(student_t_below(-1e8, 1) * M_PI * 1e8, 1, 1e-9, "far out in the tail");
    cr_assert_float_eq(student_t_below(0, 7), 0.5, 1e-15);
}

Test(student_t, intervals_need_a_degree_of_freedom)
{
    struct interval interval = student_t_interval(3, 0.5, 4);

    cr_assert_float_eq(interval.low, 3 - 0.5 * 2.776445105, 1e-8);
    cr_assert_float_eq(interval.high, 3 + 0.5 * 2.776445105, 1e-8);
    cr_assert(isnan(student_t_interval(3, 0.5, 0).low));
    cr_assert(isinf(student_t_stretch(0)));
    cr_assert_float_eq(student_t_stretch(49), 2.009575237 / 1.959963985, 1e-8);
}
