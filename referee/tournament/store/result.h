#ifndef REFEREE_TOURNAMENT_STORE_RESULT_H
#define REFEREE_TOURNAMENT_STORE_RESULT_H

/* One decided match, as the statistics need it. A plain value. */

#include "bot/bot.h"
#include "game/allegra.h"

#include <stdint.h>

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
};

#endif
