#ifndef REFEREE_TOURNAMENT_STATS_CONFIDENCE_SEQUENCE_H
#define REFEREE_TOURNAMENT_STATS_CONFIDENCE_SEQUENCE_H

/* The mean of values that come one after the other, with an interval that may be looked at after
 * each of them: with probability 1 - alpha it contains the true mean at all looks together. So a
 * person may stop because of what the interval shows. A plain value. */

#include "tournament/stats/student_t.h"

struct confidence_sequence {
    /* A deviation that counts as if it had been seen, so that values that were all equal so far do
     * not pass for certainty. Set it before the first value; all other members start at 0. */
    double ghost;
    unsigned count;
    double mean;
    double squares; /* sum of the squared deviations from the mean */
};

/* Adds the next value. A value that is not finite is ignored, because it would hide all others. */
void confidence_sequence_add(struct confidence_sequence *sequence, double value);

/* The natural logarithm of the evidence against `mean` being the true mean. The evidence against
 * the true mean ever reaches 1 / alpha with a probability of at most alpha. */
double confidence_sequence_evidence(const struct confidence_sequence *sequence, double mean);

/* All means against which the evidence is below 1 / alpha. Infinite as long as there are too few
 * values; NaN without a value. */
struct interval confidence_sequence_interval(const struct confidence_sequence *sequence,
                                             double alpha);

/* The standard deviation of a value, including the ghost; NaN before the second value. */
double confidence_sequence_deviation(const struct confidence_sequence *sequence);

/* About how many values it takes in all until the interval extends at most `half_width` (above 0)
 * to each side of the mean, if the values keep the spread seen so far. At most 1e9. */
double confidence_sequence_values_for(const struct confidence_sequence *sequence, double alpha,
                                      double half_width);

#endif
