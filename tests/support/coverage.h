#ifndef TESTS_SUPPORT_COVERAGE_H
#define TESTS_SUPPORT_COVERAGE_H

/* How often the tables of simulated tournaments are right. The schedules are the real ones, Swiss
 * pairing by results included. The matches are drawn: luck of the deal that stays with a seat when
 * the bots change seats, and points that a deal gives to all; points that are skewed; ties, and now
 * and then a fault. */

#include "tournament/schedule/schedule.h"

#include <stddef.h>
#include <stdint.h>

struct coverage_design {
    const char *name;
    enum schedule_format format;
    enum schedule_seatings seatings;
    unsigned bots;
    unsigned seats;
    unsigned deals;
    unsigned rounds;
    unsigned long matches;
    unsigned usual; /* how many tournaments `make check` plays of it: large ones are slow */
};

extern const struct coverage_design coverage_designs[];
extern const size_t coverage_design_count;

/* In percent. */
struct coverage {
    double score;  /* of the intervals of scores have the true mean */
    double rating; /* of the intervals of ratings have the true rating */
    double error;  /* not in percent: of ratings, in the errors that their intervals claim; 1 */
    double ranks;  /* of the tournaments: all ranges of ranks have all true ranks */
    double apart;  /* of the tournaments of identical bots: two of them are told apart */
    double width;  /* of a range of ranks: the mean share of all ranks that it has, unequal bots */
};

/* Plays so many tournaments of unequal bots and as many of identical ones. */
struct coverage coverage_measure(const struct coverage_design *design, unsigned tournaments,
                                 uint64_t seed);

#endif
