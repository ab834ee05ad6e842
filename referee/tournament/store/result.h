#ifndef REFEREE_TOURNAMENT_STORE_RESULT_H
#define REFEREE_TOURNAMENT_STORE_RESULT_H

/* One decided match, as the statistics need it. A plain value. */

#include "bot/bot.h"
#include "game/allegra.h"
#include "match/match.h"

#include <stdbool.h>
#include <stdint.h>

/* Far more than a match can give; the largest number in a result_luck. */
#define RESULT_LUCK_MAX 1000000000

/* What the cards gave one seat: a luck_sum (value/luck.h) in whole numbers, so that a record of it
 * is exact. */
struct result_luck {
    int32_t points; /* thousandths of a point; below 0 is good luck */
    int32_t wins;   /* millionths of a win; above 0 is good luck */
    int32_t choice; /* thousandths of a point: the part that its own choices drew */
    /* Thousandths of a square point: the spread that chance gives to `choice`, a third of it from
     * the squares that came and two thirds from those expected, as peek.h needs it. */
    int32_t choice_spread;
};

struct result {
    uint32_t block;    /* from 1: the unit of statistics */
    uint16_t rotation; /* which of the block's seatings, from 0 */
    uint8_t seats;
    uint8_t rounds;                   /* how many were played */
    uint16_t bots[ALLEGRA_SEATS_MAX]; /* by seat: numbers of bots, from 0 */
    uint8_t places
        [ALLEGRA_SEATS_MAX]; /* 1 is the best; bots with equal scores share the better place */
    uint8_t faults[ALLEGRA_SEATS_MAX]; /* enum bot_outcome; BOT_ANSWERED if there was none */
    /* In half points, lower is better. A bot that was dismissed gets the worst score at the table,
     * its own included, which the autopilot has played on. */
    int32_t score_halves[ALLEGRA_SEATS_MAX];
    bool has_luck;         /* else it was not measured, and all of it is 0 */
    uint16_t luck_version; /* LUCK_VERSION of the referee that measured it */
    struct result_luck luck[ALLEGRA_SEATS_MAX];
};

struct result_luck result_luck_of(const struct luck_sum *sum);

/* Fills in rounds, places, faults, scores and luck from a match that is over. */
void result_take(struct result *result, const struct match *match);

/* The points of a seat in the match; adjusted: without what the cards gave. Both have the same
 * mean, and the adjusted ones have less chance in them. */
double result_points(const struct result *result, unsigned seat, bool is_adjusted);

/* Its share of the win, likewise: 1 divided by how many share first place, or 0. The adjusted share
 * may be below 0 or above 1. */
double result_win(const struct result *result, unsigned seat, bool is_adjusted);

#endif
