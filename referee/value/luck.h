#ifndef REFEREE_VALUE_LUCK_H
#define REFEREE_VALUE_LUCK_H

/* Luck, told from skill.
 *
 * Nobody knows a down card or the order of the draw pile, so every card that appears is a chance
 * event whose odds follow from what was seen before, whatever the bots do. The luck of an event is
 * the value of the table after it minus the mean of the values after all cards that could have
 * appeared. Its mean is zero for every event, in every match, at every level of play, and for any
 * value function; so a score without its luck has the same mean as the score, and a smaller spread
 * if the value function is good.
 *
 * Good luck is negative in points and positive in wins. */

#include "game/allegra.h"

/* Raise it with every change that gives any match another luck: networks, the quick policy, the
 * factors, the samples. Results are stored with it, and a proof compares luck only with luck of the
 * same version. test_luck.c knows the luck of some matches, and fails until this is raised. */
#define LUCK_VERSION 3

/* What kind of card appeared. */
enum luck_kind {
    LUCK_NONE,   /* none: the answer left nothing to chance */
    LUCK_DEAL,   /* the card that starts the discard pile */
    LUCK_REVEAL, /* a cell turned up before the first turn */
    LUCK_DRAW,   /* the top of the draw pile */
    LUCK_TURN,   /* a down cell turned up for a dropped card */
    LUCK_SWAP,   /* a down cell whose card was replaced, or taken by the active player */
    LUCK_SHOW,   /* the end of a round: all down cells, and what the last answer turned up */
    LUCK_KINDS,
};

/* One chance event. */
struct luck_event {
    enum luck_kind kind;
    uint8_t seat;                     /* the seat that answered; 0 for a deal */
    bool is_choice;                   /* the seat chose among hidden cards: a pile, a cell */
    double points[ALLEGRA_SEATS_MAX]; /* luck by seat, in points: below 0 is good luck */
    double wins[ALLEGRA_SEATS_MAX];   /* luck by seat, as a share of the win: above 0 is good */
    /* The variance that the points of `seat` had before the card appeared; 0 unless is_choice. */
    double variance;
};

/* Everything that one seat owes to luck, summed up. */
struct luck_sum {
    double points;
    double wins;
    double choice;          /* points: only events that the seat chose itself */
    double choice_variance; /* sum of the variances of those: see luck_event */
    double choice_squares;  /* sum of the squares that came, whose mean the variance is */
};

struct luck {
    unsigned seats;
    unsigned events; /* counted so far; seeds of samples come from it, never from the cards */
    struct luck_sum of[ALLEGRA_SEATS_MAX];
};

/* Starts with a table that was just dealt, and counts the deal. `event` may be NULL. */
void luck_start(struct luck *luck, const struct allegra_table *table, struct luck_event *event);

/* Counts what an answer left to chance: `before` is the table that was asked, `after` the table
 * after allegra_table_apply() accepted the answer. If the answer ended the round, the deal of the
 * next one is counted too, and added to the event. `event` may be NULL. */
void luck_add(struct luck *luck, const struct allegra_table *before, unsigned seat,
              struct allegra_answer answer, const struct allegra_table *after,
              struct luck_event *event);

/* "draw", "turn", …; for people and programs. */
const char *luck_kind_name(enum luck_kind kind);

#endif
