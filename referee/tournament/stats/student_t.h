#ifndef REFEREE_TOURNAMENT_STATS_STUDENT_T_H
#define REFEREE_TOURNAMENT_STATS_STUDENT_T_H

/* Student's distribution, and intervals made with it. */

/* Contains the true value in 19 of 20 cases; both ends are NaN where nothing is known. */
struct interval {
    double low;
    double high;
};

/* The probability that a value of Student's distribution is at most `value`. Relative error below
 * 1e-11 in the smaller tail, for up to 100,000 degrees of freedom. */
double student_t_below(double value, double freedom);

/* The value below which `share` (above 0, below 1) of the distribution lies. Absolute error below
 * 1e-9 up to 1e4, relative beyond. */
double student_t_quantile(double share, double freedom);

/* How much wider a 95 % interval is with Student's distribution than with the normal one; at least
 * 1. Infinite without a degree of freedom, 1 with infinitely many. */
double student_t_stretch(double freedom);

/* The 95 % interval around a mean with its standard error; NaN without a degree of freedom. */
struct interval student_t_interval(double mean, double standard_error, double freedom);

#endif
