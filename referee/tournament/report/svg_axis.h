#ifndef REFEREE_TOURNAMENT_REPORT_SVG_AXIS_H
#define REFEREE_TOURNAMENT_REPORT_SVG_AXIS_H

/* An axis of a chart: from values to places, and where its ticks are. */

#include <stdbool.h>

struct svg_axis {
    double least; /* at 0 % */
    double most;  /* at 100 % */
    double step;  /* between ticks; of a logarithmic axis the factor */
    bool is_logarithmic;
    unsigned ticks; /* how many, the first at `least` */
};

/* An axis from round number to round number that has both values in it, with at most `ticks_most`
 * (at least 3) ticks. Values that are not finite give the axis from 0 to 1. */
struct svg_axis svg_axis_linear(double least, double most, unsigned ticks_most);

/* Likewise from power of ten to power of ten; what is less than 1 counts as 1, and what is not
 * finite too. */
struct svg_axis svg_axis_logarithmic(double least, double most);

double svg_axis_tick(const struct svg_axis *axis, unsigned tick);

/* Where a value lies, in percent; what is outside lies at the end. NaN lies at 0. */
double svg_axis_percent(const struct svg_axis *axis, double value);

/* How many digits after the point the ticks need. */
unsigned svg_axis_digits(const struct svg_axis *axis);

#endif
