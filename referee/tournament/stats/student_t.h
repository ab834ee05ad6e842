#ifndef REFEREE_TOURNAMENT_STATS_STUDENT_T_H
#define REFEREE_TOURNAMENT_STATS_STUDENT_T_H

/* Student's distribution, and the intervals that are made with it. */

/* Where 19 of 20 times the true value lies; both ends are NaN where nothing can be said. */
struct interval {
    double low;
    double high;
};

/* The probability that a value of Student's distribution is at most `value`. Relative error below
 * 1e-11 in the smaller tail, for up to 100,000 degrees of freedom. */
double student_t_below(double value, double freedom);

/* The value that `share` (above 0, below 1) of the distribution lie below. Absolute error below 1e-9
 * up to 1e4, relative beyond. */
double student_t_quantile(double share, double freedom);

/* By how much an interval is wider that counts 95 % in Student's distribution instead of the normal
 * one; not below 1. Infinite without freedom. */
double student_t_stretch(double freedom);

/* 95 % around a mean with its standard error; NaN if there is no degree of freedom. */
struct interval student_t_interval(double mean, double standard_error, double freedom);

#endif
