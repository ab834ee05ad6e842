/* Ticks are at multiples of 1, 2 or 5 times a power of ten, the smallest such step that needs no
 * more ticks than allowed; an axis starts and ends at a tick. */

#include "tournament/report/svg_axis.h"

#include <math.h>

/* The next larger round step. */
static double larger_step(double step)
{
    double power = pow(10, floor(log10(step) + 1e-9));
    double head = step / power;

    if (head < 1.5)
        return 2 * power;
    return head < 3.5 ? 5 * power : 10 * power;
}

struct svg_axis svg_axis_linear(double least, double most, unsigned ticks_most)
{
    struct svg_axis axis = {0, 1, 0.5, false, 3};
    double step;

    if (!isfinite(least) || !isfinite(most) || least > most)
        return axis;
    if (most - least < 1e-6 * (1 + fabs(most)))
        most = least + 1e-6 * (1 + fabs(most));
    step = pow(10, floor(log10((most - least) / ticks_most)));
    do {
        axis.least = floor(least / step + 1e-9) * step;
        axis.most = ceil(most / step - 1e-9) * step;
        axis.ticks = (unsigned)lround((axis.most - axis.least) / step) + 1;
        axis.step = step;
        step = larger_step(step);
    } while (axis.ticks > ticks_most);
    return axis;
}

struct svg_axis svg_axis_logarithmic(double least, double most)
{
    double first;
    double last;

    if (!isfinite(least) || !isfinite(most))
        least = most = 1;
    first = floor(log10(fmax(least, 1)) + 1e-9);
    last = ceil(log10(fmax(most, 1)) - 1e-9);
    if (last < first + 1)
        last = first + 1;
    return (struct svg_axis){pow(10, first), pow(10, last), 10, true,
                             (unsigned)lround(last - first) + 1};
}

double svg_axis_tick(const struct svg_axis *axis, unsigned tick)
{
    return axis->is_logarithmic ? axis->least * pow(axis->step, tick)
                                : axis->least + axis->step * tick;
}

double svg_axis_percent(const struct svg_axis *axis, double value)
{
    double share = axis->is_logarithmic
                       ? log(fmax(value, 1) / axis->least) / log(axis->most / axis->least)
                       : (value - axis->least) / (axis->most - axis->least);

    return isnan(share) ? 0 : 100 * fmin(fmax(share, 0), 1);
}

unsigned svg_axis_digits(const struct svg_axis *axis)
{
    double digits = axis->is_logarithmic ? 0 : -floor(log10(axis->step) + 1e-9);

    return digits > 0 ? (unsigned)fmin(digits, 6) : 0;
}
