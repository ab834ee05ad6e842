/* The distribution is an incomplete beta integral, computed from its continued fraction (by Lentz's
 * method, which works from the front and need not know the number of terms). The quantile is found
 * by bisection: it is needed a few times per table, so it should be safe rather than fast. */

#include "tournament/stats/student_t.h"

#include <math.h>

#define TERMS_MAX 10000
#define HALVINGS 200
#define TINY 1e-300

/* A denominator of the fraction may become 0; a tiny number replaces it. */
static double not_zero(double value)
{
    return fabs(value) < TINY ? TINY : value;
}

/* The continued fraction of the incomplete beta integral; converges fast for x below
 * (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    double c = 1;
    double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
    double value = d;

    for (int term = 1; term < TERMS_MAX; term++) {
        double m = term;
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change;

        d = 1 / not_zero(1 + even * d);
        c = not_zero(1 + even / c);
        value *= d * c;
        d = 1 / not_zero(1 + odd * d);
        c = not_zero(1 + odd / c);
        change = d * c;
        value *= change;
        if (fabs(change - 1) < 1e-16)
            break;
    }
    return value;
}

/* The share of the beta distribution below x; `rest` is 1 - x, exact where x is near 1. */
static double beta_below(double x, double rest, double a, double b)
{
    double front;

    if (x <= 0)
        return 0;
    if (rest <= 0)
        return 1;
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(rest, b, a) / b;
}

double student_t_below(double value, double freedom)
{
    double squares = freedom + value * value;
    double outside = beta_below(freedom / squares, value * value / squares, freedom / 2, 0.5);

    return value < 0 ? outside / 2 : 1 - outside / 2;
}

/* Works in the lower tail, where probabilities keep their digits. */
double student_t_quantile(double share, double freedom)
{
    double tail = share < 0.5 ? share : 1 - share;
    double low = 0;
    double high = 1;

    while (student_t_below(-high, freedom) > tail && high < 1e300)
        high *= 2;
    for (int halving = 0; halving < HALVINGS && high - low > 1e-14 * high; halving++) {
        double middle = low + (high - low) / 2;

        if (student_t_below(-middle, freedom) > tail)
            low = middle;
        else
            high = middle;
    }
    return share < 0.5 ? -high : high;
}

double student_t_stretch(double freedom)
{
    const double normal = 1.959963984540054;
    double ratio;

    if (freedom < 1)
        return INFINITY;
    if (isinf(freedom))
        return 1;
    ratio = student_t_quantile(0.975, freedom) / normal;
    return ratio > 1 ? ratio : 1;
}

struct interval student_t_interval(double mean, double standard_error, double freedom)
{
    double half;

    if (freedom < 1)
        return (struct interval){NAN, NAN};
    half = student_t_quantile(0.975, freedom) * standard_error;
    return (struct interval){mean - half, mean + half};
}
