#ifndef REFEREE_TOURNAMENT_REPORT_SVG_AXIS_H
#define REFEREE_TOURNAMENT_REPORT_SVG_AXIS_H

/* An axis of a chart: the positions of values and ticks. */

#include <stdbool.h>

struct svg_axis {
    double least; /* at 0 % */
    double most;  /* at 100 % */
    double step;  /* between ticks; for a logarithmic axis a factor */
    bool is_logarithmic;
    unsigned ticks; /* how many, the first at `least` */
};

/* An axis that contains both values, from one round number to another, with at most `ticks_most`
 * (at least 3) ticks. Values that are not finite give an axis from 0 to 1. */
struct svg_axis svg_axis_linear(double least, double most, unsigned ticks_most);

/* The same from one power of ten to another; values that are less than 1 or not finite count as
 * 1. */
struct svg_axis svg_axis_logarithmic(double least, double most);

double svg_axis_tick(const struct svg_axis *axis, unsigned tick);

/* The position of a value in percent; 0 or 100 outside the axis, 0 for NaN. */
double svg_axis_percent(const struct svg_axis *axis, double value);

/* How many digits after the point the ticks need. */
unsigned svg_axis_digits(const struct svg_axis *axis);

#endif
