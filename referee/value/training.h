#ifndef REFEREE_VALUE_TRAINING_H
#define REFEREE_VALUE_TRAINING_H

/* Makes the weights of a network from matches, whoever played them. Only for the programs that
 * train networks; they end with the process, so nothing is freed. */

#include "value/network.h"

struct training {
    struct network *network; /* in units of 1 / NETWORK_UNIT */
    struct network *gradient;
    float *mean; /* of gradients, and of their squares, by weight */
    float *square;
    unsigned long steps;
    unsigned in_batch;
    double loss[2];
    unsigned long losses;
};

/* A table of a match that was played, and what it has to be worth. */
struct training_state {
    struct allegra_table table;
    double points[ALLEGRA_SEATS_MAX];
    double wins[ALLEGRA_SEATS_MAX];
};

/* Starts with random weights, or from a network unless that is NULL. */
void training_start(struct training *training, const struct network *from,
                    struct allegra_dice *dice);

/* Sets what the first `count` states of a match have to be worth; the one after them is its end.
 * With a trust of 1 that is how the round and the match ended; below 1 it is a mean of the end and
 * of what `network` thinks of the states in between, the nearest counting most. */
void training_set_targets(const struct network *network, struct training_state *states,
                          unsigned count, double trust);

/* Learns from one state; after some of them the weights move, at that rate. */
void training_learn(struct training *training, const struct training_state *state, double rate);

/* Adds the errors of one state to those of the next report, and learns nothing. */
void training_judge(struct training *training, const struct training_state *state);

/* Says on stderr how large the errors were since the last report. */
void training_report(struct training *training, double part, unsigned long matches);

/* Writes the weights of network_NAME to stdout, as C. `command` is what made them. */
void training_write(const struct training *training, const char *name, const char *command);

#endif
