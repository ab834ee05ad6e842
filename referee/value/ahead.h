#ifndef REFEREE_VALUE_AHEAD_H
#define REFEREE_VALUE_AHEAD_H

/* The look ahead behind value_ahead(), for callers that judge several versions of one table. */

#include "value/swift.h"
#include "value/value_look.h"

struct ahead {
    struct glance glance;
    struct network_memory memory;
    uint64_t seed; /* of all samples */
};

/* Prepares to judge tables that follow from this one by one answer. */
void ahead_start(struct ahead *ahead, const struct allegra_table *table, uint64_t seed);
void ahead_value(struct ahead *ahead, const struct allegra_table *table, struct value *value);

/* Whether the round of `before` is over in `after`. */
bool ahead_is_over(const struct allegra_table *before, const struct allegra_table *after);

/* An answer that can end the round. Whether it does may depend on a card that it turns up. */
struct ahead_end {
    const struct allegra_table *before;
    unsigned seat;
    struct allegra_answer answer;
};

/* Its mean value over deals of all hidden cards. */
void ahead_sample_end(struct ahead *ahead, const struct ahead_end *end, struct allegra_dice *dice,
                      unsigned samples, struct value *value);

/* The value of a table after it, whether the round is over or not. */
void ahead_value_end(struct ahead *ahead, const struct ahead_end *end,
                     const struct allegra_table *after, struct value *value);

/* Adds `weight` times a value. */
void ahead_add(struct value *sum, const struct value *value, double weight, unsigned seats);

#endif
